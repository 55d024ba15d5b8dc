import { isPlainObject } from '../../src/base/index.js'
import { propertiesOf, type Schema, schemaAt, textAt } from '../../src/cli/import/schema-view.js'
import type { GoField, GoStruct } from './go-types.js'
import { generatedMark } from './module-builder.js'
import type { ApiDescription } from './read-api.js'

const prefix = '#/components/schemas/'
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

/**
 * The files of `src/apiserver/builtin/data`, by path: what the embedded server knows of the built-in API. One file of
 * schemas for each Go package, one of descriptions beside it, and one list of resources.
 */
export function serverData(
  api: ApiDescription,
  goStruct: (schemaName: string) => GoStruct,
): Map<string, string> {
  const schemas = new Map<string, string[]>()
  const descriptions = new Map<string, string[]>()
  const names = [...api.schemas.keys()].toSorted()
  for (const name of names) {
    const raw = api.schemas.get(name) ?? {}
    const { module, short } = homeOf(name)
    const fields = propertiesOf(raw).length > 0 ? goStruct(name) : {}
    push(schemas, module, `${short} ${JSON.stringify(compactDefinition(name, raw, fields))}`)
    push(descriptions, module, `${short} ${JSON.stringify(descriptionsOf(raw))}`)
    checkComplete(name, raw)
  }
  const files = new Map<string, string>()
  for (const [module, lines] of schemas) files.set(`schemas/${module}.ts`, textModule('schemas', lines, api))
  for (const [module, lines] of descriptions)
    files.set(`descriptions/${module}.ts`, textModule('descriptions', lines, api))
  files.set('schema-modules.ts', loaders([...schemas.keys()].toSorted(), api))
  files.set('resources.ts', textModule('resources', resourceLines(api), api))
  return files
}

/** `io.k8s.api.core.v1.Pod` is `Pod` in the module `core-v1`; all of apimachinery is `meta`. */
function homeOf(name: string): { module: string; short: string } {
  const dot = name.lastIndexOf('.')
  const short = name.slice(dot + 1)
  if (name.startsWith('io.k8s.apimachinery.')) return { module: 'meta', short }
  const [version = '', group = ''] = name.slice(0, dot).split('.').toReversed()
  return { module: `${group}-${version}`, short }
}

function push(map: Map<string, string[]>, key: string, line: string): void {
  const lines = map.get(key) ?? []
  lines.push(line)
  map.set(key, lines)
}

function reference(target: string): string {
  const { module, short } = homeOf(target.slice(prefix.length))
  return `${module}.${short}`
}

/** OpenAPI without descriptions, with short references, and with what only Go knows of each field. */
function compactDefinition(name: string, raw: Schema, fields: GoStruct): Schema {
  const { properties: _, ...definition } = compact(raw)
  // Every document lists its own group here, beside the core one.
  if (name === `${meta}DeleteOptions` || name === `${meta}WatchEvent`)
    definition['x-kubernetes-group-version-kind'] = undefined
  const properties = propertiesOf(raw).map(([field, schema]) => {
    const go = fields[field]
    if (go === undefined) throw new Error(`The Go type of ${name} has no field ${field}.`)
    return [field, { ...compact(schema), ...goFacts(go, schema) }] as const
  })
  return {
    ...definition,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
}

function compact(raw: Schema): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'description') continue
    else if (key === '$ref' && typeof value === 'string') result['$ref'] = reference(value)
    else if (key === 'allOf' && Array.isArray(value)) Object.assign(result, compact(value[0]))
    else if ((key === 'items' || key === 'additionalProperties') && isPlainObject(value))
      result[key] = compact(value)
    else result[key] = value
  }
  return result
}

/**
 * `empty`: what becomes of an empty value: `keep` it (a pointer), `omit` it, write a `zero`, write `null`. Left out where
 * the shape says it: lists, maps and texts are omitted; references with a default are zero, others kept.
 * `go`: the Go type, where it is not that of the shape.
 */
function goFacts(go: GoField, schema: Schema): Record<string, unknown> {
  const empty = emptyForm(go, schema)
  const type = shapeType(schema)
  return {
    ...(empty !== impliedForm(schema) && { empty }),
    ...(type !== undefined && type !== go.type && { go: go.type }),
  }
}

function refersTo(schema: Schema): string | undefined {
  const allOf = schema['allOf']
  const target: unknown = Array.isArray(allOf) && isPlainObject(allOf[0]) ? allOf[0]['$ref'] : schema['$ref']
  return typeof target === 'string' ? target.slice(prefix.length) : undefined
}

function isCollection(schema: Schema): boolean {
  return (
    schema['type'] === 'array' || schema['additionalProperties'] !== undefined || schema['format'] === 'byte'
  )
}

