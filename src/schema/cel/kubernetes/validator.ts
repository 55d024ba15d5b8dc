import type { CelType } from '../value/type.js'
import { declaredType, nameTypes } from './declared-type.js'
import { escapeName } from './escaping.js'
import type { CelEnvironment } from './program.js'
import { type CompiledRule, compileRule } from './rule.js'
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

/**
 * Compiles all rules of a schema; `undefined` if it has none. Rules below `allOf` and its kin are not looked for: no
 * CRD may have them. Throws CelRuleError.
 */
export function buildValidator(environment: CelEnvironment, node: SchemaNode): Validator | undefined {
  const type = declaredType(node, true)
  return build(environment, { node, type, isResourceRoot: true, path: '', uncorrelatable: undefined })
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`
}

function build(environment: CelEnvironment, place: Place): Validator | undefined {
  const { node, path } = place
  const own = node.schema['x-kubernetes-validations'] ?? []
  const context = {
    environment,
    node,
    selfType: own.length > 0 && place.type !== undefined ? nameTypes(place.type, 'selfType') : undefined,
    schemaPath: join(path, 'x-kubernetes-validations'),
    uncorrelatable: place.uncorrelatable,
  }
  const rules = own.map((rule, index) => compileRule(rule, index, context))
  const items = buildItems(environment, place)
  const properties = buildProperties(environment, place)
  const additional = buildAdditional(environment, place)
  if (rules.length + properties.size === 0 && items === undefined && additional === undefined)
    return undefined
  const usesOldSelf = rules.some((rule) => rule.program.usesOldSelf)
  return { node, rules, isResourceRoot: place.isResourceRoot, usesOldSelf, items, properties, additional }
}

function buildItems(environment: CelEnvironment, place: Place): Validator | undefined {
  const { items, schema } = place.node
  if (items === undefined) return undefined
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  return build(environment, {
    node: items,
    type: elementType(place.type),
    isResourceRoot: items.isEmbedded,
    path: join(place.path, 'items'),
    uncorrelatable: isMap ? place.uncorrelatable : place.path,
  })
}

function buildAdditional(environment: CelEnvironment, place: Place): Validator | undefined {
  const { additional } = place.node
  if (additional === undefined) return undefined
  return build(environment, {
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

function buildProperties(environment: CelEnvironment, place: Place): Map<string, Validator> {
  const validators = new Map<string, Validator>()
  for (const [name, node] of place.node.properties ?? []) {
    const type = propertyType(place, name, node)
    // Rules on data of no type are not seen by the server at all.
    if (type === undefined) continue
    const path = join(place.path, `properties[${name}]`)
    const { uncorrelatable } = place
    const validator = build(environment, {
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
