import { isPlainObject } from '../../base/index.js'
import { invalid } from '../../schema/internal.js'
import type { ApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { badRequest } from '../failure.js'
import type { BodyReader, RequestBody } from './body.js'
import { decodeTyped } from './decode-typed.js'
import { GoDecodeError } from './go-decode-error.js'
import { unversioned } from './known-kinds.js'
import { parseBody, readTypeMeta } from './parse-body.js'
import { isTrue } from './parse-request.js'
import { dryRunErrors, invalidOptions, notSupported, optionsObject } from './write-options.js'

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan'

/** How to delete. */
export interface DeleteOptions {
  readonly isDryRun: boolean
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: PropagationPolicy
  /** The older way to say it. */
  readonly orphanDependents?: boolean
  readonly uid?: string
  readonly resourceVersion?: string
  /** The same for admission. */
  readonly object: ApiObject
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan']

/** The Go type that the body is decoded into. */
const schema: ApiSchema = {
  type: 'object',
  goType: 'DeleteOptions',
  properties: {
    kind: { type: 'string' },
    apiVersion: { type: 'string' },
    gracePeriodSeconds: { type: 'integer', format: 'int64' },
    preconditions: {
      type: 'object',
      goType: 'Preconditions',
      goValue: 'v1.Preconditions',
      properties: {
        uid: { type: 'string', goValue: 'types.UID' },
        resourceVersion: { type: 'string' },
      },
    },
    orphanDependents: { type: 'boolean' },
    propagationPolicy: { type: 'string', goValue: 'v1.DeletionPropagation' },
    dryRun: { type: 'array', goValue: '[]string', items: { type: 'string' } },
    ignoreStoreReadErrorWithClusterBreakingPotential: { type: 'boolean' },
  },
}

/** Of the body, if there is one, else of the query. Throws ApiFailure. */
export async function readDeleteOptions(
  query: URLSearchParams,
  body: RequestBody,
  reader: BodyReader,
): Promise<DeleteOptions> {
  const given = body.bytes.length > 0 ? await fromBody(body, reader) : fromQuery(query)
  return checkDeleteOptions(given)
}

/** Checks options that are plain data of the right types. Throws ApiFailure 422. */
export function checkDeleteOptions(given: Record<string, unknown>): DeleteOptions {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, dryRun, preconditions } = given
  const errors = []
  if (orphanDependents !== undefined && propagationPolicy !== undefined)
    errors.push(
      invalid(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    )
  if (typeof propagationPolicy === 'string' && !policies.includes(propagationPolicy))
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil']))
  const dryRuns = Array.isArray(dryRun) ? dryRun.map(String) : []
  errors.push(...dryRunErrors(dryRuns))
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors)
  const { uid, resourceVersion } = isPlainObject(preconditions) ? preconditions : {}
  return {
    isDryRun: dryRuns.length > 0,
    // Longer than 2^53 seconds is for ever, whatever the last digit.
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    // One of the three, by the check above.
    ...(propagationPolicy !== undefined && { propagationPolicy: propagationPolicy as PropagationPolicy }),
    ...(typeof orphanDependents === 'boolean' && { orphanDependents }),
    ...(typeof uid === 'string' && { uid }),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
    object: optionsObject('DeleteOptions', given),
  }
}

/** What is known wherever a DeleteOptions is, and of any version, too. */
const knownElsewhere: readonly string[] = [...unversioned, 'CreateOptions', 'UpdateOptions']

const optionsType = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' }

async function fromBody(body: RequestBody, reader: BodyReader): Promise<Record<string, unknown>> {
  try {
    const { source } = await parseBody(body, reader, optionsType)
    const { kind, version, group } = readTypeMeta(source.value)
    // Every group has a DeleteOptions of its own, which is the same.
    if (kind !== '' && kind !== 'DeleteOptions') {
      const apiVersion = group === '' ? version : `${group}/${version}`
      throw badRequest(
        knownElsewhere.includes(kind)
          ? `converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`
          : `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
      )
    }
    const { value } = decodeTyped(source, schema)
    if (!isPlainObject(value)) return {}
    const { kind: _kind, apiVersion: _apiVersion, ...members } = value
    return members
  } catch (error) {
    throw error instanceof GoDecodeError ? badRequest(error.message) : error
  }
}

function fromQuery(query: URLSearchParams): Record<string, unknown> {
  const seconds = query.get('gracePeriodSeconds')
  const policy = query.get('propagationPolicy')
  const orphan = query.get('orphanDependents')
  const dryRun = query.getAll('dryRun')
  return {
    ...(seconds !== null && { gracePeriodSeconds: readInteger(seconds) }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(orphan !== null && { orphanDependents: isTrue(orphan) }),
    ...(dryRun.length > 0 && { dryRun }),
  }
}

function readInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  const value = BigInt(text)
  if (value !== BigInt.asIntN(64, value))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`)
  return Number(value)
}
