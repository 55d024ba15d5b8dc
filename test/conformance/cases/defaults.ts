import { type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import { object, podTemplate } from './objects.js'

interface Manifest {
  readonly resource: string
  readonly make: (t: Conversation) => object
}

const selector = { matchLabels: { app: 'a' } }
const metadata = (t: Conversation): object => ({ name: `${t.tag}-a` })
const image = 'example.com/image'

/** A namespaced manifest: the name is always the same, for nothing is left behind. */
const manifest = (resource: string, apiVersion: string, kind: string, fields: object): Manifest => ({
  resource,
  make: () => object(apiVersion, kind, 'a', { ...fields }),
})

const clusterManifest = (resource: string, apiVersion: string, kind: string, fields: object): Manifest => ({
  resource,
  make: (t) => ({ apiVersion, kind, metadata: metadata(t), ...fields }),
})

const podOf = (spec: object): Manifest => manifest('pods', 'v1', 'Pod', { spec })
const one = (fields: object): Manifest => podOf({ containers: [{ name: 'c', image, ...fields }] })
const serviceOf = (spec: object): Manifest => manifest('services', 'v1', 'Service', { spec })
const volume = (source: object): Manifest =>
  podOf({
    containers: [{ name: 'c', image, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    volumes: [{ name: 'v', ...source }],
  })

const pods: Readonly<Record<string, Manifest>> = {
  'a pod': one({}),
  'a pod with an image tag': one({ image: 'i:1' }),
  'a pod with the latest image': one({ image: 'i:latest' }),
  'a pod with a digest': one({ image: `i@sha256:${'a'.repeat(64)}` }),
  'a pod with ports': one({
    ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', name: 'dns' }],
  }),
  'a pod with probes': one({
    livenessProbe: { httpGet: { path: '/', port: 80 } },
    readinessProbe: { tcpSocket: { port: 'http' } },
    startupProbe: { exec: { command: ['x'] }, periodSeconds: 3 },
    ports: [{ containerPort: 80, name: 'http' }],
  }),
  'a pod with a gRPC probe': one({ livenessProbe: { grpc: { port: 5000 } } }),
  'a pod with hooks': one({
    lifecycle: { postStart: { exec: { command: ['x'] } }, preStop: { httpGet: { port: 80 } } },
  }),
  'a pod with limits': one({ resources: { limits: { cpu: '1', memory: '1Gi' } } }),
  'a pod with requests': one({
    resources: {
      requests: { cpu: '0.5', memory: '1024Mi', 'example.com/gpu': '1' },
      limits: { 'example.com/gpu': '1' },
    },
  }),
  'a pod with quantities in odd forms': one({
    resources: { requests: { cpu: '1000m', memory: '1073741824' }, limits: { cpu: '2.50', memory: '1.5Gi' } },
  }),
  'a pod with variables': one({
    env: [
      { name: 'A', value: 'x' },
      { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
      { name: 'D', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    ],
  }),
  'a pod with a security context': one({
    securityContext: { runAsUser: 0, capabilities: { drop: ['ALL'] }, privileged: true },
  }),
  'a pod of a host': podOf({
    hostNetwork: true,
    hostPID: true,
    containers: [{ name: 'c', image, ports: [{ containerPort: 80 }] }],
  }),
  'a pod with init containers': podOf({
    initContainers: [
      { name: 'i', image },
      { name: 's', image, restartPolicy: 'Always' },
    ],
    containers: [{ name: 'c', image }],
  }),
  'a pod with affinities': podOf({
    containers: [{ name: 'c', image }],
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] } },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'z', labelSelector: {} }],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
    ],
  }),
  'a pod with tolerations': podOf({
    containers: [{ name: 'c', image }],
    tolerations: [{ operator: 'Exists' }, { key: 'k', value: 'v', effect: 'NoSchedule' }],
  }),
  'a pod with a priority': podOf({
    containers: [{ name: 'c', image }],
    priorityClassName: 'system-cluster-critical',
  }),
  'a pod with an unknown priority': podOf({
    containers: [{ name: 'c', image }],
    priorityClassName: 'nothing',
  }),
  'a pod with DNS': podOf({
    containers: [{ name: 'c', image }],
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['1.1.1.1'], options: [{ name: 'ndots', value: '2' }] },
  }),
  'a pod with resources of its own': podOf({
    containers: [{ name: 'c', image }],
    resources: { limits: { cpu: '1' } },
  }),
  'an empty directory': volume({ emptyDir: {} }),
  'a volume of a config map': volume({ configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } }),
  'a volume of a secret': volume({ secret: { secretName: 's' } }),
  'a volume of the API': volume({
    downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.labels' } }] },
  }),
  'a projected volume': volume({
    projected: { sources: [{ serviceAccountToken: { path: 't' } }, { configMap: { name: 'c' } }] },
  }),
  'a volume of the host': volume({ hostPath: { path: '/x' } }),
  'an NFS volume': volume({ nfs: { server: 's', path: '/p' } }),
  'an iSCSI volume': volume({
    iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:storage', lun: 0 },
  }),
  'an RBD volume': volume({ rbd: { monitors: ['m'], image: 'i' } }),
  'an ephemeral volume': volume({
    ephemeral: {
      volumeClaimTemplate: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
  }),
  'a volume of an image': volume({ image: { reference: 'example.com/x:1' } }),
  'a volume of a claim': volume({ persistentVolumeClaim: { claimName: 'c' } }),
  'a pod template': manifest('podtemplates', 'v1', 'PodTemplate', { template: podTemplate() }),
}

