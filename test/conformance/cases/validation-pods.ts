import { object } from './objects.js'
import type { BadManifest } from './validation.js'

const image = 'example.com/image'
const ofPod = (spec: object): BadManifest => ({ resource: 'pods', body: object('v1', 'Pod', 'a', { spec }) })
const ofContainer = (fields: object): BadManifest => ofPod({ containers: [{ name: 'c', image, ...fields }] })
const withSpec = (fields: object): BadManifest => ofPod({ containers: [{ name: 'c', image }], ...fields })
const withVolume = (volume: object, mount: object = {}): BadManifest =>
  ofPod({
    containers: [{ name: 'c', image, volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }],
    volumes: [{ name: 'v', ...volume }],
  })
const twice = (field: string, item: object): BadManifest => ofContainer({ [field]: [item, item] })

/** Pods that are refused. */
export const badPods: Readonly<Record<string, BadManifest>> = {
  'a pod without a spec': { resource: 'pods', body: object('v1', 'Pod', 'a') },
  'a pod without containers': ofPod({ containers: [] }),
  'a container without a name': ofPod({ containers: [{ image }] }),
  'a container without an image': ofPod({ containers: [{ name: 'c' }] }),
  'a container with a wrong name': ofContainer({ name: 'Not_Ok' }),
  'an image with spaces around it': ofContainer({ image: ' i ' }),
  'two containers of one name': ofPod({
    containers: [
      { name: 'c', image },
      { name: 'c', image },
    ],
  }),
  'an init container of the same name': ofPod({
    initContainers: [{ name: 'c', image }],
    containers: [{ name: 'c', image }],
  }),
  'a wrong pull policy': ofContainer({ imagePullPolicy: 'Sometimes' }),
  'a wrong restart policy': withSpec({ restartPolicy: 'Perhaps' }),
  'a restart policy of a container': ofContainer({ restartPolicy: 'Perhaps' }),
  'a wrong DNS policy': withSpec({ dnsPolicy: 'Mine' }),
  'DNS of its own without servers': withSpec({ dnsPolicy: 'None' }),
  'a wrong name server': withSpec({ dnsConfig: { nameservers: ['x'] } }),
  'a negative grace period': withSpec({ terminationGracePeriodSeconds: -1 }),
  'a negative deadline': withSpec({ activeDeadlineSeconds: -1 }),
  'a deadline of zero': withSpec({ activeDeadlineSeconds: 0 }),
  'a wrong node name': withSpec({ nodeName: 'Not Ok' }),
  'a wrong node selector': withSpec({ nodeSelector: { 'not ok': 'x' } }),
  'a wrong value of a node selector': withSpec({ nodeSelector: { ok: 'not ok' } }),
  'a wrong host name': withSpec({ hostname: 'Not Ok', subdomain: 'Not Ok' }),
  'a wrong scheduler': withSpec({ schedulerName: 'Not Ok' }),
  'a wrong pull secret': withSpec({ imagePullSecrets: [{ name: '' }] }),
  'wrong host aliases': withSpec({ hostAliases: [{ ip: 'x', hostnames: ['Not Ok'] }] }),
  'a wrong toleration': withSpec({
    tolerations: [
      { key: 'k', operator: 'Like' },
      { operator: 'Equal' },
      { key: 'k', effect: 'No' },
      { key: 'k', operator: 'Exists', value: 'v' },
      { key: 'k', effect: 'NoSchedule', tolerationSeconds: 5 },
    ],
  }),
  'a wrong affinity': withSpec({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }],
      },
    },
  }),
  'a wrong term of a node': withSpec({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'k', operator: 'In' },
                { key: 'k', operator: 'Gt', values: ['x'] },
                { key: 'k', operator: 'Like' },
              ],
            },
          ],
        },
      },
    },
  }),
  'a wrong affinity of pods': withSpec({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: '' }],
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 101, podAffinityTerm: { topologyKey: 'z' } },
        ],
      },
    },
  }),
  'a wrong spread': withSpec({
    topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Maybe' }],
  }),
  'a wrong readiness gate': withSpec({ readinessGates: [{ conditionType: 'not ok' }] }),
  'a wrong system': withSpec({ os: { name: 'mine' } }),
  'a wrong scheduling gate': withSpec({
    schedulingGates: [{ name: 'not ok' }, { name: 'example.com/a' }, { name: 'example.com/a' }],
  }),
  'gates and a node': withSpec({ nodeName: 'n', schedulingGates: [{ name: 'example.com/a' }] }),
  'wrong sysctls': withSpec({
    securityContext: {
      sysctls: [
        { name: 'a..b', value: '1' },
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    },
  }),
  'a wrong user': withSpec({
    securityContext: { runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [-1] },
  }),
  'a wrong group policy': withSpec({ securityContext: { fsGroupChangePolicy: 'Never' } }),
  'a wrong seccomp profile': withSpec({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
  'an unknown seccomp profile': withSpec({ securityContext: { seccompProfile: { type: 'Mine' } } }),
  'a host port without the host': withSpec({
    hostNetwork: true,
    containers: [{ name: 'c', image, ports: [{ containerPort: 80, hostPort: 81 }] }],
  }),
  "a priority of one's own": withSpec({ priority: 7 }),
  'a preemption policy': withSpec({ preemptionPolicy: 'Sometimes' }),
  "a shared and a host's process space": withSpec({ hostPID: true, shareProcessNamespace: true }),
  'a port without a number': ofContainer({ ports: [{}] }),
  'a port out of range': ofContainer({ ports: [{ containerPort: 99999 }, { containerPort: -1 }] }),
  'a wrong protocol': ofContainer({ ports: [{ containerPort: 80, protocol: 'ICMP' }] }),
  'a wrong name of a port': ofContainer({
    ports: [
      { containerPort: 80, name: 'this-name-is-too-long' },
      { containerPort: 81, name: '123' },
    ],
  }),
  'the same port name twice': ofContainer({
    ports: [
      { containerPort: 80, name: 'a' },
      { containerPort: 81, name: 'a' },
    ],
  }),
  'the same host port twice': ofPod({
    containers: [
      { name: 'c', image, ports: [{ containerPort: 80, hostPort: 80 }] },
      { name: 'd', image, ports: [{ containerPort: 81, hostPort: 80 }] },
    ],
  }),
  'a variable without a name': ofContainer({ env: [{ value: 'x' }] }),
  'a wrong name of a variable': ofContainer({ env: [{ name: 'a=b', value: 'x' }] }),
  'a variable with a value and a source': ofContainer({
    env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  }),
  'a variable without a source': ofContainer({ env: [{ name: 'A', valueFrom: {} }] }),
  'a variable with two sources': ofContainer({
    env: [
      {
        name: 'A',
        valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } },
      },
    ],
  }),
  'a variable of an unknown field': ofContainer({
    env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.x' } } }],
  }),
  'a variable of an unknown resource': ofContainer({
    env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.x' } } }],
  }),
  'a variable of a wrong key': ofContainer({
    env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: '', key: 'a b' } } }],
  }),
  'variables from nothing': ofContainer({
    envFrom: [
      {},
      { prefix: 'a b', configMapRef: { name: 'c' } },
      { configMapRef: { name: 'c' }, secretRef: { name: 's' } },
    ],
  }),
  'requests above limits': ofContainer({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
  'a negative request': ofContainer({ resources: { requests: { memory: '-1' } } }),
  'a wrong quantity': ofContainer({ resources: { requests: { cpu: 'lots' } } }),
  'a wrong resource': ofContainer({ resources: { requests: { 'not ok': '1' } } }),
  'an unknown resource': ofContainer({ resources: { requests: { unknown: '1' } } }),
  'a part of a device': ofContainer({ resources: { limits: { 'example.com/gpu': '1.5' } } }),
  'a request of a device without a limit': ofContainer({
    resources: { requests: { 'example.com/gpu': '1' } },
  }),
  'huge pages without memory': ofContainer({ resources: { limits: { 'hugepages-2Mi': '4Mi' } } }),
  'a probe without a handler': ofContainer({ livenessProbe: {} }),
  'a probe with two handlers': ofContainer({
    livenessProbe: { tcpSocket: { port: 80 }, exec: { command: ['x'] } },
  }),
  'a probe without a command': ofContainer({ livenessProbe: { exec: { command: [] } } }),
  'a probe with a wrong port': ofContainer({
    livenessProbe: { httpGet: { port: 0 } },
    readinessProbe: { tcpSocket: { port: 'NOT OK' } },
  }),
  'a probe with a wrong scheme': ofContainer({ livenessProbe: { httpGet: { port: 80, scheme: 'FTP' } } }),
  'a probe with a wrong header': ofContainer({
    livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'not ok', value: 'x' }] } },
  }),
  'a probe with negative times': ofContainer({
    readinessProbe: {
      tcpSocket: { port: 80 },
      periodSeconds: -1,
      timeoutSeconds: -1,
      initialDelaySeconds: -1,
      failureThreshold: -1,
    },
  }),
  'a liveness probe that must succeed twice': ofContainer({
    livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 },
  }),
  'a hook without a handler': ofContainer({
    lifecycle: { postStart: {}, preStop: { sleep: { seconds: -1 } } },
  }),
  'wrong capabilities of a privileged container': ofContainer({
    securityContext: { privileged: true, allowPrivilegeEscalation: false },
  }),
  'a wrong mount of proc': ofContainer({ securityContext: { procMount: 'All' } }),
  'a mount without a volume': ofContainer({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
  'a mount without a path': withVolume({ emptyDir: {} }, { mountPath: '' }),
  'a path of a mount that leaves': withVolume({ emptyDir: {} }, { subPath: '../x' }),
  'a path and an expression': withVolume({ emptyDir: {} }, { subPath: 'a', subPathExpr: 'b' }),
  'a wrong propagation': withVolume({ emptyDir: {} }, { mountPropagation: 'Bidirectional' }),
  'two mounts at one path': ofPod({
    containers: [
      {
        name: 'c',
        image,
        volumeMounts: [
          { name: 'v', mountPath: '/v' },
          { name: 'v', mountPath: '/v' },
        ],
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  }),
  'two volumes of one name': withSpec({
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'v', emptyDir: {} },
    ],
  }),
  'a volume without a name': withSpec({ volumes: [{ emptyDir: {} }] }),
  'a volume with two sources': withVolume({ emptyDir: {}, hostPath: { path: '/x' } }),
  'a volume of a wrong host path': withVolume({ hostPath: { path: '../x', type: 'Mine' } }),
  'a volume of no config map': withVolume({ configMap: { name: '' } }),
  'a volume with wrong items': withVolume({
    configMap: {
      name: 'c',
      defaultMode: 999_999,
      items: [
        { key: '', path: '/abs' },
        { key: 'k', path: '../x' },
      ],
    },
  }),
  'a volume of no secret': withVolume({ secret: {} }),
  'a volume of no claim': withVolume({ persistentVolumeClaim: { claimName: '' } }),
  'a volume of unknown fields': withVolume({
    downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'spec.x' } }, { path: '' }] },
  }),
  'a projected volume with conflicts': withVolume({
    projected: {
      sources: [
        { configMap: { name: 'c', items: [{ key: 'a', path: 'p' }] } },
        { secret: { name: 's', items: [{ key: 'a', path: 'p' }] } },
        {},
      ],
    },
  }),
  'a projected token with a short life': {
    resource: 'pods',
    body: object('v1', 'Pod', 'a', {
      spec: {
        serviceAccountName: 'default',
        containers: [{ name: 'c', image, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
        volumes: [
          {
            name: 'v',
            projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 5 } }] },
          },
        ],
      },
    }),
  },
  'an empty directory with a negative size': withVolume({ emptyDir: { sizeLimit: '-1', medium: 'Mine' } }),
  'an ephemeral volume without a template': withVolume({ ephemeral: {} }),
  'a device twice': twice('volumeDevices', { name: 'v', devicePath: '/dev/x' }),
  'an ephemeral container on creation': withSpec({ ephemeralContainers: [{ name: 'e', image }] }),
  'a pod with labels that are wrong': {
    resource: 'pods',
    body: {
      ...object('v1', 'Pod', 'a', { spec: { containers: [{ name: 'c', image }] } }),
      metadata: { name: 'a', annotations: { 'BAD KEY': 'x' } },
    },
  },
  'a container whose command is a text': ofContainer({ command: 'x' }),
  'a port that is a text': ofContainer({ ports: [{ containerPort: '80' }] }),
}
