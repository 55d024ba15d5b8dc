import type { ApiSchema } from '../api-schema.js'
import { schemaTexts } from './data/schema-modules.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A definition as the data has it: OpenAPI with short references. */
interface RawSchema extends Omit<ApiSchema, 'items' | 'properties' | 'additionalProperties'> {
  readonly $ref?: string
  readonly go?: string
  readonly items?: RawSchema
  readonly properties?: Readonly<Record<string, RawSchema>>
  readonly additionalProperties?: RawSchema
}

/** What OpenAPI says too little of. */
const special: Readonly<Record<string, ApiSchema>> = {
  'meta.Quantity': { 'x-kubernetes-int-or-string': true, format: 'quantity', goType: 'Quantity' },
  'meta.IntOrString': { 'x-kubernetes-int-or-string': true, format: 'int-or-string', goType: 'IntOrString' },
  'meta.FieldsV1': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, goType: 'FieldsV1' },
  'meta.RawExtension': {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    goType: 'RawExtension',
  },
  'meta.Patch': { 'x-kubernetes-preserve-unknown-fields': true },
  'apiextensions-v1.JSON': { 'x-kubernetes-preserve-unknown-fields': true, goType: 'JSON' },
  'apiextensions-v1.JSONSchemaPropsOrArray': { 'x-kubernetes-preserve-unknown-fields': true },
  'apiextensions-v1.JSONSchemaPropsOrBool': { 'x-kubernetes-preserve-unknown-fields': true },
  'apiextensions-v1.JSONSchemaPropsOrStringArray': { 'x-kubernetes-preserve-unknown-fields': true },
}

// What is parsed of the data never changes and is the same for every server: only its time is saved here.
const lines = new Map<string, Map<string, string>>()
const definitions = new Map<string, ApiSchema>()

/**
 * The schema of a built-in kind, or of another type of its package (`DeploymentSpec`). Schemas share their parts and may
 * contain themselves. Throws for what is not built in: callers take the names from the registry.
 */
export function schemaOf(group: string, version: string, kind: string): ApiSchema {
  return definitionOf(`${moduleOf(group, version)}.${kind}`)
}

/** The same for what may not be built in. */
export function findSchema(type: {
  readonly group: string
  readonly version: string
  readonly kind: string
}): ApiSchema | undefined {
  const isKnown = definitionLines(moduleOf(type.group, type.version)).has(type.kind)
  return isKnown ? schemaOf(type.group, type.version, type.kind) : undefined
}

/** The schema of a type of metav1: `ObjectMeta`, `DeleteOptions`, `Status`. */
export function metaSchemaOf(type: string): ApiSchema {
  return definitionOf(`meta.${type}`)
}

/** The file of the data that a group version stands in: `rbac-v1` for rbac.authorization.k8s.io/v1. */
export function moduleOf(group: string, version: string): string {
  return `${group === '' ? 'core' : group.replace(/[.].*$/, '')}-${version}`
}

/** The definitions of a module by name, each as JSON. */
export function definitionLines(module: string): ReadonlyMap<string, string> {
  const known = lines.get(module)
  if (known !== undefined) return known
  const found = parseLines(schemaTexts[module] ?? '')
  lines.set(module, found)
  return found
}

/** The lines of the data by their first word. */
export function parseLines(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    if (space > 0) found.set(line.slice(0, space), line.slice(space + 1))
  }
  return found
}

function definitionOf(reference: string): ApiSchema {
  const known = definitions.get(reference)
  if (known !== undefined) return known
  const [module = '', name = ''] = reference.split('.')
  const json = definitionLines(module).get(name)
  if (json === undefined) throw new RangeError(`${reference} is no type of the built-in API`)
  const goValue = `${goPackageOf(module, name)}.${name}`
  const given = special[reference]
  if (given !== undefined) {
    const definition = { ...given, goValue }
    definitions.set(reference, definition)
    return definition
  }
  // The data is generated, and its generator checks its form.
  const raw = JSON.parse(json) as RawSchema
  const properties: Record<string, ApiSchema> = {}
  const definition = copyPlain(raw, { goType: name, goValue })
  if (raw.properties !== undefined) definition.properties = properties
  // Before its fields are looked at: they may lead back here.
  definitions.set(reference, definition)
  for (const [field, schema] of Object.entries(raw.properties ?? {})) {
    const own = node(schema)
    own.empty = schema.empty ?? impliedForm(schema)
    properties[field] = own
  }
  return definition
}

function node(raw: RawSchema): Mutable<ApiSchema> {
  if (raw.$ref !== undefined) return copyPlain(raw, { ...definitionOf(raw.$ref) })
  const schema = copyPlain(raw, {})
  if (raw.items !== undefined) schema.items = node(raw.items)
  if (raw.additionalProperties !== undefined) schema.additionalProperties = node(raw.additionalProperties)
  const goValue = raw.go ?? shapeType(schema)
  if (goValue !== undefined) schema.goValue = goValue
  return schema
}

const structure: ReadonlySet<string> = new Set(['$ref', 'go', 'items', 'properties', 'additionalProperties'])

// By hand: this runs for thousands of fields when a server starts, and rest patterns are slow.
function copyPlain(raw: RawSchema, target: Mutable<ApiSchema>): Mutable<ApiSchema> {
  const fields: Record<string, unknown> = target
  for (const [key, value] of Object.entries(raw)) if (!structure.has(key)) fields[key] = value
  return target
}

function impliedForm(raw: RawSchema): NonNullable<ApiSchema['empty']> {
  if (raw.$ref === undefined) return 'omit'
  return raw.default === undefined ? 'keep' : 'zero'
}

/** The Go type that the generator left out, because the shape has it. */
function shapeType({ type, format, items, additionalProperties }: ApiSchema): string | undefined {
  if (items !== undefined) return `[]${items.goValue ?? ''}`
  if (typeof additionalProperties === 'object') return `map[string]${additionalProperties.goValue ?? ''}`
  switch (type) {
    case 'string':
      return format === 'byte' ? '[]uint8' : 'string'
    case 'boolean':
      return 'bool'
    case 'integer':
      return format ?? 'int'
    case 'number':
      return 'float64'
    default:
      return undefined
  }
}

function goPackageOf(module: string, name: string): string {
  if (module !== 'meta') return module.slice(module.indexOf('-') + 1)
  if (name === 'Quantity') return 'resource'
  if (name === 'IntOrString') return 'intstr'
  return name === 'RawExtension' ? 'runtime' : 'v1'
}