const workloads: Readonly<Record<string, Manifest>> = {
  'a deployment': manifest('deployments', 'apps/v1', 'Deployment', {
    spec: { selector, template: podTemplate() },
  }),
  'a deployment that is recreated': manifest('deployments', 'apps/v1', 'Deployment', {
    spec: { strategy: { type: 'Recreate' }, selector, template: podTemplate() },
  }),
  'a deployment with half a strategy': manifest('deployments', 'apps/v1', 'Deployment', {
    spec: { strategy: { rollingUpdate: { maxSurge: 1 } }, selector, template: podTemplate() },
  }),
  'a replica set': manifest('replicasets', 'apps/v1', 'ReplicaSet', {
    spec: { selector, template: podTemplate() },
  }),
  'a stateful set': manifest('statefulsets', 'apps/v1', 'StatefulSet', {
    spec: {
      serviceName: 's',
      selector,
      template: podTemplate(),
      volumeClaimTemplates: [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  }),
  'a stateful set that is deleted by hand': manifest('statefulsets', 'apps/v1', 'StatefulSet', {
    spec: {
      updateStrategy: { type: 'OnDelete' },
      podManagementPolicy: 'Parallel',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
      selector,
      template: podTemplate(),
    },
  }),
  'a daemon set': manifest('daemonsets', 'apps/v1', 'DaemonSet', {
    spec: { selector, template: podTemplate() },
  }),
  'a replication controller': manifest('replicationcontrollers', 'v1', 'ReplicationController', {
    spec: { template: podTemplate() },
  }),
  'a job': manifest('jobs', 'batch/v1', 'Job', {
    spec: { template: podTemplate({}, { restartPolicy: 'Never' }) },
  }),
  'an indexed job': manifest('jobs', 'batch/v1', 'Job', {
    spec: {
      completions: 3,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 1,
      template: podTemplate({}, { restartPolicy: 'Never' }),
    },
  }),
  'a job with a policy': manifest('jobs', 'batch/v1', 'Job', {
    spec: {
      podFailurePolicy: {
        rules: [
          { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
        ],
      },
      template: podTemplate({}, { restartPolicy: 'Never' }),
    },
  }),
  'a job of another manager': manifest('jobs', 'batch/v1', 'Job', {
    spec: {
      managedBy: 'example.com/m',
      ttlSecondsAfterFinished: 5,
      template: podTemplate({}, { restartPolicy: 'OnFailure' }),
    },
  }),
  'a cron job': manifest('cronjobs', 'batch/v1', 'CronJob', {
    spec: {
      schedule: '@hourly',
      jobTemplate: { spec: { template: podTemplate({}, { restartPolicy: 'Never' }) } },
    },
  }),
  'a controller revision': manifest('controllerrevisions', 'apps/v1', 'ControllerRevision', {
    revision: 1,
    data: { any: { thing: [1] } },
  }),
}

const network: Readonly<Record<string, Manifest>> = {
  'a service': serviceOf({ ports: [{ port: 80 }] }),
  'a service with a target': serviceOf({
    ports: [
      { port: 80, targetPort: 'http', name: 'a' },
      { port: 81, targetPort: 8080, name: 'b', protocol: 'UDP' },
    ],
  }),
  'a headless service': serviceOf({ clusterIP: 'None' }),
  'a service on nodes': serviceOf({ type: 'NodePort', ports: [{ port: 80 }] }),
  'a service with a balancer': serviceOf({ type: 'LoadBalancer', ports: [{ port: 80 }] }),
  'a service with a local balancer': serviceOf({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    allocateLoadBalancerNodePorts: false,
    ports: [{ port: 80 }],
  }),
  'a service by name': serviceOf({ type: 'ExternalName', externalName: 'example.com' }),
  'a service with affinity': serviceOf({ sessionAffinity: 'ClientIP', ports: [{ port: 80 }] }),
  'a service of one family': serviceOf({
    ipFamilyPolicy: 'SingleStack',
    ipFamilies: ['IPv4'],
    ports: [{ port: 80 }],
  }),
  'a service of two families': serviceOf({ ipFamilyPolicy: 'PreferDualStack', ports: [{ port: 80 }] }),
  'an ingress': manifest('ingresses', 'networking.k8s.io/v1', 'Ingress', {
    spec: {
      rules: [
        {
          http: {
            paths: [
              { pathType: 'Prefix', path: '/', backend: { service: { name: 's', port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  }),
  'a network policy': manifest('networkpolicies', 'networking.k8s.io/v1', 'NetworkPolicy', {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }, {}] }], egress: [{}] },
  }),
  'a network policy of nothing': manifest('networkpolicies', 'networking.k8s.io/v1', 'NetworkPolicy', {
    spec: { podSelector: {} },
  }),
  endpoints: manifest('endpoints', 'v1', 'Endpoints', {
    subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] }],
  }),
  'an endpoint slice': manifest('endpointslices', 'discovery.k8s.io/v1', 'EndpointSlice', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['1.2.3.4'] }],
    ports: [{ port: 80 }],
  }),
  'an ingress class': clusterManifest('ingressclasses', 'networking.k8s.io/v1', 'IngressClass', {
    spec: { controller: 'example.com/c', parameters: { kind: 'K', name: 'n' } },
  }),
}

