import type { Affinity, PodSpec, PodTemplateSpec, Volume } from '../../../kinds/core/v1.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import type { View } from '../draft.js'
import { goQuote, itemPath, keyPath } from '../field-errors.js'
import { fractionWarnings } from '../fraction-warnings.js'
import { type AnyContainer, allContainers } from './containers-of.js'
import { containerProfileWarnings, podProfileWarnings } from './profile-annotations.js'

interface Described {
  readonly metadata?:
    | { readonly annotations?: Readonly<Record<string, string | undefined>> | undefined }
    | undefined
  readonly spec?: View<PodSpec> | undefined
}

const oldNodeLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
}

const oldAnnotations: readonly (readonly [string, string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
]

const oldVolumes: readonly (readonly [keyof Volume, string, string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

/** What the server warns of in a pod; `path` is empty, or where a template stands (`spec.template`). */
export function podWarnings({ metadata, spec = {} }: Described, path = ''): string[] {
  const at = (field: string): string => (path === '' ? field : `${path}.${field}`)
  const containers = allContainers(spec, at('spec'))
  const annotations = metadata?.annotations
  const annotationsPath = at('metadata.annotations')
  const { terminationGracePeriodSeconds: grace } = spec
  return [
    ...labelWarnings(spec, at),
    ...oldAnnotations
      .filter(([key]) => annotations?.[key] !== undefined)
      .map(([key, text]) => `${keyPath(annotationsPath, key)}: ${text}`),
    ...volumeWarnings(spec.volumes, at('spec.volumes')),
    ...repetitionWarnings(spec, at),
    ...podProfileWarnings(annotations, spec, annotationsPath),
    ...containers.flatMap(({ container, path: own }) => [
      ...containerProfileWarnings(container, {
        annotations,
        spec,
        path: annotationsPath,
        isTemplate: path !== '',
      }),
      ...containerWarnings(container, own),
    ]),
    ...portWarnings(containers),
    ...(grace !== undefined && grace < 0
      ? [
          `${at('spec.terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(spec.affinity, at('spec.affinity')),
  ]
}

/** The same for the template of a workload, which is looked at again with every new generation. */
export function templateWarnings(
  object: ApiObject,
  old: StoredApiObject | undefined,
  template: View<PodTemplateSpec> | undefined,
  path = 'spec.template',
): string[] {
  const isLookedAt = old === undefined || object.metadata.generation !== old.metadata.generation
  return isLookedAt ? podWarnings(template ?? {}, path) : []
}

function labelWarnings(
  { nodeSelector, topologySpreadConstraints }: View<PodSpec>,
  at: (field: string) => string,
): string[] {
  const selector = Object.keys(nodeSelector ?? {}).flatMap((key) => {
    const text = oldNodeLabels[key]
    return text === undefined ? [] : [`${keyPath(at('spec.nodeSelector'), key)}: ${text}`]
  })
  const spread = (topologySpreadConstraints ?? []).flatMap(({ topologyKey = '', labelSelector }, index) => {
    const own = itemPath(at('spec.topologySpreadConstraints'), index)
    const text = oldNodeLabels[topologyKey]
    return [
      ...(text === undefined ? [] : [`${own}.topologyKey: ${topologyKey} is ${text}`]),
      ...(labelSelector ? [] : [`${own}.labelSelector: a null labelSelector results in matching no pod`]),
    ]
  })
  return [...selector, ...spread]
}

function volumeWarnings(volumes: View<PodSpec>['volumes'], path: string): string[] {
  return (volumes ?? []).flatMap((volume, index) =>
    oldVolumes
      .filter(([field]) => volume[field] !== undefined)
      .map(([, name, text]) => `${itemPath(path, index)}.${name}: ${text}`),
  )
}

function repetitionWarnings(
  { hostAliases, imagePullSecrets }: View<PodSpec>,
  at: (field: string) => string,
): string[] {
  const repeated = (values: readonly string[], path: string, field: string): string[] =>
    values.flatMap((value, index) =>
      values.indexOf(value) < index
        ? [`${itemPath(path, index)}.${field}: duplicate ${field} ${goQuote(value)}`]
        : [],
    )
  const secrets = (imagePullSecrets ?? []).map(({ name = '' }) => name)
  return [
    ...repeated(
      (hostAliases ?? []).map(({ ip = '' }) => ip),
      at('spec.hostAliases'),
      'ip',
    ),
    ...repeated(secrets, at('spec.imagePullSecrets'), 'name'),
    ...secrets.flatMap((name, index) =>
      name === '' ? [`${itemPath(at('spec.imagePullSecrets'), index)}.name: invalid empty name ""`] : [],
    ),
  ]
}

const byteAmounts = [
  ['limits', 'memory'],
  ['requests', 'memory'],
  ['limits', 'ephemeral-storage'],
  ['requests', 'ephemeral-storage'],
] as const

function containerWarnings({ resources, env }: AnyContainer, path: string): string[] {
  const fractions = fractionWarnings(resources, byteAmounts, `${path}.resources`)
  const names = new Set<string>()
  const hidden = (env ?? []).flatMap(({ name = '', value = '', valueFrom }, index) => {
    const isFirst = !names.has(name)
    names.add(name)
    const reference = `$(${name})`
    if (isFirst || (!valueFrom && value !== reference && value.includes(reference))) return []
    return [
      `${itemPath(`${path}.env`, index)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
    ]
  })
  return [...fractions, ...hidden]
}

function portWarnings(containers: ReturnType<typeof allContainers>): string[] {
  const warnings: string[] = []
  const all = containers.flatMap(({ container, path }) =>
    (container.ports ?? []).map((port, index) => ({ port, path: itemPath(`${path}.ports`, index) })),
  )
  for (const [index, { port, path }] of all.entries()) {
    const { hostIP = '', hostPort = 0 } = port
    for (const { port: other, path: otherPath } of all.slice(0, index)) {
      if (other.containerPort !== port.containerPort || other.protocol !== port.protocol) continue
      const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other
      if (hostIP === otherIP && hostPort === otherPort)
        warnings.push(`${path}: duplicate port definition with ${otherPath}`)
      else if (hostPort === 0 || otherPort === 0)
        warnings.push(`${path}: overlapping port definition with ${otherPath}`)
      else if (hostPort === otherPort && (hostIP === '') !== (otherIP === ''))
        warnings.push(`${path}: dangerously ambiguous port definition with ${otherPath}`)
    }
  }
  const named = new Map<string, string>()
  for (const { port, path } of all) {
    const { name = '' } = port
    if (name === '') continue
    const first = named.get(name)
    if (first === undefined) named.set(name, path)
    else
      warnings.push(
        `${path}: duplicate port name ${goQuote(name)} with ${first}, services and probes that select ports by name will use ${first}`,
      )
  }
  return warnings
}

function affinityWarnings(affinity: View<Affinity> | undefined, path: string): string[] {
  const text = 'a null labelSelector results in matching no pod'
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => {
    const required = affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    const preferred = affinity?.[kind]?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    const own = `${path}.${kind}`
    return [
      ...required.flatMap(({ labelSelector }, index) =>
        labelSelector
          ? []
          : [`${own}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${text}`],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        podAffinityTerm?.labelSelector
          ? []
          : [
              `${own}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${text}`,
            ],
      ),
    ]
  })
}
