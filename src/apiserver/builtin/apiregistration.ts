import type { APIService, APIServiceSpec } from '../../kinds/apiregistration.k8s.io/v1.js'
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../objects/index.js'
import { portNumberProblems } from './address-rules.js'
import { draftOf, type View, viewOf } from './draft.js'
import { type FieldError, goQuote, invalid, invalidFor, required } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { pathSegmentName } from './name-rules.js'
import { isAbsent, isBlank, validateWord } from './value-rules.js'

/** What is particular to the kinds of apiregistration.k8s.io. */
export const apiregistrationRules: GroupRules = {
  APIService: {
    nameProblems: (name) => pathSegmentName(name, false),
    allowsUnconditionalUpdate: false,
    defaults(draft) {
      const service = draftOf<APIService>(draft).spec?.service
      if (!isAbsent(service)) service.port ??= 443
    },
    prepareForCreate(draft, context) {
      const apiService = draftOf<APIService>(draft)
      if (!isAbsent(apiService.spec?.service)) return
      apiService.status = {
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: context.nature.timestamp(),
            reason: 'Local',
            message: 'Local APIServices are always available',
          },
        ],
      }
    },
    validateCreate: (object) =>
      validateSpec(viewOf<APIService>(object).spec ?? {}, object.metadata.name ?? ''),
    validateStatusUpdate: (object) =>
      (viewOf<APIService>(object).status?.conditions ?? []).flatMap(({ status }, index) =>
        validateWord(status, ['True', 'False', 'Unknown'], `status.conditions[${index}].status`),
      ),
  },
}

function validateSpec(spec: View<APIServiceSpec>, name: string): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec
  const expected = `${version}.${group}`
  return [
    ...(pathSegmentName(name, false).length === 0 && name !== expected
      ? [invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${goQuote(expected)}`)]
      : []),
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : invalidFor('spec.group', group, dns1123SubdomainErrors(group))),
    ...invalidFor('spec.version', version, dns1035LabelErrors(version)),
    ...validatePriority(groupPriorityMinimum, 20_000, 'spec.groupPriorityMinimum'),
    ...validatePriority(versionPriority, 1000, 'spec.versionPriority'),
    ...validateService(spec),
  ]
}

function validatePriority(value: number, max: number, path: string): FieldError[] {
  return value <= 0 || value > max ? [invalid(path, value, `must be positive and less than ${max}`)] : []
}

function validateService({
  service,
  caBundle,
  insecureSkipTLSVerify = false,
}: View<APIServiceSpec>): FieldError[] {
  const bundleSize = Buffer.from(caBundle ?? '', 'base64').length
  const insecure = (why: string): FieldError[] =>
    insecureSkipTLSVerify ? [invalid('spec.insecureSkipTLSVerify', true, why)] : []
  if (isAbsent(service))
    return [
      ...(bundleSize === 0
        ? []
        : [invalid('spec.caBundle', `${bundleSize} bytes`, 'local APIServices may not have a caBundle')]),
      ...insecure('local APIServices may not have insecureSkipTLSVerify'),
    ]
  const { namespace, name, port = 0 } = service
  const problems = portNumberProblems(port)
  return [
    ...(isBlank(namespace) ? [required('spec.service.namespace')] : []),
    ...(isBlank(name) ? [required('spec.service.name')] : []),
    ...(problems.length === 0
      ? []
      : [invalid('spec.service.port', port, `port is not valid: ${problems.join(', ')}`)]),
    ...(bundleSize > 0 ? insecure('may not be true if caBundle is present') : []),
  ]
}
