import type { Container, ContainerPort, EphemeralContainer, PodSpec, Volume } from '../../../kinds/core/v1.js'
import { portNameProblems, portNumberProblems } from '../address-rules.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  itemPath,
  notFound,
  notSupported,
  required,
  tooMany,
} from '../field-errors.js'
import { validateDnsLabel, validateWord } from '../value-rules.js'
import type { AnyContainer } from './containers-of.js'
import { validateEnv, validateEnvFrom } from './env-rules.js'
import { validateDevices, validateMounts } from './mount-rules.js'
import { validateLifecycle, validateProbes } from './probe-rules.js'
import { validateContainerResources } from './resource-rules.js'
import { validateSecurityContext } from './security-rules.js'

/** What containers are judged by: their pod, and those of its volumes that are right. */
export interface PodContext {
  readonly spec: View<PodSpec>
  readonly volumes: ReadonlyMap<string, View<Volume>>
  readonly claimNames: ReadonlySet<string>
}

/** What is wrong with the containers of a pod: the regular ones, then those that go before, then the ephemeral ones. */
export function validateContainers(context: PodContext, path: string): FieldError[] {
  return [
    ...validateRegular(context, `${path}.containers`),
    ...validateInit(context, `${path}.initContainers`),
    ...validateEphemeral(context, `${path}.ephemeralContainers`),
  ]
}

function validateRegular(context: PodContext, path: string): FieldError[] {
  const { containers, terminationGracePeriodSeconds: grace } = context.spec
  if ((containers ?? []).length === 0) return [required(path)]
  const names = new Set<string>()
  const errors = validateEach(containers, path, (container, own) => {
    const { name = '', lifecycle } = container
    const isRepeated = names.has(name)
    names.add(name)
    return [
      ...validateAny(container, context, own),
      ...(isRepeated ? [duplicate(`${own}.name`, name)] : []),
      ...(lifecycle ? validateLifecycle(lifecycle, grace, `${own}.lifecycle`) : []),
      ...validateProbes(container, grace, own),
      ...validateRestarts(container, own),
    ]
  })
  return [...errors, ...validateHostPorts(containers ?? [], path)]
}

function validateInit(context: PodContext, path: string): FieldError[] {
  const { initContainers, containers, terminationGracePeriodSeconds: grace } = context.spec
  const names = new Set((containers ?? []).map(({ name = '' }) => name))
  return validateEach(initContainers, path, (container, own) => {
    const { name = '', lifecycle, resizePolicy, restartPolicy } = container
    const isRepeated = names.has(name)
    if (name !== '') names.add(name)
    const runsOn = restartPolicy === 'Always'
    const why = 'may not be set for init containers without restartPolicy=Always'
    return [
      ...validateAny(container, context, own),
      ...validateRestarts(container, own),
      ...(isRepeated ? [duplicate(`${own}.name`, name)] : []),
      ...validateHostPorts([container], path),
      ...(runsOn
        ? [
            ...(lifecycle ? validateLifecycle(lifecycle, grace, `${own}.lifecycle`) : []),
            ...validateProbes(container, grace, own),
          ]
        : (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
            .filter((field) => container[field])
            .map((field) => forbidden(`${own}.${field}`, why))),
      ...validateEach(runsOn ? [] : resizePolicy, `${own}.resizePolicy`, (policy, policyPath) =>
        policy.restartPolicy === 'RestartContainer'
          ? [
              invalid(
                `${policyPath}.restartPolicy`,
                policy.restartPolicy,
                "must not be set to 'RestartContainer' for non-sidecar initContainers",
              ),
            ]
          : [],
      ),
    ]
  })
}

const forbiddenInEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

function validateEphemeral(context: PodContext, path: string): FieldError[] {
  const { ephemeralContainers, containers, initContainers } = context.spec
  const others = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name = '' }) => name))
  const names = new Set(others)
  const why = 'cannot be set for an Ephemeral Container'
  return validateEach(ephemeralContainers, path, (container, own) => {
    const { name = '', targetContainerName = '', volumeMounts } = container
    const isRepeated = names.has(name)
    names.add(name)
    return [
      ...validateAny(container, context, own),
      ...validateImageSpaces(container, own),
      ...(isRepeated ? [duplicate(`${own}.name`, name)] : []),
      ...(targetContainerName === '' || others.has(targetContainerName)
        ? []
        : [notFound(`${own}.targetContainerName`, targetContainerName)]),
      ...forbiddenInEphemeral
        .filter((field) => isSet(container, field))
        .map((field) => forbidden(`${own}.${field}`, why)),
      ...validateEach(volumeMounts, `${own}.volumeMounts`, ({ subPath, subPathExpr }, mountPath) => [
        ...((subPath ?? '') === '' ? [] : [forbidden(`${mountPath}.subPath`, why)]),
        ...((subPathExpr ?? '') === '' ? [] : [forbidden(`${mountPath}.subPathExpr`, why)]),
      ]),
    ]
  })
}

function isSet(container: View<EphemeralContainer>, field: (typeof forbiddenInEphemeral)[number]): boolean {
  const value = container[field]
  if (value === undefined || value === null) return false
  // Resources are always there; without a member they say nothing.
  return field !== 'resources' || Object.keys(value).length > 0
}

