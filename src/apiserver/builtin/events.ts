import { deepEqual } from '../../base/index.js'
import type { Event } from '../../kinds/events.k8s.io/v1.js'
import type { StoredApiObject } from '../api-object.js'
import { toCoreEvent, toNewEvent } from './core/event-forms.js'
import { type View, viewOf } from './draft.js'
import { type FieldError, invalid, required } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { isAbsent, isBlank, validateImmutable, validateQualifiedName } from './value-rules.js'

type EventView = View<Event>

const regardingFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const

/** What is particular to the kinds of events.k8s.io. Field names in messages are those of the older API. */
export const eventsRules: GroupRules = {
  Event: {
    allowsCreateOnUpdate: true,
    storedAs: { resource: 'events', toStored: toCoreEvent },
    convert: toNewEvent,
    selectableFields: {
      reason: (object) => viewOf<Event>(object).reason ?? '',
      reportingController: (object) => viewOf<Event>(object).reportingController ?? '',
      type: (object) => viewOf<Event>(object).type ?? '',
      ...Object.fromEntries(
        regardingFields.map((field) => [
          `regarding.${field}`,
          (object: StoredApiObject) => viewOf<Event>(object).regarding?.[field] ?? '',
        ]),
      ),
    },
    validateCreate: (object) => validateNew(viewOf<Event>(object)),
    validateUpdate: (object, old) => validateChange(viewOf<Event>(object), viewOf<Event>(old)),
  },
}

function validateNew(event: EventView): FieldError[] {
  const { eventTime, type = '', deprecatedSource: source } = event
  const unset = (isSet: boolean, field: string): FieldError[] =>
    isSet ? [invalid(field, '', 'needs to be unset')] : []
  return [
    ...validateAlways(event),
    ...validateSeries(event),
    ...(isAbsent(eventTime) ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset(!isAbsent(event.deprecatedFirstTimestamp), 'firstTimestamp'),
    ...unset(!isAbsent(event.deprecatedLastTimestamp), 'lastTimestamp'),
    ...unset((event.deprecatedCount ?? 0) !== 0, 'count'),
    ...unset(!isBlank(source?.component) || !isBlank(source?.host), 'source'),
  ]
}

const fixedFields = [
  ['regarding', 'involvedObject'],
  ['reason', 'reason'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
] as const

function validateChange(event: EventView, old: EventView): FieldError[] {
  return [
    ...validateAlways(event),
    ...(deepEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...fixedFields.flatMap(([field, name]) => fixed(event[field], old[field], name)),
  ]
}

/** The core group writes empty texts where events.k8s.io leaves them out. */
function fixed(value: unknown, old: unknown, name: string): FieldError[] {
  return isBlank(value) && isBlank(old) ? [] : validateImmutable(value, old, name)
}

function validateSeries({ series }: EventView): FieldError[] {
  if (isAbsent(series)) return []
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(isAbsent(series.lastObservedTime) ? [required('series.lastObservedTime')] : []),
  ]
}

/** What holds for events of all times: those without an eventTime are the older ones. */
function validateAlways(event: EventView): FieldError[] {
  const { metadata, regarding } = event
  const namespace = metadata?.namespace ?? ''
  const about = regarding?.namespace ?? ''
  const mismatch = [invalid('involvedObject.namespace', about, 'does not match event.namespace')]
  if (isAbsent(event.eventTime)) {
    const matches = about === '' ? namespace === '' || namespace === 'default' : about === namespace
    return matches ? [] : mismatch
  }
  const homeless = about === '' && namespace !== 'default' && namespace !== 'kube-system'
  return [...(homeless ? mismatch : []), ...validateReport(event)]
}

function validateReport(event: EventView): FieldError[] {
  const { reportingController = '', reportingInstance = '', action = '', reason = '', note = '' } = event
  const atMost = (value: string, max: number, field: string): FieldError[] =>
    value.length > max ? [invalid(field, '', `can have at most ${max} characters`)] : []
  const needed = (value: string, field: string): FieldError[] => (value === '' ? [required(field)] : [])
  return [
    ...needed(reportingController, 'reportingController'),
    ...validateQualifiedName(reportingController, 'reportingController'),
    ...needed(reportingInstance, 'reportingInstance'),
    ...atMost(reportingInstance, 128, 'reportingInstance'),
    ...needed(action, 'action'),
    ...atMost(action, 128, 'action'),
    ...needed(reason, 'reason'),
    ...atMost(reason, 128, 'reason'),
    ...atMost(note, 1024, 'message'),
  ]
}
