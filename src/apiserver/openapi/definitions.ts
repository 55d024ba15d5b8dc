import type { ApiSchema } from '../api-schema.js'
import { definitionLines, parseLines } from '../builtin/schema-of.js'

/** A schema as OpenAPI writes it. */
export type OpenApiSchema = Readonly<Record<string, unknown>>

const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** Types of metav1's file that live in packages of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  IntOrString: 'io.k8s.apimachinery.pkg.util.intstr',
  Quantity: 'io.k8s.apimachinery.pkg.api.resource',
  RawExtension: 'io.k8s.apimachinery.pkg.runtime',
  Info: 'io.k8s.apimachinery.pkg.version',
}

/** `apps-v1.Deployment` as the real server names it: `io.k8s.api.apps.v1.Deployment`. */
export function publishedName(reference: string): string {
  const [module = '', name = ''] = reference.split('.')
  if (module === 'meta') return `${elsewhere[name] ?? metaPackage}.${name}`
  const dash = module.lastIndexOf('-')
  const [group, version] = [module.slice(0, dash), module.slice(dash + 1)]
  if (group === 'apiextensions')
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${name}`
  if (group === 'apiregistration') return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${name}`
  return `io.k8s.api.${group}.${version}.${name}`
}

/** Texts by module: loaded only for those who ask for OpenAPI. */
export type LoadDescriptions = (module: string) => Promise<string>

/** The definitions of a built-in type and of everything that it refers to, by their published names. */
export class BuiltinDefinitions {
  readonly #loadDescriptions: LoadDescriptions
  readonly #descriptions = new Map<string, Map<string, string>>()

  constructor(loadDescriptions: LoadDescriptions) {
    this.#loadDescriptions = loadDescriptions
  }

  /** `refer` writes a reference: the two versions of OpenAPI differ in it, and in what stands around it. */
  async collect(
    references: Iterable<string>,
    refer: (name: string) => string,
    version: 2 | 3,
  ): Promise<Map<string, OpenApiSchema>> {
    const found = new Map<string, OpenApiSchema>()
    const waiting = [...references]
    for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
      const name = publishedName(reference)
      if (found.has(name)) continue
      const [module = '', type = ''] = reference.split('.')
      const json = definitionLines(module).get(type)
      if (json === undefined) continue
      const texts = await this.#textsOf(module, type)
      // The data is generated, and its generator checks its form.
      const raw = JSON.parse(json) as OpenApiSchema
      const visit = (target: string): string => {
        waiting.push(target)
        return refer(publishedName(target))
      }
      found.set(name, definition(raw, texts, { visit, version }))
    }
    return new Map([...found].sort(([left], [right]) => (left < right ? -1 : 1)))
  }

  async #textsOf(module: string, type: string): Promise<Readonly<Record<string, string>>> {
    let texts = this.#descriptions.get(module)
    if (texts === undefined) {
      texts = parseLines(await this.#loadDescriptions(module))
      this.#descriptions.set(module, texts)
    }
    return JSON.parse(texts.get(type) ?? '{}') as Readonly<Record<string, string>>
  }
}

interface Writing {
  /** Notes that a type is referred to, and writes the reference. */
  readonly visit: (reference: string) => string
  readonly version: 2 | 3
}

function definition(
  raw: OpenApiSchema,
  texts: Readonly<Record<string, string>>,
  writing: Writing,
): OpenApiSchema {
  const { properties, ...rest } = raw
  const describe = (field: string, value: OpenApiSchema): OpenApiSchema =>
    schema({ ...(texts[field] !== undefined && { description: texts[field] }), ...value }, writing)
  const described = describe('', rest)
  if (properties === undefined) return described
  return {
    ...described,
    properties: Object.fromEntries(
      Object.entries(properties as Readonly<Record<string, OpenApiSchema>>).map(([field, value]) => [
        field,
        describe(field, value),
      ]),
    ),
  }
}

/** What the server knows of a type beyond OpenAPI stays inside. */
const inner: ReadonlySet<string> = new Set(['empty', 'go', 'goType', 'goValue'])

function schema(raw: OpenApiSchema, writing: Writing): OpenApiSchema {
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(raw)) {
    if (inner.has(key) || (writing.version === 2 && key === 'default')) continue
    if (key === '$ref') Object.assign(result, reference(writing.visit(String(value)), writing.version))
    else if (key === 'items' || key === 'additionalProperties')
      result[key] = typeof value === 'object' ? schema(value as OpenApiSchema, writing) : value
    else result[key] = value
  }
  // A reference that says nothing more needs no wrapping.
  const { allOf, ...others } = result
  if (Array.isArray(allOf) && Object.keys(others).length === 0) return allOf[0] as OpenApiSchema
  return result
}

