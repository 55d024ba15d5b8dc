import type { FieldRequirement, LabelRequirement } from '../../objects/index.js'
import type { FieldError } from '../../schema/index.js'
import { forbidden } from '../../schema/internal.js'
import { badRequest, invalid } from '../failure.js'
import type { Served } from '../output/answer-kind.js'
import { isTrue } from '../request/parse-request.js'
import { notSupported } from '../request/write-options.js'
import { readFieldSelector } from './field-selector.js'
import { parseGoInt64 } from './go-integer.js'
import { readLabelSelector } from './label-selector.js'

/** The parameters of a list or a watch, read and checked, with their defaults. */
export interface ListOptions {
  readonly labels: readonly LabelRequirement[]
  readonly fields: readonly FieldRequirement[]
  readonly allowWatchBookmarks: boolean
  readonly resourceVersion: string
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan'
  readonly timeoutSeconds: number | undefined
  /** Zero or less: no limit. */
  readonly limit: number
  readonly continueToken: string
  readonly sendInitialEvents: boolean | undefined
}

/** Throws ApiFailure as the real server answers: 400 for what cannot be read, 422 for what does not go together. */
export function readListOptions(query: URLSearchParams, served: Served): ListOptions {
  const labels = readLabelSelector(query.get('labelSelector') ?? '')
  const fieldSelector = query.get('fieldSelector') ?? ''
  const isWatch = isTrue(query.get('watch'))
  const timeoutSeconds = integer(query.get('timeoutSeconds'))
  const limit = integer(query.get('limit')) ?? 0
  const given = {
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
  }
  const options = isWatch ? withInitialEvents(given) : given
  const { resourceVersionMatch } = options
  const errors = isWatch ? watchErrors(options) : listErrors(options)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', resource: 'ListOptions' }, '', errors)
  return {
    ...options,
    labels,
    // Known fields are a question for the kind, which comes after the options themselves.
    fields: readFieldSelector(fieldSelector, served),
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    // The checks leave no other.
    resourceVersionMatch: resourceVersionMatch as ListOptions['resourceVersionMatch'],
    timeoutSeconds,
    limit,
  }
}

interface GivenOptions {
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly continueToken: string
  readonly sendInitialEvents: boolean | undefined
}

/** A watch from no version in particular has always begun with what is there. */
function withInitialEvents(given: GivenOptions): GivenOptions {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } = given
  if (sendInitialEvents !== undefined || resourceVersionMatch !== '') return given
  if (resourceVersion !== '' && resourceVersion !== '0') return given
  return { ...given, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
}

const matchField = 'resourceVersionMatch'

function listErrors(options: GivenOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match, continueToken, sendInitialEvents } = options
  const errors: FieldError[] = []
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(
        forbidden(matchField, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      )
    if (continueToken !== '')
      errors.push(forbidden(matchField, 'resourceVersionMatch is forbidden when continue is provided'))
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(forbidden(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (sendInitialEvents !== undefined)
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return errors
}

function watchErrors(options: GivenOptions): FieldError[] {
  const { resourceVersionMatch: match, continueToken, sendInitialEvents } = options
  const errors: FieldError[] = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(
      forbidden(matchField, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    )
  if (match !== '') {
    if (sendInitialEvents === undefined)
      errors.push(
        forbidden(
          matchField,
          'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ),
      )
    if (match !== 'NotOlderThan') errors.push(notSupported(matchField, match, ['NotOlderThan']))
    if (continueToken !== '')
      errors.push(forbidden(matchField, 'resourceVersionMatch is forbidden when continue is provided'))
  }
  return errors
}

function integer(text: string | null): number | undefined {
  if (text === null) return undefined
  const parsed = parseGoInt64(text)
  if ('problem' in parsed) throw badRequest(parsed.problem)
  return Number(parsed.value)
}
