import { isPlainObject, parseJson } from '../../base/index.js'
import { parseStatus, type Status } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { fieldsOf, textOf, textsOf } from '../auth/fields.js'
import { jsonSyntaxProblem } from '../request/go-json-syntax.js'
import type { AdmissionRequest } from './admission.js'
import { requestData } from './cel-variables.js'
import type { MatchedVersion } from './matching.js'

const group = 'admission.k8s.io'

/** What a webhook has answered, checked. */
export interface ReviewAnswer {
  readonly isAllowed: boolean
  readonly status: Status | undefined
  readonly warnings: readonly string[]
  readonly annotations: ReadonlyMap<string, string>
  /** The operations of a JSON patch; undefined if there is none. */
  readonly patch: readonly unknown[] | undefined
}

/** The answer is not what a webhook may answer. `step` is how the server calls what went wrong. */
export class ReviewProblem extends Error {
  readonly step: 'failed to call webhook' | 'received invalid webhook response' | ''

  constructor(step: ReviewProblem['step'], message: string) {
    super(step === '' ? message : `${step}: ${message}`)
    this.name = 'ReviewProblem'
    this.step = step
  }
}

/** The first version of reviews that both sides know. */
export function reviewVersion(versions: readonly string[]): 'v1' | 'v1beta1' | undefined {
  return versions.find((version) => version === 'v1' || version === 'v1beta1')
}

/** The review that is sent. */
export function buildReview(
  request: AdmissionRequest,
  matched: MatchedVersion,
  parts: {
    readonly uid: string
    readonly version: string
    readonly object: ApiObject | StoredApiObject | undefined
    readonly oldObject: StoredApiObject | undefined
  },
): Record<string, unknown> {
  const { dryRun, options, ...data } = requestData(request, matched)
  return {
    kind: 'AdmissionReview',
    apiVersion: `${group}/${parts.version}`,
    request: {
      uid: parts.uid,
      ...data,
      object: parts.object ?? null,
      oldObject: parts.oldObject ?? null,
      dryRun,
      options,
    },
  }
}

interface Expected {
  readonly uid: string
  readonly version: 'v1' | 'v1beta1'
  readonly isMutating: boolean
}

/** Reads a review that is one by its type. Throws {@link ReviewProblem} with the server's words. */
export function readReview(answer: unknown, expected: Expected): ReviewAnswer {
  const invalid = (message: string): ReviewProblem =>
    new ReviewProblem('received invalid webhook response', message)
  const response = fieldsOf(answer)['response']
  if (!isPlainObject(response)) throw invalid('webhook response was absent')
  if (expected.version === 'v1' && textOf(response['uid']) !== expected.uid)
    throw invalid(
      `expected response.uid=${quoteText(expected.uid)}, got ${quoteText(textOf(response['uid']))}`,
    )
  const status = response['status']
  return {
    isAllowed: response['allowed'] === true,
    status: isPlainObject(status) ? parseStatus({ ...status, kind: 'Status' }) : undefined,
    warnings: textsOf(response['warnings']),
    annotations: new Map(
      Object.entries(fieldsOf(response['auditAnnotations'])).map(([key, value]) => [key, textOf(value)]),
    ),
    patch: readPatch(response, expected, invalid),
  }
}

function readPatch(
  response: Readonly<Record<string, unknown>>,
  { isMutating, version }: Expected,
  invalid: (message: string) => ReviewProblem,
): readonly unknown[] | undefined {
  const bytes = decodePatch(response['patch'])
  const type = response['patchType'] ?? undefined
  if (!isMutating) {
    if (version === 'v1' && bytes.length > 0)
      throw invalid('validating webhook may not return response.patch')
    if (version === 'v1' && type !== undefined)
      throw invalid('validating webhook may not return response.patchType')
    return undefined
  }
  if (version === 'v1') {
    if (bytes.length > 0 && type === undefined)
      throw invalid('webhook returned response.patch but not response.patchType')
    if (bytes.length === 0 && type !== undefined)
      throw invalid('webhook returned response.patchType but not response.patch')
    if (type === '') throw invalid('webhook returned invalid response.patchType of ""')
  }
  if (bytes.length === 0) return undefined
  const patch = parsePatch(bytes.toString())
  if (patch.length === 0) return undefined
  if (version === 'v1' && type !== 'JSONPatch')
    throw new ReviewProblem('', `unsupported patch type ${quoteText(textOf(type))}`)
  return patch
}

function decodePatch(patch: unknown): Buffer {
  const text = textOf(patch)
  const bad = /[^A-Za-z0-9+/=]/.exec(text)
  if (bad !== null)
    throw new ReviewProblem('failed to call webhook', `illegal base64 data at input byte ${bad.index}`)
  return Buffer.from(text, 'base64')
}

function parsePatch(text: string): readonly unknown[] {
  const undecodable = (why: string): ReviewProblem =>
    new ReviewProblem('', `received undecodable patch in webhook response: ${why}`)
  const problem = jsonSyntaxProblem(text)
  if (problem !== undefined) throw undecodable(problem)
  const patch = parseJson(text)
  if (patch === null) return []
  if (!Array.isArray(patch)) {
    const type = isPlainObject(patch) ? 'object' : typeof patch === 'boolean' ? 'bool' : typeof patch
    throw undecodable(`json: cannot unmarshal ${type} into Go value of type jsonpatch.Patch`)
  }
  return patch
}