/** A reference that may have a description beside it: in version 3 that takes a wrapping. */
export function reference(to: string, version: 2 | 3): OpenApiSchema {
  return version === 2 ? { $ref: to } : { allOf: [{ $ref: to }] }
}

/** What is published of a custom resource. */
export interface CustomType {
  readonly schema: ApiSchema
  readonly gvk: object
  readonly selectableFields: readonly string[]
}

/** The schema of a custom resource in a version of OpenAPI. `objectMeta` refers to that of all metadata. */
export function customDefinition(
  { schema: published, gvk, selectableFields }: CustomType,
  objectMeta: string,
  version: 2 | 3,
): OpenApiSchema {
  const extensions = {
    'x-kubernetes-group-version-kind': [gvk],
    ...(selectableFields.length > 0 && {
      'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })),
    }),
  }
  // kubectl takes fields that are listed for all that there are: of an object that may have any, none is.
  if (version === 2 && isOpen(published)) return { type: 'object', ...extensions }
  const { properties, ...rest } = inVersion(published, objectMeta, version)
  const { metadata, ...others } = properties as Readonly<Record<string, OpenApiSchema>>
  return {
    ...rest,
    properties: {
      ...others,
      metadata: { description: metadata?.['description'], ...reference(objectMeta, version) },
    },
    ...extensions,
  }
}

/** What version 2 has no words for: the server leaves it out there. */
const notInVersion2: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default'])

/** What kubectl would hold against a value that may be null, or have fields that nobody knows. */
const tooNarrow: ReadonlySet<string> = new Set(['type', 'items', 'properties'])

const isOpen = (value: ApiSchema): boolean => value['x-kubernetes-preserve-unknown-fields'] === true

const eitherType = { anyOf: [{ type: 'integer' }, { type: 'string' }] }

function inVersion(value: ApiSchema, objectMeta: string, version: 2 | 3): OpenApiSchema {
  const isEither = version === 3 && value['x-kubernetes-int-or-string'] === true
  const isLoose = version === 2 && (value.nullable === true || isOpen(value))
  const result: Record<string, unknown> = isEither ? { ...eitherType } : {}
  for (const [key, member] of Object.entries(value)) {
    if (inner.has(key) || (version === 2 && notInVersion2.has(key)) || (isLoose && tooNarrow.has(key)))
      continue
    if (key === 'properties')
      result[key] = Object.fromEntries(
        Object.entries(member as Readonly<Record<string, ApiSchema>>).map(([field, each]) => [
          field,
          inVersion(each, objectMeta, version),
        ]),
      )
    else if ((key === 'items' || key === 'additionalProperties') && typeof member === 'object')
      result[key] = inVersion(member as ApiSchema, objectMeta, version)
    else result[key] = member
  }
  if (version === 2 && !isLoose) dropNullable(result, value)
  const isEmbedded = value['x-kubernetes-embedded-resource'] === true
  if (isEmbedded && !(version === 2 && isOpen(value))) addObjectFields(result, objectMeta, version)
  return result
}

/** Without a word for null, a field that may be null cannot be required. */
function dropNullable(
  result: Record<string, unknown>,
  { properties, additionalProperties, required }: ApiSchema,
): void {
  if (required === undefined) return
  const hasNullableValues = typeof additionalProperties === 'object' && additionalProperties.nullable === true
  const left = hasNullableValues ? [] : required.filter((field) => properties?.[field]?.nullable !== true)
  if (left.length === 0) delete result['required']
  else result['required'] = left
}

function addObjectFields(result: Record<string, unknown>, objectMeta: string, version: 2 | 3): void {
  const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'
  const text = (description: string): OpenApiSchema => ({ description, type: 'string' })
  result['properties'] = {
    ...(result['properties'] as OpenApiSchema | undefined),
    apiVersion: text(
      `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    ),
    kind: text(
      `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    ),
    metadata: {
      description: `Standard object's metadata. More info: ${conventions}#metadata`,
      ...reference(objectMeta, version),
    },
  }
  const required = (result['required'] as readonly string[] | undefined) ?? []
  result['required'] = [...new Set([...required, 'kind', 'apiVersion'])]
}
