import type { Event } from '../../../kinds/core/v1.js'
import type { StoredApiObject } from '../../api-object.js'
import { type View, viewOf } from '../draft.js'
import { type FieldError, invalid, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateDnsSubdomain, validateQualifiedName } from '../value-rules.js'

/** Events of the core group, which are the same objects as those of events.k8s.io under other names of fields. */
export const eventRules: KindRules = {
  nameProblems: () => [],
  allowsCreateOnUpdate: true,
  validateCreate: (object) => validateEvent(viewOf<Event>(object)),
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

function validateEvent(event: View<Event>): FieldError[] {
  const namespace = event.metadata?.namespace ?? ''
  const about = event.involvedObject?.namespace ?? ''
  const isNew = (event.eventTime ?? null) !== null
  const homes = isNew ? ['default', 'kube-system'] : ['', 'default']
  const isMismatch = about === '' ? !homes.includes(namespace) : !isNew && about !== namespace
  return [
    ...(isMismatch ? [invalid('involvedObject.namespace', about, mismatch)] : []),
    ...(isNew ? validateNewFields(event) : []),
    ...validateDnsSubdomain(namespace, 'namespace'),
  ]
}

function validateNewFields(event: View<Event>): FieldError[] {
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = event
  const text = (value: string, path: string): FieldError[] => [
    ...(value === '' ? [required(path)] : []),
    ...tooLong(value, 128, path),
  ]
  return [
    ...(reportingComponent === '' ? [required('reportingComponent')] : []),
    ...validateQualifiedName(reportingComponent, 'reportingComponent'),
    ...text(reportingInstance, 'reportingInstance'),
    ...text(action, 'action'),
    ...text(reason, 'reason'),
    ...tooLong(message, 1024, 'message'),
  ]
}

function tooLong(value: string, max: number, path: string): FieldError[] {
  return Buffer.byteLength(value) > max ? [invalid(path, '', `can have at most ${max} characters`)] : []
}
