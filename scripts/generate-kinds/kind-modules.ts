import { docComment } from '../../src/cli/import/doc-comment.js'
import { fieldsOf } from '../../src/cli/import/fields-of.js'
import { descriptorText, type Field, interfaceText } from '../../src/cli/import/interface-text.js'
import { stringLiteral } from '../../src/cli/import/names.js'
import {
  propertiesOf,
  type Schema,
  schemasAt,
  textAt,
  withoutProperties,
} from '../../src/cli/import/schema-view.js'
import { isOpen, type TypeScope, typeMembers } from '../../src/cli/import/type-text.js'
import { apiVersionOf, type Scope } from '../../src/objects/index.js'
import { createModule, type ModuleBuilder } from './module-builder.js'
import { nullFields } from './null-fields.js'
import type { ApiDescription, ApiResource } from './read-api.js'

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'

/** Types that the room `objects` has: metadata inside an object is metadata as one writes it. */
const fromObjects: ReadonlyMap<string, string> = new Map([
  [`${meta}.ObjectMeta`, 'ObjectMetaInput'],
  [`${meta}.OwnerReference`, 'OwnerReference'],
])

/** Types whose schema says less than the server's own code, or nothing that deserves a name. */
const written: ReadonlyMap<string, string> = new Map([
  [`${meta}.Time`, 'string'],
  [`${meta}.MicroTime`, 'string'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'Record<string, unknown>'],
  [`${apiextensions}.JSON`, 'unknown'],
])

/** The unions that OpenAPI leaves without a type: each has a name, so that it can stand in an array. */
const unions: ReadonlyMap<string, string> = new Map([
  [`${apiextensions}.JSONSchemaPropsOrArray`, 'JSONSchemaProps | JSONSchemaProps[]'],
  [`${apiextensions}.JSONSchemaPropsOrBool`, 'JSONSchemaProps | boolean'],
  [`${apiextensions}.JSONSchemaPropsOrStringArray`, 'JSONSchemaProps | string[]'],
])

interface BuiltInKind {
  readonly schemaName: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly scope: Scope
  /** Absent for kinds that exist only below a resource: Scale, Eviction, TokenRequest. */
  readonly resource: ApiResource | undefined
  readonly subresources: readonly string[]
}

/**
 * The files of `src/kinds`, by path: `apps/v1.ts` for apps/v1, `core/v1.ts` for the core group, `meta/v1.ts` for what
 * they share. Every resource that the server lists gets an interface and a descriptor; kinds of subresources and the
 * types inside get an interface.
 */
export function kindModules(api: ApiDescription): Map<string, string> {
  const kinds = new Map(findKinds(api).map((kind) => [kind.schemaName, kind]))
  const homes = findHomes([...kinds.values()])
  const stale = Object.keys(nullFields).find((schemaName) => !api.schemas.has(schemaName))
  if (stale !== undefined) throw new Error(`null-fields.ts names ${stale}, which is gone.`)
  const modules = new Map<string, ModuleBuilder>()
  const queue = [...kinds.keys()]
  const done = new Set<string>()

  const moduleAt = (path: string): ModuleBuilder => {
    const module = modules.get(path) ?? createModule(path)
    modules.set(path, module)
    return module
  }

  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (done.has(next)) continue
    done.add(next)
    const schemaName = next
    const module = moduleAt(homeOf(schemaName, homes))
    const scope: TypeScope = {
      hasRealDefaults: false,
      mapOf: (valueType) => `Record<string, ${valueType}>`,
      declare(wantedName) {
        throw new Error(
          `${schemaName} describes ${wantedName} in place; the server's OpenAPI never did so far.`,
        )
      },
      reference(target) {
        const name = target.replace('#/components/schemas/', '')
        const text = written.get(name)
        if (text !== undefined) return text
        const object = fromObjects.get(name)
        if (object !== undefined) return module.use('objects', object)
        queue.push(name)
        const local = module.use(homeOf(name, homes), shortName(name))
        // A whole object inside another one is written by people: its metadata has no uid yet.
        return kinds.has(name) ? `${module.use('objects', 'InputFor')}<${local}>` : local
      },
    }
    const schema = api.schemas.get(schemaName)
    if (schema === undefined) throw new Error(`No document of the server has the schema ${schemaName}.`)
    const kind = kinds.get(schemaName)
    module.declare(
      shortName(schemaName),
      kind === undefined
        ? typeDeclaration(schemaName, schema, scope)
        : kindDeclaration(kind, schema, scope, (name) => module.use('objects', name)),
    )
  }
  return new Map([...modules].map(([path, module]) => [path, module.text(api.version)]))
}