function emptyForm(go: GoField, schema: Schema): string {
  const isTime = /^v1[.](Micro)?Time$/.test(go.type) || go.type === 'runtime.RawExtension'
  if (go.isPointer) return go.omits === 'never' ? 'null' : 'keep'
  if (isCollection(schema)) return go.omits === 'never' ? 'null' : 'omit'
  if (go.omits === 'zero') return 'omit'
  if (isTime) return 'null'
  // A struct held by value is never empty for Go's encoder.
  return refersTo(schema) !== undefined || go.omits === 'never' ? 'zero' : 'omit'
}

function impliedForm(schema: Schema): string {
  if (refersTo(schema) !== undefined) return schema['default'] === undefined ? 'keep' : 'zero'
  return 'omit'
}

/** The Go type that a scalar of this shape mostly has; undefined where the shape alone decides. */
function shapeType(schema: Schema): string | undefined {
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'byte' ? '[]uint8' : 'string'
    case 'boolean':
      return 'bool'
    case 'integer':
      return textAt(schema, 'format') ?? 'int'
    case 'number':
      return 'float64'
    case 'array':
      return `[]${itemType(schemaAt(schema, 'items') ?? {})}`
    case 'object':
      return schema['additionalProperties'] === undefined
        ? undefined
        : `map[string]${itemType(schemaAt(schema, 'additionalProperties') ?? {})}`
    default:
      return undefined
  }
}

function itemType(schema: Schema): string {
  const target = refersTo(schema)
  if (target === undefined) return shapeType(schema) ?? ''
  const [short = '', home = ''] = target.split('.').toReversed()
  return `${home}.${short}`
}

function descriptionsOf(raw: Schema): Schema {
  const own = textAt(raw, 'description')
  const fields = propertiesOf(raw).flatMap(([name, schema]) => {
    const text = textAt(schema, 'description')
    return text === undefined ? [] : [[name, text] as const]
  })
  return { ...(own !== undefined && { '': own }), ...Object.fromEntries(fields) }
}

/** The compact form can say no more than this; a new release may bring more. */
function checkComplete(name: string, raw: Schema): void {
  const check = (schema: Schema, path: string, isTop: boolean): void => {
    const { allOf } = schema
    if (allOf !== undefined && (!Array.isArray(allOf) || allOf.length !== 1))
      throw new Error(`${path} has an allOf of several: extend server-data.ts.`)
    if (!isTop && schema['properties'] !== undefined)
      throw new Error(`${path} describes an object in place: extend server-data.ts.`)
    for (const key of ['items', 'additionalProperties']) {
      const inner = schemaAt(schema, key)
      if (inner === undefined) continue
      if (inner['description'] !== undefined)
        throw new Error(`${path}.${key} is described: extend server-data.ts.`)
      check(inner, `${path}.${key}`, false)
    }
  }
  check(raw, name, true)
  for (const [field, schema] of propertiesOf(raw)) check(schema, `${name}.${field}`, false)
}

function header(api: ApiDescription): string {
  return `${generatedMark} from Kubernetes ${api.version}.\n// Do not edit: generate again.\n`
}

/** One definition in a line: its name, a space, JSON. Definitions are parsed one by one when they are asked for. */
function textModule(name: string, lines: readonly string[], api: ApiDescription): string {
  const text = lines.join('\n').replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')
  return `${header(api)}\nexport const ${name}: string = \`${text}\`\n`
}

function loaders(modules: readonly string[], api: ApiDescription): string {
  const variable = (module: string): string =>
    module.replaceAll(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase())
  const key = (module: string): string => (/^\w+$/.test(module) ? module : `'${module}'`)
  return [
    header(api),
    ...modules.map((module) => `import { schemas as ${variable(module)} } from './schemas/${module}.js'`),
    '',
    '/** Definitions by the module they stand in. */',
    'export const schemaTexts: Readonly<Record<string, string>> = {',
    ...modules.map((module) => `  ${key(module)}: ${variable(module)},`),
    '}',
    '',
  ].join('\n')
}

/** One resource of one version in a line, in the order of discovery. Lists of words are texts with spaces. */
function resourceLines(api: ApiDescription): string[] {
  const groupVersions = ['', ...api.groups].flatMap((group) => {
    const homes = api.resources.map(({ home }) => home).filter((home) => home.group === group)
    const versions = [...new Set(homes.map(({ version }) => version))].toSorted().toReversed()
    return versions.map((version) => ({ group, version }))
  })
  return groupVersions.flatMap(({ group, version }) => {
    const here = api.resources.filter(({ home }) => home.group === group && home.version === version)
    return here
      .filter(({ name }) => !name.includes('/'))
      .map((resource) =>
        JSON.stringify({
          group,
          version,
          plural: resource.name,
          singular: resource.singular,
          kind: resource.kind,
          scope: resource.scope,
          verbs: resource.verbs.join(' '),
          shortNames: resource.shortNames.join(' '),
          categories: resource.categories.join(' '),
          subresources: here
            .filter(({ name }) => name.startsWith(`${resource.name}/`))
            .map((sub) => ({
              name: sub.name.slice(resource.name.length + 1),
              group: sub.group,
              version: sub.version,
              kind: sub.kind,
              verbs: sub.verbs.join(' '),
            })),
        }),
      )
  })
}
