import { deepEqual } from '../../../base/index.js'
import type { Event } from '../../../kinds/core/v1.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import { type View, viewOf } from '../draft.js'
import { type FieldError, invalid, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateDnsSubdomain, validateImmutable, validateQualifiedName } from '../value-rules.js'

/** Events of the core group, which are the same objects as those of events.k8s.io under other names of fields. */
export const eventRules: KindRules = {
  nameProblems: () => [],
  allowsCreateOnUpdate: true,
  validateCreate: (object) => validateEvent(viewOf<Event>(object), 'reportingComponent'),
  selectableFields: {
    'involvedObject.kind': (object) => involved(object).kind ?? '',
    'involvedObject.namespace': (object) => involved(object).namespace ?? '',
    'involvedObject.name': (object) => involved(object).name ?? '',
    'involvedObject.uid': (object) => involved(object).uid ?? '',
    'involvedObject.apiVersion': (object) => involved(object).apiVersion ?? '',
    'involvedObject.resourceVersion': (object) => involved(object).resourceVersion ?? '',
    'involvedObject.fieldPath': (object) => involved(object).fieldPath ?? '',
    reason: (object) => viewOf<Event>(object).reason ?? '',
    reportingComponent: (object) => viewOf<Event>(object).reportingComponent ?? '',
    source: (object) => {
      const { source, reportingComponent } = viewOf<Event>(object)
      return source?.component || (reportingComponent ?? '')
    },
    type: (object) => viewOf<Event>(object).type ?? '',
  },
}

function involved(object: StoredApiObject): NonNullable<View<Event>['involvedObject']> {
  return viewOf<Event>(object).involvedObject ?? {}
}

const mismatch = 'does not match event.namespace'

/** What is wrong with an event, in the form of the core group. `controllerField` is the name that the request has for it. */
export function validateEvent(event: View<Event>, controllerField: string): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  const about = event.involvedObject?.namespace ?? ''
  const isNew = (event.eventTime ?? null) !== null
  const homes = isNew ? ['default', 'kube-system'] : ['', 'default']
  const isMismatch = about === '' ? !homes.includes(namespace) : !isNew && about !== namespace
  return [
    ...(isMismatch ? [invalid('involvedObject.namespace', about, mismatch)] : []),
    ...(isNew ? validateNewFields(event, controllerField) : []),
    ...validateDnsSubdomain(namespace, 'namespace'),
  ]
}

function validateNewFields(event: View<Event>, controllerField: string): FieldError[] {
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = event
  const text = (value: string, path: string): FieldError[] => [
    ...(value === '' ? [required(path)] : []),
    ...tooLong(value, 128, path),
  ]
  return [
    ...(reportingComponent === '' ? [required(controllerField)] : []),
    ...validateQualifiedName(reportingComponent, controllerField),
    ...text(reportingInstance, 'reportingInstance'),
    ...text(action, 'action'),
    ...text(reason, 'reason'),
    ...tooLong(message, 1024, 'message'),
  ]
}

function tooLong(value: string, max: number, path: string): FieldError[] {
  return Buffer.byteLength(value) > max ? [invalid(path, '', `can have at most ${max} characters`)] : []
}

/** What events.k8s.io demands beyond it. */
export function validateStrictEvent(event: View<Event>): FieldError[] {
  const { type = '', count = 0, source } = event
  return [
    ...validateSeries(event),
    ...((event.eventTime ?? null) === null ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...((event.firstTimestamp ?? null) === null ? [] : [invalid('firstTimestamp', '', 'needs to be unset')]),
    ...((event.lastTimestamp ?? null) === null ? [] : [invalid('lastTimestamp', '', 'needs to be unset')]),
    ...(count === 0 ? [] : [invalid('count', '', 'needs to be unset')]),
    ...((source?.component ?? '') === '' && (source?.host ?? '') === ''
      ? []
      : [invalid('source', '', 'needs to be unset')]),
  ]
}

function validateSeries({ series }: View<Event>): FieldError[] {
  if (!series) return []
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...((series.lastObservedTime ?? null) === null ? [required('series.lastObservedTime')] : []),
  ]
}

/** In events.k8s.io an event stays as it is; only its series goes on. */
export function validateStrictEventUpdate(event: View<Event>, old: View<Event>): FieldError[] {
  const fields = [
    ['involvedObject', 'involvedObject'],
    ['reason', 'reason'],
    ['message', 'message'],
    ['source', 'source'],
    ['firstTimestamp', 'firstTimestamp'],
    ['lastTimestamp', 'lastTimestamp'],
    ['count', 'count'],
    ['reason', 'reason'],
    ['type', 'type'],
    ['eventTime', 'eventTime'],
    ['action', 'action'],
    ['related', 'related'],
    ['reportingComponent', 'reportingController'],
    ['reportingInstance', 'reportingInstance'],
  ] as const
  return [
    ...(deepEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...fields.flatMap(([field, path]) => validateImmutable(event[field], old[field], path)),
  ]
}

const renamed = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const

/** An event of the core group as events.k8s.io has it. */
export function toEventsGroup(event: ApiObject | StoredApiObject): ApiObject {
  return rename(event, 'events.k8s.io/v1', renamed)
}

/** The way back: the form in which events are stored. */
export function toCoreGroup(event: ApiObject | StoredApiObject): ApiObject {
  return rename(
    event,
    'v1',
    renamed.map(([core, other]) => [other, core] as const),
  )
}

function rename(
  event: ApiObject | StoredApiObject,
  apiVersion: string,
  names: readonly (readonly [string, string])[],
): ApiObject {
  const table = new Map(names)
  const fields = Object.entries(event).map(([name, value]) => [table.get(name) ?? name, value] as const)
  // The copy is shallow and its top level new; metadata and kind are among the fields.
  return { ...Object.fromEntries(fields), apiVersion } as ApiObject
}