/** The kinds of the API: those of resources, and those that only subresources have. */
function findKinds(api: ApiDescription): BuiltInKind[] {
  const kinds: BuiltInKind[] = []
  for (const [schemaName, schema] of api.schemas) {
    const [id, ...others] = schemasAt(schema, 'x-kubernetes-group-version-kind')
    // DeleteOptions and WatchEvent belong to every group; Status to none that is served.
    if (id === undefined || others.length > 0 || schemaName.startsWith(`${meta}.`)) continue
    const group = textAt(id, 'group') ?? ''
    const version = textAt(id, 'version') ?? ''
    const kind = textAt(id, 'kind') ?? ''
    const resources = api.resources.filter(
      (resource) => resource.group === group && resource.version === version && resource.kind === kind,
    )
    const [first] = resources
    if (first === undefined) continue
    const [resource, second] = resources.filter(({ name }) => !name.includes('/'))
    if (second !== undefined)
      throw new Error(`${kind} is the kind of ${resource?.name} and of ${second.name}.`)
    const subresources = api.resources
      .filter(({ name }) => resource !== undefined && name.startsWith(`${resource.name}/`))
      .map(({ name }) => name.slice(name.indexOf('/') + 1))
    kinds.push({
      schemaName,
      group,
      version,
      kind,
      scope: first.scope,
      resource,
      subresources: [...new Set(subresources)].toSorted(),
    })
  }
  return kinds
}

/** Which file a Go package goes to: the one of the group version that its kinds belong to. */
function findHomes(kinds: readonly BuiltInKind[]): Map<string, string> {
  const homes = new Map<string, string>()
  for (const { schemaName, group, version } of kinds)
    homes.set(packageOf(schemaName), `${group === '' ? 'core' : group}/${version}.ts`)
  return homes
}

function homeOf(schemaName: string, homes: ReadonlyMap<string, string>): string {
  const home = homes.get(packageOf(schemaName))
  if (home !== undefined) return home
  if (schemaName.startsWith('io.k8s.apimachinery.')) return 'meta/v1.ts'
  throw new Error(`${schemaName} belongs to no group version that the server lists.`)
}

function packageOf(schemaName: string): string {
  return schemaName.slice(0, schemaName.lastIndexOf('.'))
}

function shortName(schemaName: string): string {
  return schemaName.slice(schemaName.lastIndexOf('.') + 1)
}

function typeDeclaration(schemaName: string, schema: Schema, scope: TypeScope): string {
  const name = shortName(schemaName)
  const description = textAt(schema, 'description') ?? ''
  const union = unions.get(schemaName)
  if (union !== undefined) scope.reference(`${apiextensions}.JSONSchemaProps`)
  if (union === undefined && propertiesOf(schema).length > 0)
    return interfaceText({
      name,
      description,
      fields: fieldsWithNulls(schemaName, schema, scope),
      isOpen: isOpen(schema),
    })
  const type = union ?? typeMembers(schema, name, scope).join(' | ')
  return [...docComment(description, ''), `export type ${name} = ${type}`].join('\n')
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

function kindDeclaration(
  kind: BuiltInKind,
  schema: Schema,
  scope: TypeScope,
  use: (name: string) => string,
): string {
  const { resource, ...identity } = kind
  const name = shortName(kind.schemaName)
  const field = (fieldName: string, type: string): Field => ({
    name: fieldName,
    type: [type],
    isOptional: false,
    description: '',
  })
  const declaration = interfaceText({
    name,
    description: textAt(schema, 'description') ?? '',
    fields: [
      field('apiVersion', stringLiteral(apiVersionOf(kind))),
      field('kind', stringLiteral(kind.kind)),
      field('metadata', use(kind.scope === 'Cluster' ? 'ObjectMeta' : 'NamespacedObjectMeta')),
      ...fieldsWithNulls(kind.schemaName, withoutProperties(schema, typeFields), scope),
    ],
    isOpen: false,
  })
  if (resource === undefined) return declaration
  const descriptor = descriptorText({
    ...identity,
    plural: resource.name,
    singular: resource.singular,
    listKind: `${kind.kind}List`,
    name,
    kindType: use('Kind'),
  })
  return `${declaration}\n\n${descriptor}`
}

function fieldsWithNulls(schemaName: string, schema: Schema, scope: TypeScope): Field[] {
  const nulls = nullFields[schemaName] ?? []
  const fields = fieldsOf(schema, shortName(schemaName), scope)
  const unknown = nulls.find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) throw new Error(`null-fields.ts names ${schemaName}.${unknown}, which is gone.`)
  return fields.map((field) =>
    nulls.includes(field.name) ? { ...field, type: [...field.type, 'null'] } : field,
  )
}
