import { object } from './objects.js'
import type { BadManifest } from './validation.js'

const of =
  (resource: string, apiVersion: string, kind: string) =>
  (fields: object): BadManifest => ({
    resource,
    body: object(apiVersion, kind, 'a', { ...fields }),
  })
const configMap = of('configmaps', 'v1', 'ConfigMap')
const secret = of('secrets', 'v1', 'Secret')
const claim = of('persistentvolumeclaims', 'v1', 'PersistentVolumeClaim')
const volume = of('persistentvolumes', 'v1', 'PersistentVolume')
const lease = of('leases', 'coordination.k8s.io/v1', 'Lease')
const node = of('nodes', 'v1', 'Node')
const limitRange = of('limitranges', 'v1', 'LimitRange')
const quota = of('resourcequotas', 'v1', 'ResourceQuota')
const event = of('events', 'v1', 'Event')
const storageClass = of('storageclasses', 'storage.k8s.io/v1', 'StorageClass')
const priorityClass = of('priorityclasses', 'scheduling.k8s.io/v1', 'PriorityClass')
const runtimeClass = of('runtimeclasses', 'node.k8s.io/v1', 'RuntimeClass')
const apiService = of('apiservices', 'apiregistration.k8s.io/v1', 'APIService')
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const volumeSpec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } }
const limits = (...items: object[]): BadManifest => limitRange({ spec: { limits: items } })
const auth = (text: string): string => Buffer.from(text).toString('base64')

