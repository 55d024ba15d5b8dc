import { getOwn, isPlainObject, setOwn } from '../../base/index.js'
import { NestingTooDeepError } from '../../schema/index.js'
import { normalizeSchema, SchemaDecodeError } from '../../schema/internal.js'
import type { ApiObject } from '../api-object.js'
import { badRequest } from '../failure.js'

type Form = (value: unknown) => unknown

/**
 * Brings a decoded CRD into the form that the server stores and returns: defaults filled in, empty parts left out where
 * Go leaves them out, nothing in it that is not known. In place. Throws ApiFailure 400 for a schema that is none.
 */
export function normalizeDefinition(draft: ApiObject): void {
  const spec = readSpec(draft['spec'])
  draft['spec'] = withDefaults(spec)
  draft['status'] = statusForm(draft['status'])
  const status = draft['status'] as Record<string, unknown>
  if (Array.isArray(status['storedVersions']) && status['storedVersions'].length > 0) return
  const stored = storageVersionOf(spec)
  status['storedVersions'] = stored === undefined ? null : [stored]
}

function readSpec(spec: unknown): Record<string, unknown> {
  try {
    return specForm(spec)
  } catch (error) {
    if (error instanceof NestingTooDeepError) throw badRequest(error.message)
    if (!(error instanceof SchemaDecodeError)) throw error
    const what = 'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition'
    throw badRequest(`${what}: ${error.message}`)
  }
}

/** The name of the first version that is marked as the one to store. */
export function storageVersionOf(spec: Readonly<Record<string, unknown>>): string | undefined {
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isPlainObject) : []
  const stored = versions.find((version) => version['storage'] === true)?.['name']
  return typeof stored === 'string' ? stored : undefined
}

function withDefaults(spec: Record<string, unknown>): Record<string, unknown> {
  const names = spec['names'] as Record<string, unknown>
  const kind = String(names['kind'])
  if (names['singular'] === undefined && kind !== '') names['singular'] = kind.toLowerCase()
  if (names['listKind'] === undefined && kind !== '') names['listKind'] = `${kind}List`
  spec['conversion'] ??= { strategy: 'None' }
  return spec
}

const text: Form = (value) => (typeof value === 'string' ? value : '')
const optionalText: Form = (value) => (typeof value === 'string' && value !== '' ? value : undefined)
/** Base64 in the one form that Go writes. */
const optionalBytes: Form = (value) =>
  typeof value === 'string' && value !== '' ? Buffer.from(value, 'base64').toString('base64') : undefined
/** Kept also when empty: Go has a pointer there. */
const givenText: Form = (value) => (typeof value === 'string' ? value : undefined)
const flag: Form = (value) => value === true
const optionalFlag: Form = (value) => (value === true ? true : undefined)
const optionalNumber: Form = (value) => (typeof value === 'number' && value !== 0 ? value : undefined)
const texts: Form = (value) => (Array.isArray(value) && value.length > 0 ? value.map(text) : undefined)

/** Fields in this order, without those whose form is undefined. */
function struct(fields: Readonly<Record<string, Form>>): (value: unknown) => Record<string, unknown> {
  return (value) => {
    const given = isPlainObject(value) ? value : {}
    const result: Record<string, unknown> = {}
    for (const [name, form] of Object.entries(fields)) {
      const formed = form(getOwn(given, name) ?? undefined)
      if (formed !== undefined) setOwn(result, name, formed)
    }
    return result
  }
}

/** Left out when absent, kept when empty. */
function pointer(form: Form): Form {
  return (value) => (isPlainObject(value) ? form(value) : undefined)
}

function listOf(form: Form): Form {
  return (value) => (Array.isArray(value) && value.length > 0 ? value.map(form) : undefined)
}

const namesForm = struct({
  plural: text,
  singular: optionalText,
  shortNames: texts,
  kind: text,
  listKind: optionalText,
  categories: texts,
})

const columnForm = struct({
  name: text,
  type: text,
  format: optionalText,
  description: optionalText,
  priority: optionalNumber,
  jsonPath: text,
})

// Where schemas stand, as the errors of the decoder name places.
const schemaPath = 'spec.versions.schema.openAPIV3Schema'

const subresourcesForm = struct({
  status: pointer(() => ({})),
  scale: pointer(struct({ specReplicasPath: text, statusReplicasPath: text, labelSelectorPath: givenText })),
})

const versionForm = struct({
  name: text,
  served: flag,
  storage: flag,
  deprecated: optionalFlag,
  deprecationWarning: givenText,
  schema: pointer(struct({ openAPIV3Schema: pointer((schema) => normalizeSchema(schema, schemaPath)) })),
  subresources: pointer(subresourcesForm),
  additionalPrinterColumns: listOf(columnForm),
  selectableFields: listOf(struct({ jsonPath: text })),
})

const serviceForm = struct({
  namespace: text,
  name: text,
  path: givenText,
  port: (port) => (typeof port === 'number' ? port : 443),
})

const clientConfigForm = struct({
  url: givenText,
  service: pointer(serviceForm),
  caBundle: optionalBytes,
})

const conversionForm = struct({
  strategy: text,
  webhook: pointer(
    struct({
      clientConfig: pointer(clientConfigForm),
      conversionReviewVersions: (versions) => texts(versions) ?? null,
    }),
  ),
})

const specForm = struct({
  group: text,
  names: namesForm,
  scope: text,
  versions: (versions) => (Array.isArray(versions) ? versions.map(versionForm) : null),
  conversion: pointer(conversionForm),
  preserveUnknownFields: optionalFlag,
})

const conditionForm = struct({
  type: text,
  status: text,
  lastTransitionTime: (time) => (typeof time === 'string' ? time : null),
  reason: optionalText,
  message: optionalText,
})

const statusForm = struct({
  conditions: (conditions) => (Array.isArray(conditions) ? conditions.map(conditionForm) : null),
  acceptedNames: namesForm,
  storedVersions: (versions) => (Array.isArray(versions) ? versions.map(text) : null),
})
