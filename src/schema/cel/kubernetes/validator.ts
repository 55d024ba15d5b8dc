import type { CelType } from '../value/type.js'
import { declaredType, nameTypes } from './declared-type.js'
import { escapeName } from './escaping.js'
import type { CelEnvironment } from './program.js'
import { type CompiledRule, compileLeniently, compileRule } from './rule.js'
import type { SchemaNode } from './schema-node.js'

/** The rules of a schema and of everything below it. Branches without rules are left out. */
export interface Validator {
  readonly node: SchemaNode
  readonly rules: readonly CompiledRule[]
  readonly isResourceRoot: boolean
  readonly usesOldSelf: boolean
  readonly items: Validator | undefined
  readonly properties: ReadonlyMap<string, Validator>
  readonly additional: Validator | undefined
}

interface Place {
  readonly node: SchemaNode
  readonly type: CelType | undefined
  readonly isResourceRoot: boolean
  /** In the notation of the server's errors; empty at the root. */
  readonly path: string
  /** The innermost list around whose elements cannot be matched with old ones. */
  readonly uncorrelatable: string | undefined
}

export interface BuildOptions {
  readonly isResourceRoot: boolean
  /** Rules that do not compile are kept, and say so when they are applied. */
  readonly keepsBroken: boolean
}

/**
 * Compiles all rules of a schema; `undefined` if it has none. Rules below `allOf` and its kin are not looked for: no
 * CRD may have them. Throws CelRuleError.
 */
export function buildValidator(
  environment: CelEnvironment,
  node: SchemaNode,
  { isResourceRoot, keepsBroken }: BuildOptions,
): Validator | undefined {
  const type = declaredType(node, isResourceRoot)
  const context = { environment, compile: keepsBroken ? compileLeniently : compileRule }
  return build(context, { node, type, isResourceRoot, path: '', uncorrelatable: undefined })
}

interface BuildContext {
  readonly environment: CelEnvironment
  readonly compile: typeof compileRule
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`
}

function build(building: BuildContext, place: Place): Validator | undefined {
  const { node, path } = place
  const own = node.schema['x-kubernetes-validations'] ?? []
  const context = {
    environment: building.environment,
    node,
    selfType: own.length > 0 && place.type !== undefined ? nameTypes(place.type, 'selfType') : undefined,
    schemaPath: join(path, 'x-kubernetes-validations'),
    uncorrelatable: place.uncorrelatable,
  }
  const rules = own.map((rule, index) => building.compile(rule, index, context))
  const items = buildItems(building, place)
  const properties = buildProperties(building, place)
  const additional = buildAdditional(building, place)
  if (rules.length + properties.size === 0 && items === undefined && additional === undefined)
    return undefined
  const usesOldSelf = rules.some((rule) => rule.program.usesOldSelf)
  return { node, rules, isResourceRoot: place.isResourceRoot, usesOldSelf, items, properties, additional }
}

function buildItems(building: BuildContext, place: Place): Validator | undefined {
  const { items, schema } = place.node
  if (items === undefined) return undefined
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  return build(building, {
    node: items,
    type: elementType(place.type),
    isResourceRoot: items.isEmbedded,
    path: join(place.path, 'items'),
    uncorrelatable: isMap ? place.uncorrelatable : place.path,
  })
}

function buildAdditional(building: BuildContext, place: Place): Validator | undefined {
  const { additional } = place.node
  if (additional === undefined) return undefined
  return build(building, {
    node: additional,
    type: elementType(place.type),
    isResourceRoot: additional.isEmbedded,
    path: join(place.path, 'additionalProperties'),
    uncorrelatable: place.uncorrelatable,
  })
}

function elementType(type: CelType | undefined): CelType | undefined {
  if (type?.sort === 'list') return type.parameters[0]
  return type?.sort === 'map' ? type.parameters[1] : undefined
}

function buildProperties(building: BuildContext, place: Place): Map<string, Validator> {
  const validators = new Map<string, Validator>()
  for (const [name, node] of place.node.properties ?? []) {
    const type = propertyType(place, name, node)
    // Rules on data of no type are not seen by the server at all.
    if (type === undefined) continue
    const path = join(place.path, `properties[${name}]`)
    const { uncorrelatable } = place
    const validator = build(building, {
      node,
      type,
      isResourceRoot: node.isEmbedded,
      path,
      uncorrelatable,
    })
    if (validator !== undefined) validators.set(name, validator)
  }
  return validators
}

/** A property that rules cannot name still has rules of its own. */
function propertyType(place: Place, name: string, node: SchemaNode): CelType | undefined {
  const field = escapeName(name)
  if (field === undefined) return declaredType(node, node.isEmbedded)
  return place.type?.fields?.get(field)
}

/** How many rules there are in all. */
export function countRules(validator: Validator | undefined): number {
  if (validator === undefined) return 0
  const below = [validator.items, validator.additional, ...validator.properties.values()]
  return below.reduce((sum, each) => sum + countRules(each), validator.rules.length)
}