/** Everything else that is refused. */
export const badOthers: Readonly<Record<string, BadManifest>> = {
  'a config map with a wrong key': configMap({ data: { 'not ok': 'x' } }),
  'a config map with a key of dots': configMap({ data: { '..': 'x' } }),
  'a config map with a long key': configMap({ data: { ['k'.repeat(254)]: 'x' } }),
  'a config map with a key in both maps': configMap({ data: { k: 'x' }, binaryData: { k: 'AAEC' } }),
  'a config map with a number': configMap({ data: { k: 5 } }),
  'a config map with a map': configMap({ data: { k: {} } }),
  'a config map with bytes that are none': configMap({ binaryData: { k: '?' } }),
  'a config map that is immutable by text': configMap({ immutable: 'yes' }),
  'a secret with a wrong key': secret({ data: { 'not ok': 'eA==' } }),
  'a secret with bytes that are none': secret({ data: { k: 'not base64!' } }),
  'a secret of an account without its name': secret({ type: 'kubernetes.io/service-account-token' }),
  'a secret of docker without its file': secret({ type: 'kubernetes.io/dockerconfigjson' }),
  'a secret of docker that is no JSON': secret({
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': auth('x') },
  }),
  'an old secret of docker that is no JSON': secret({
    type: 'kubernetes.io/dockercfg',
    data: { '.dockercfg': auth('x') },
  }),
  'a secret of TLS without a certificate': secret({ type: 'kubernetes.io/tls' }),
  'a secret of a user without anything': secret({ type: 'kubernetes.io/basic-auth' }),
  'a secret of SSH without a key': secret({ type: 'kubernetes.io/ssh-auth' }),
  'a claim without modes': claim({ spec: { resources: claimSpec.resources } }),
  'a claim without a size': claim({ spec: { accessModes: ['ReadWriteOnce'] } }),
  'a claim of an unknown mode': claim({ spec: { ...claimSpec, accessModes: ['Mine'] } }),
  'a claim of a negative size': claim({ spec: { ...claimSpec, resources: { requests: { storage: '-1' } } } }),
  'a claim of a wrong class': claim({ spec: { ...claimSpec, storageClassName: 'Not Ok' } }),
  'a claim of an unknown volume mode': claim({ spec: { ...claimSpec, volumeMode: 'Mine' } }),
  'a claim with a wrong source': claim({ spec: { ...claimSpec, dataSource: { kind: '', name: '' } } }),
  'a claim of one pod and more': claim({
    spec: { ...claimSpec, accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
  }),
  'a volume without a source': volume({ spec: { ...volumeSpec, hostPath: null } }),
  'a volume of two sources': volume({ spec: { ...volumeSpec, nfs: { server: 's', path: '/p' } } }),
  'a volume without a capacity': volume({ spec: { ...volumeSpec, capacity: null } }),
  'a volume of an unknown policy': volume({ spec: { ...volumeSpec, persistentVolumeReclaimPolicy: 'Burn' } }),
  'a volume of the root that is recycled': volume({
    spec: { ...volumeSpec, hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
  }),
  'a volume with a wrong affinity': volume({ spec: { ...volumeSpec, nodeAffinity: {} } }),
  'a local volume without an affinity': volume({
    spec: { ...volumeSpec, hostPath: null, local: { path: '/x' } },
  }),
  'a CSI volume without a driver': volume({ spec: { ...volumeSpec, hostPath: null, csi: {} } }),
  'a lease of no time': lease({ spec: { leaseDurationSeconds: 0 } }),
  'a lease of negative transitions': lease({ spec: { leaseTransitions: -1 } }),
  'a lease without a holder': lease({ spec: { holderIdentity: '' } }),
  'a lease with a wrong time': lease({ spec: { renewTime: 'now' } }),
  'a lease with a wrong strategy': lease({ spec: { strategy: 'Mine', preferredHolder: 'x' } }),
  'a node with a wrong network': node({ spec: { podCIDR: 'x', podCIDRs: ['y'] } }),
  'a node with wrong taints': node({
    spec: {
      taints: [
        { key: 'not ok', effect: 'No' },
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', effect: 'NoSchedule' },
      ],
    },
  }),
  'a limit of an unknown type': limits({ type: 'Galaxy' }),
  'a limit of a wrong type': limits({ type: 'Pod', default: { cpu: '1' } }),
  'a limit below its request': limits({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }),
  'a limit with a default out of bounds': limits({
    type: 'Container',
    default: { cpu: '3' },
    max: { cpu: '1' },
    defaultRequest: { cpu: '4' },
  }),
  'a limit with a small ratio': limits({ type: 'Container', maxLimitRequestRatio: { cpu: '0.5' } }),
  'a limit of claims without bounds': limits({ type: 'PersistentVolumeClaim' }),
  'a quota of a negative amount': quota({ spec: { hard: { pods: '-1' } } }),
  'a quota of half a pod': quota({ spec: { hard: { pods: '1.5' } } }),
  'a quota of an unknown resource': quota({ spec: { hard: { unknown: '1' } } }),
  'a quota of a resource that is no name': quota({ spec: { hard: { 'not ok': '1' } } }),
  'a quota of an unknown scope': quota({ spec: { hard: { pods: '1' }, scopes: ['Galaxy'] } }),
  'a quota of contradicting scopes': quota({
    spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] },
  }),
  'a quota of a scope that does not fit': quota({
    spec: { hard: { services: '1' }, scopes: ['BestEffort'] },
  }),
  'an event of another namespace': event({ involvedObject: { namespace: 'other', kind: 'Pod' } }),
  'an event without a namespace': event({ involvedObject: { kind: 'Pod' } }),
  'a new event without its fields': {
    resource: 'events',
    body: object('v1', 'Event', 'a', {
      eventTime: '2001-01-01T00:00:00.000000Z',
      involvedObject: { namespace: 'default' },
    }),
  },
  'a class without a provisioner': storageClass({}),
  'a class with a wrong provisioner': storageClass({ provisioner: 'not ok' }),
  'a class of an unknown policy': storageClass({
    provisioner: 'example.com/p',
    reclaimPolicy: 'Burn',
    volumeBindingMode: 'Maybe',
  }),
  'a class with wrong topologies': storageClass({
    provisioner: 'example.com/p',
    allowedTopologies: [{ matchLabelExpressions: [{ key: '', values: [] }] }],
  }),
  'a priority that is too high': priorityClass({ value: 2_000_000_000 }),
  'a priority of the system': {
    resource: 'priorityclasses',
    body: object('scheduling.k8s.io/v1', 'PriorityClass', 'system-mine', { value: 1 }),
  },
  'a priority of an unknown policy': priorityClass({ value: 1, preemptionPolicy: 'Maybe' }),
  'a runtime without a handler': runtimeClass({}),
  'a runtime with a wrong handler': runtimeClass({
    handler: 'Not Ok',
    overhead: { podFixed: { cpu: '-1' } },
    scheduling: { nodeSelector: { 'not ok': 'x' } },
  }),
  'a service account with a wrong secret': of('serviceaccounts', 'v1', 'ServiceAccount')({ secrets: 'x' }),
  'a CSI driver of an unknown policy': of(
    'csidrivers',
    'storage.k8s.io/v1',
    'CSIDriver',
  )({ spec: { fsGroupPolicy: 'Maybe', volumeLifecycleModes: ['Mine'] } }),
  'a CSI node with wrong drivers': of(
    'csinodes',
    'storage.k8s.io/v1',
    'CSINode',
  )({
    spec: {
      drivers: [
        { name: '', nodeID: '' },
        { name: 'a', nodeID: 'x' },
        { name: 'a', nodeID: 'y' },
      ],
    },
  }),
  'an attachment without anything': of(
    'volumeattachments',
    'storage.k8s.io/v1',
    'VolumeAttachment',
  )({ spec: {} }),
  'a capacity without a class': of(
    'csistoragecapacities',
    'storage.k8s.io/v1',
    'CSIStorageCapacity',
  )({ capacity: '-1' }),
  'a signing request without a signer': of(
    'certificatesigningrequests',
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
  )({ spec: { request: 'eA==' } }),
  'a flow schema without a level': of(
    'flowschemas',
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
  )({ spec: { matchingPrecedence: 99_999 } }),
  'a level of an unknown type': of(
    'prioritylevelconfigurations',
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
  )({ spec: { type: 'Magic' } }),
  'an API service of another name': apiService({
    spec: { group: 'g.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  }),
  'an API service with wrong priorities': {
    resource: 'apiservices',
    body: object('apiregistration.k8s.io/v1', 'APIService', 'v1.g.example.com', {
      spec: {
        group: 'g.example.com',
        version: 'v1',
        groupPriorityMinimum: 0,
        versionPriority: 0,
        service: { name: '', namespace: '' },
      },
    }),
  },
  'a device class with a wrong rule': of(
    'deviceclasses',
    'resource.k8s.io/v1',
    'DeviceClass',
  )({ spec: { selectors: [{ cel: { expression: 'device.' } }, {}] } }),
  'a resource claim without a class': of(
    'resourceclaims',
    'resource.k8s.io/v1',
    'ResourceClaim',
  )({ spec: { devices: { requests: [{ name: 'Not Ok' }, { name: 'a', exactly: {} }] } } }),
  'a namespace with wrong finalizers': {
    resource: 'namespaces',
    body: object('v1', 'Namespace', 'x-a', { spec: { finalizers: ['not ok'] } }),
  },
}
