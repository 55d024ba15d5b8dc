import { moduleOf } from '../builtin/schema-of.js'
import type { Group } from '../discovery/documents.js'
import type { Resource, ServedVersion } from '../resource.js'
import {
  type BuiltinDefinitions,
  customDefinition,
  type OpenApiSchema,
  publishedName,
  reference,
} from './definitions.js'
import { type Operation, operationsOf, placeOf } from './paths.js'

type Served = readonly [Resource, ServedVersion]

/** Where references point to in each version of OpenAPI. */
const places = { 2: '#/definitions/', 3: '#/components/schemas/' } as const

const jsonTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const

/** OpenAPI 3 of one group version. */
export async function openApiV3(
  served: readonly Served[],
  definitions: BuiltinDefinitions,
  title: { readonly title: string; readonly version: string },
): Promise<object> {
  const schemas = await schemasOf(served, definitions, 3)
  const paths = groupedPaths(served, (operation, nameOf) => ({
    description: operation.description,
    operationId: operation.id,
    parameters: operation.query.map(([name, type]) => ({
      name,
      in: 'query',
      schema: { type, uniqueItems: true },
    })),
    ...(operation.hasBody && {
      requestBody: {
        content: contentOf(bodyTypes(operation), bodyRef(operation, nameOf, places[3])),
        required: true,
      },
    }),
    responses: {
      200: {
        description: 'OK',
        content: contentOf(jsonTypes, answerRef(operation, nameOf, places[3])),
      },
      401: { description: 'Unauthorized' },
    },
    ...extensions(operation),
  }))
  nameSegments(paths, { schema: { type: 'string', uniqueItems: true } })
  const listRef = { $ref: `${places[3]}${publishedName(resourceList)}` }
  return {
    openapi: '3.0.0',
    info: title,
    paths: { ...discoveryPaths(served, { content: contentOf(jsonTypes, listRef) }), ...paths },
    components: { schemas: Object.fromEntries(schemas) },
  }
}

/** OpenAPI 2 of everything. */
export async function openApiV2(
  groups: readonly Group[],
  definitions: BuiltinDefinitions,
  version: string,
): Promise<object> {
  const served = groups.flatMap((group) => group.versions.flatMap((each) => servedIn(group, each)))
  const schemas = await schemasOf(served, definitions, 2)
  const paths = groupedPaths(served, (operation, nameOf) => ({
    description: operation.description,
    operationId: operation.id,
    consumes: operation.method === 'patch' ? patchTypes : ['*/*'],
    produces: jsonTypes,
    schemes: ['https'],
    parameters: [
      ...(operation.hasBody
        ? [{ name: 'body', in: 'body', required: true, schema: bodyRef(operation, nameOf, places[2]) }]
        : []),
      ...operation.query.map(([name, type]) => ({ name, in: 'query', type, uniqueItems: true })),
    ],
    responses: {
      200: {
        description: 'OK',
        schema: answerRef(operation, nameOf, places[2]),
      },
      401: { description: 'Unauthorized' },
    },
    ...extensions(operation),
  }))
  nameSegments(paths, { type: 'string', uniqueItems: true })
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths: {
      ...discoveryPaths(served, { schema: { $ref: `${places[2]}${publishedName(resourceList)}` } }),
      ...paths,
    },
    definitions: Object.fromEntries(schemas),
  }
}

export function servedIn(group: Group, version: string): Served[] {
  return group.resources.flatMap((resource) => {
    const served = resource.versions.find(({ name }) => name === version)
    return served === undefined ? [] : [[resource, served] as const]
  })
}

type NameOf = (kind: string, isList: boolean) => string

function groupedPaths(
  served: readonly Served[],
  operationObject: (operation: Operation, nameOf: NameOf) => object,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [resource, version] of served) {
    for (const operation of operationsOf(resource, version)) {
      const nameOf: NameOf = (kind, isList) =>
        definitionName(resource, operation.gvk, isList ? `${kind}List` : kind)
      const item = (paths[operation.path] ??= { segments: operation.segments })
      item[operation.method] = operationObject(operation, nameOf)
    }
  }
  return paths
}