const rest: Readonly<Record<string, Manifest>> = {
  'a config map': manifest('configmaps', 'v1', 'ConfigMap', {}),
  'a secret': manifest('secrets', 'v1', 'Secret', { stringData: { a: 'b' } }),
  'a secret of an account': manifest('secrets', 'v1', 'Secret', {
    type: 'kubernetes.io/service-account-token',
    metadata: { name: 'a', annotations: { 'kubernetes.io/service-account.name': 'missing' } },
  }),
  'a service account': manifest('serviceaccounts', 'v1', 'ServiceAccount', {}),
  'a limit range': manifest('limitranges', 'v1', 'LimitRange', {
    spec: {
      limits: [
        { type: 'Container', max: { cpu: '2' }, default: { cpu: '1' } },
        { type: 'Pod', min: { memory: '1Mi' } },
      ],
    },
  }),
  'a quota': manifest('resourcequotas', 'v1', 'ResourceQuota', {
    spec: { hard: { pods: '10', 'requests.cpu': '4' } },
  }),
  'a claim': manifest('persistentvolumeclaims', 'v1', 'PersistentVolumeClaim', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  'an event': {
    resource: 'events',
    make: (t) =>
      object('v1', 'Event', 'a', { involvedObject: { namespace: t.namespace, name: 'x', kind: 'Pod' } }),
  },
  'a lease': manifest('leases', 'coordination.k8s.io/v1', 'Lease', {}),
  'a role': manifest('roles', 'rbac.authorization.k8s.io/v1', 'Role', {}),
  'a role binding': manifest('rolebindings', 'rbac.authorization.k8s.io/v1', 'RoleBinding', {
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'User', name: 'u' },
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ],
  }),
  'a disruption budget': manifest('poddisruptionbudgets', 'policy/v1', 'PodDisruptionBudget', {
    spec: { minAvailable: 1, selector },
  }),
  'an autoscaler': manifest('horizontalpodautoscalers', 'autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
  }),
  'an autoscaler with a behaviour': manifest(
    'horizontalpodautoscalers',
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      spec: {
        maxReplicas: 3,
        behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      },
    },
  ),
  'a storage capacity': manifest('csistoragecapacities', 'storage.k8s.io/v1', 'CSIStorageCapacity', {
    storageClassName: 'c',
    capacity: '5Gi',
  }),
  'a claim of a resource': manifest('resourceclaims', 'resource.k8s.io/v1', 'ResourceClaim', {
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c.example.com' } }] } },
  }),
  'a namespace': clusterManifest('namespaces', 'v1', 'Namespace', {}),
  'a node': clusterManifest('nodes', 'v1', 'Node', {}),
  'a node with a network': clusterManifest('nodes', 'v1', 'Node', {
    spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'k', effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '4' } },
  }),
  'a volume': clusterManifest('persistentvolumes', 'v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
  }),
  'a cluster role': clusterManifest('clusterroles', 'rbac.authorization.k8s.io/v1', 'ClusterRole', {}),
  'a cluster role binding': clusterManifest(
    'clusterrolebindings',
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    { roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [{ kind: 'User', name: 'u' }] },
  ),
  'a storage class': clusterManifest('storageclasses', 'storage.k8s.io/v1', 'StorageClass', {
    provisioner: 'example.com/p',
  }),
  'a CSI driver': clusterManifest('csidrivers', 'storage.k8s.io/v1', 'CSIDriver', { spec: {} }),
  'a CSI node': clusterManifest('csinodes', 'storage.k8s.io/v1', 'CSINode', { spec: { drivers: [] } }),
  'an attachment': clusterManifest('volumeattachments', 'storage.k8s.io/v1', 'VolumeAttachment', {
    spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'p' } },
  }),
  'a priority class': clusterManifest('priorityclasses', 'scheduling.k8s.io/v1', 'PriorityClass', {
    value: 1,
  }),
  'a runtime class': clusterManifest('runtimeclasses', 'node.k8s.io/v1', 'RuntimeClass', {
    handler: 'h',
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }] },
  }),
  'a flow schema': clusterManifest('flowschemas', 'flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
    spec: { priorityLevelConfiguration: { name: 'global-default' } },
  }),
  'a priority level': clusterManifest(
    'prioritylevelconfigurations',
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: {} } },
  ),
  'a device class': clusterManifest('deviceclasses', 'resource.k8s.io/v1', 'DeviceClass', {
    spec: { selectors: [{ cel: { expression: 'device.driver == "x"' } }] },
  }),
  'a mutating webhook': clusterManifest(
    'mutatingwebhookconfigurations',
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    {
      webhooks: [
        {
          name: 'a.example.com',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { name: 's', namespace: 'n' } },
          rules: [{ apiGroups: ['x'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] }],
        },
      ],
    },
  ),
  'a policy': clusterManifest(
    'validatingadmissionpolicies',
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['x'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    },
  ),
  'an API service': clusterManifest('apiservices', 'apiregistration.k8s.io/v1', 'APIService', {
    metadata: { name: 'v1.x.example.com' },
    spec: {
      group: 'x.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { name: 's', namespace: 'n' },
      insecureSkipTLSVerify: true,
    },
  }),
  'a definition': {
    resource: 'customresourcedefinitions',
    make: (t) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `xs.${t.tag}.example.com` },
      spec: {
        group: `${t.tag}.example.com`,
        scope: 'Namespaced',
        names: { plural: 'xs', kind: 'X' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
            additionalPrinterColumns: [{ name: 'n', type: 'string', jsonPath: '.x' }],
          },
        ],
      },
    }),
  },
}

export const defaults: readonly Case[] = table(
  'defaults',
  { ...pods, ...workloads, ...network, ...rest },
  async (t, { resource, make }) => {
    // Dry run: no controller, and nobody else, gets hold of it.
    await t.post(t.url(resource, '?dryRun=All'), make(t))
  },
  { namespace: 'shared' },
)