/** Pods, unlike templates, do not take images with spaces around them. */
export function validateImageSpaces({ image = '' }: AnyContainer, path: string): FieldError[] {
  return image.trim() === image
    ? []
    : [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')]
}

function validateAny(container: AnyContainer, context: PodContext, path: string): FieldError[] {
  const { name = '', image = '', terminationMessagePolicy, imagePullPolicy, resources } = container
  const usesHostUsers = context.spec.hostUsers ?? true
  return [
    ...(name === '' ? [required(`${path}.name`)] : validateDnsLabel(name, `${path}.name`)),
    ...(image === '' ? [required(`${path}.image`)] : []),
    ...validateWord(
      terminationMessagePolicy,
      ['File', 'FallbackToLogsOnError'],
      `${path}.terminationMessagePolicy`,
      '',
    ),
    ...validatePorts(container.ports, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...validateMounts(container, context.volumes, path),
    ...validateDevices(container, context.volumes, path),
    ...validatePullPolicy(imagePullPolicy, `${path}.imagePullPolicy`),
    ...validateContainerResources(resources ?? {}, context.claimNames, `${path}.resources`),
    ...validateResizePolicy(container, context.spec.restartPolicy, `${path}.resizePolicy`),
    ...validateSecurityContext(container.securityContext, `${path}.securityContext`, usesHostUsers),
  ]
}

/** Of containers and of volumes that are images. */
export function validatePullPolicy(policy: string | undefined, path: string): FieldError[] {
  return validateWord(policy, ['Always', 'IfNotPresent', 'Never'], path, '')
}

function validatePorts(ports: readonly View<ContainerPort>[] | undefined, path: string): FieldError[] {
  const names = new Set<string>()
  return validateEach(ports, path, (port, own) => {
    const { name = '', containerPort = 0, hostPort = 0, protocol } = port
    const errors: FieldError[] = []
    if (name !== '') {
      const problems = portNameProblems(name)
      errors.push(...invalidFor(`${own}.name`, name, problems))
      if (problems.length === 0 && names.has(name)) errors.push(duplicate(`${own}.name`, name))
      if (problems.length === 0) names.add(name)
    }
    if (containerPort === 0) errors.push(required(`${own}.containerPort`))
    else errors.push(...invalidFor(`${own}.containerPort`, containerPort, portNumberProblems(containerPort)))
    if (hostPort !== 0) errors.push(...invalidFor(`${own}.hostPort`, hostPort, portNumberProblems(hostPort)))
    return [...errors, ...validateWord(protocol, ['SCTP', 'TCP', 'UDP'], `${own}.protocol`, '')]
  })
}

function validateHostPorts(containers: readonly View<Container>[], path: string): FieldError[] {
  const used = new Set<string>()
  return containers.flatMap(({ ports }, index) =>
    validateEach(ports, `${itemPath(path, index)}.ports`, ({ protocol, hostIP, hostPort = 0 }, own) => {
      if (hostPort === 0) return []
      const key = `${protocol ?? ''}/${hostIP ?? ''}/${hostPort}`
      if (used.has(key)) return [duplicate(`${own}.hostPort`, key)]
      used.add(key)
      return []
    }),
  )
}

function validateResizePolicy(
  { resizePolicy }: AnyContainer,
  podRestartPolicy: string | undefined,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  return validateEach(resizePolicy, path, ({ resourceName = '', restartPolicy = '' }, own) => {
    const isRepeated = seen.has(resourceName)
    seen.add(resourceName)
    return [
      ...(isRepeated ? [duplicate(own, resourceName)] : []),
      ...validateWord(resourceName, ['cpu', 'memory'], path, ''),
      ...validateWord(restartPolicy, ['NotRequired', 'RestartContainer'], path, ''),
      ...(podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired'
        ? [invalid(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : []),
    ]
  })
}

function validateRestarts(
  { restartPolicy, restartPolicyRules }: View<Container>,
  path: string,
): FieldError[] {
  const rules = restartPolicyRules ?? []
  if (restartPolicy === undefined && rules.length === 0) return []
  const errors =
    restartPolicy === undefined
      ? [required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used')]
      : validateWord(restartPolicy, ['Always', 'Never', 'OnFailure'], `${path}.restartPolicy`)
  if (rules.length > 20) errors.push(tooMany(`${path}.restartPolicyRules`, rules.length, 20))
  const ruleErrors = validateEach(rules, `${path}.restartPolicyRules`, ({ action = '', exitCodes }, own) => {
    const found = validateWord(action, ['Restart', 'RestartAllContainers'], `${own}.action`)
    if (!exitCodes) return [...found, required(`${own}.exitCodes`, 'must be specified')]
    const { operator = '', values } = exitCodes
    if (operator !== 'In' && operator !== 'NotIn')
      found.push(notSupported(`${own}.exitCodes.operator`, operator, ['In', 'NotIn']))
    const count = (values ?? []).length
    if (count > 255) found.push(tooMany(`${own}.exitCodes.values`, count, 255))
    return found
  })
  return [...errors, ...ruleErrors]
}