/** Puts the names in each path among its parameters. One without any has no list of them: Go's readers drop empty ones. */
function nameSegments(paths: Readonly<Record<string, Record<string, unknown>>>, text: object): void {
  for (const item of Object.values(paths)) {
    const names = item['segments'] as readonly string[]
    delete item['segments']
    if (names.length > 0)
      item['parameters'] = names.map((name) => ({ name, in: 'path', required: true, ...text }))
  }
}

function bodyTypes({ method }: Operation): readonly string[] {
  return method === 'patch' ? patchTypes : ['*/*']
}

function bodyRef(operation: Operation, nameOf: NameOf, place: string): object {
  const name = operation.method === 'patch' ? publishedName('meta.Patch') : nameOf(operation.gvk.kind, false)
  return { $ref: `${place}${name}` }
}

function answerRef({ answer, gvk, isList }: Operation, nameOf: NameOf, place: string): object {
  return { $ref: `${place}${answer === undefined ? nameOf(gvk.kind, isList) : publishedName(answer)}` }
}

/** The paths that tell which resources there are, of built-in groups. */
function discoveryPaths(served: readonly Served[], answer: object): Record<string, object> {
  const paths: Record<string, object> = {}
  for (const [resource, version] of served) {
    if (resource.isCustom) continue
    const { root, id } = placeOf(resource.group, version.name)
    paths[`${root}/`] = {
      get: {
        description: 'get available resources',
        operationId: `get${id}APIResources`,
        responses: { 200: { description: 'OK', ...answer }, 401: { description: 'Unauthorized' } },
      },
    }
  }
  return paths
}

const resourceList = 'meta.APIResourceList'

function contentOf(types: readonly string[], schema: object): object {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

function extensions({ action, gvk }: Operation): object {
  return { 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': gvk }
}

/** `com.example.v1.Foo` for a custom one: its group backwards. */
function definitionName(resource: Resource, { group, version }: Operation['gvk'], kind: string): string {
  const isOwn = resource.isCustom && group === resource.group
  if (isOwn) return `${group.split('.').toReversed().join('.')}.${version}.${kind}`
  return publishedName(`${moduleOf(group, version)}.${kind}`)
}

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

async function schemasOf(
  served: readonly Served[],
  definitions: BuiltinDefinitions,
  openApiVersion: 2 | 3,
): Promise<Map<string, OpenApiSchema>> {
  const refer = (name: string): string => `${places[openApiVersion]}${name}`
  const builtin = new Set([
    'meta.ObjectMeta',
    'meta.ListMeta',
    'meta.Status',
    'meta.DeleteOptions',
    'meta.Patch',
  ])
  const custom = new Map<string, OpenApiSchema>()
  const objectMeta = refer(publishedName('meta.ObjectMeta'))
  for (const [resource, version] of served) {
    const gvk = { group: resource.group, kind: resource.kind, version: version.name }
    if (!resource.isCustom) {
      const module = moduleOf(resource.group, version.name)
      builtin.add(`${module}.${resource.kind}`).add(`${module}.${resource.listKind}`)
      builtin.add(resourceList).add('meta.WatchEvent')
    } else if (version.schema !== undefined) {
      const name = definitionName(resource, gvk, resource.kind)
      const type = { schema: version.schema, gvk, selectableFields: version.selectableFieldNames }
      custom.set(name, customDefinition(type, objectMeta, openApiVersion))
      custom.set(definitionName(resource, gvk, resource.listKind), {
        description: `${resource.listKind} is a list of ${resource.kind}`,
        type: 'object',
        required: ['items'],
        properties: {
          apiVersion: version.schema.properties?.['apiVersion'],
          items: {
            description: `List of ${resource.plural}. More info: ${conventions}`,
            type: 'array',
            items: { $ref: refer(name) },
          },
          kind: version.schema.properties?.['kind'],
          metadata: {
            description: `Standard list metadata. More info: ${conventions}#types-kinds`,
            ...reference(refer(publishedName('meta.ListMeta')), openApiVersion),
          },
        },
        'x-kubernetes-group-version-kind': [{ ...gvk, kind: resource.listKind }],
      })
    }
    for (const subresource of version.subresources.values()) {
      if (subresource.type === 'scale') builtin.add('autoscaling-v1.Scale')
      if (subresource.type === 'action')
        builtin.add(`${moduleOf(subresource.group, subresource.version)}.${subresource.kind}`)
    }
  }
  return new Map([...(await definitions.collect(builtin, refer, openApiVersion)), ...custom])
}
