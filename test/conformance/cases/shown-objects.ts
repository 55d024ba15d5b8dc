import type { Conversation } from '../conversation.js'
import type { Answer } from '../exchange.js'
import { configMap, deployment, object, pod, podTemplate, secret, service, widget } from './objects.js'
import { hasCondition } from './own-crd.js'

export interface Shown {
  readonly resource: string
  readonly make: (t: Conversation) => object
  /** A merge patch of the status, so that the columns have something to show. */
  readonly status?: object
  /** What the server adds by itself, a moment later. */
  readonly isComplete?: (answer: Answer) => boolean
}

const job = {
  backoffLimit: 2,
  completions: 3,
  parallelism: 2,
  suspend: true,
  template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } },
}

/** An object of each kind that has columns of its own. */
export const shownObjects: Readonly<Record<string, Shown>> = {
  'config maps': {
    resource: 'configmaps',
    make: () => configMap('a', { data: { x: '1', y: '2' }, binaryData: { z: 'AAEC' } }),
  },
  secrets: { resource: 'secrets', make: () => secret('a', { data: { x: 'MQ==' }, type: 'example.com/t' }) },
  services: {
    resource: 'services',
    make: () =>
      service('a', {
        type: 'NodePort',
        selector: { a: 'b' },
        ports: [
          { name: 'x', port: 80 },
          { name: 'y', port: 53, protocol: 'UDP' },
        ],
      }),
  },
  'headless services': {
    resource: 'services',
    make: () => service('a', { clusterIP: 'None', selector: { a: 'b' } }),
  },
  'services with an external name': {
    resource: 'services',
    make: () => service('a', { type: 'ExternalName', externalName: 'example.com' }),
  },
  'services with a balancer': {
    resource: 'services',
    make: () => service('a', { type: 'LoadBalancer', ports: [{ port: 80 }] }),
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'lb.example.com' }] } },
  },
  pods: { resource: 'pods', make: () => pod('a', { schedulerName: 'nobody' }) },
  'running pods': {
    resource: 'pods',
    make: () => pod('a', { nodeName: 'n', readinessGates: [{ conditionType: 'example.com/g' }] }),
    status: {
      phase: 'Running',
      podIP: '10.1.2.3',
      podIPs: [{ ip: '10.1.2.3' }],
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          restartCount: 2,
          image: 'i',
          imageID: 'i',
          state: { running: { startedAt: '2001-01-01T00:00:00Z' } },
        },
      ],
    },
  },
  'pods that crash': {
    resource: 'pods',
    make: () => pod('a', { nodeName: 'n' }),
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'main',
          ready: false,
          restartCount: 5,
          image: 'i',
          imageID: 'i',
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 1, finishedAt: '2001-01-01T00:00:00Z' } },
        },
      ],
    },
  },
  'pods that ended': {
    resource: 'pods',
    make: () => pod('a', { nodeName: 'n' }),
    status: {
      phase: 'Failed',
      reason: 'Evicted',
      containerStatuses: [
        {
          name: 'main',
          ready: false,
          restartCount: 0,
          image: 'i',
          imageID: 'i',
          state: { terminated: { exitCode: 137, signal: 9 } },
        },
      ],
    },
  },
  'pods that begin': {
    resource: 'pods',
    make: () =>
      pod('a', {
        nodeName: 'n',
        initContainers: [
          { name: 'init', image: 'i' },
          { name: 'next', image: 'i' },
        ],
      }),
    status: {
      phase: 'Pending',
      initContainerStatuses: [
        {
          name: 'init',
          ready: false,
          restartCount: 1,
          image: 'i',
          imageID: 'i',
          state: { terminated: { exitCode: 3, reason: 'Error' } },
        },
        {
          name: 'next',
          ready: false,
          restartCount: 0,
          image: 'i',
          imageID: 'i',
          state: { waiting: { reason: 'PodInitializing' } },
        },
      ],
    },
  },
  deployments: {
    resource: 'deployments',
    make: () => deployment('a', { replicas: 3 }),
    status: {
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
    },
  },
  'replica sets': {
    resource: 'replicasets',
    make: () =>
      object('apps/v1', 'ReplicaSet', 'a', {
        spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template: podTemplate() },
      }),
    status: { replicas: 2, readyReplicas: 1 },
  },
  'stateful sets': {
    resource: 'statefulsets',
    make: () =>
      object('apps/v1', 'StatefulSet', 'a', {
        spec: {
          replicas: 2,
          serviceName: 's',
          selector: { matchLabels: { app: 'a' } },
          template: podTemplate(),
        },
      }),
    status: { replicas: 2, readyReplicas: 1 },
  },
  'daemon sets': {
    resource: 'daemonsets',
    make: () =>
      object('apps/v1', 'DaemonSet', 'a', {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: podTemplate({ app: 'a' }, { nodeSelector: { disk: 'ssd' } }),
        },
      }),
    status: {
      desiredNumberScheduled: 3,
      currentNumberScheduled: 2,
      numberReady: 1,
      numberAvailable: 1,
      updatedNumberScheduled: 2,
      numberMisscheduled: 0,
    },
  },
  'replication controllers': {
    resource: 'replicationcontrollers',
    make: () =>
      object('v1', 'ReplicationController', 'a', {
        spec: { replicas: 2, selector: { app: 'a' }, template: podTemplate() },
      }),
    status: { replicas: 2, readyReplicas: 1 },
  },
  jobs: {
    resource: 'jobs',
    make: () => object('batch/v1', 'Job', 'a', { spec: job }),
    status: { succeeded: 1, active: 1 },
  },
  'cron jobs': {
    resource: 'cronjobs',
    make: () =>
      object('batch/v1', 'CronJob', 'a', {
        spec: { schedule: '*/5 * * * *', timeZone: 'Etc/UTC', suspend: true, jobTemplate: { spec: job } },
      }),
  },
  ingresses: {
    resource: 'ingresses',
    make: () =>
      object('networking.k8s.io/v1', 'Ingress', 'a', {
        spec: {
          ingressClassName: 'c',
          tls: [{ hosts: ['a.example.com'] }],
          rules: [
            {
              host: 'a.example.com',
              http: {
                paths: [
                  { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'p' } } } },
                ],
              },
            },
            { host: 'b.example.com' },
          ],
        },
      }),
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
  },
  'network policies': {
    resource: 'networkpolicies',
    make: () =>
      object('networking.k8s.io/v1', 'NetworkPolicy', 'a', {
        spec: {
          podSelector: {
            matchLabels: { a: 'b' },
            matchExpressions: [{ key: 'k', operator: 'In', values: ['v', 'w'] }],
          },
        },
      }),
  },
  budgets: {
    resource: 'poddisruptionbudgets',
    make: () =>
      object('policy/v1', 'PodDisruptionBudget', 'a', { spec: { maxUnavailable: '30%', selector: {} } }),
    status: { disruptionsAllowed: 2, currentHealthy: 1, desiredHealthy: 1, expectedPods: 3 },
  },
  autoscalers: {
    resource: 'horizontalpodautoscalers',
    make: () =>
      object('autoscaling/v2', 'HorizontalPodAutoscaler', 'a', {
        spec: {
          minReplicas: 1,
          maxReplicas: 5,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
        },
      }),
  },
  'claims of volumes': {
    resource: 'persistentvolumeclaims',
    make: () =>
      object('v1', 'PersistentVolumeClaim', 'a', {
        spec: {
          accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
          storageClassName: 'c',
          resources: { requests: { storage: '1Gi' } },
        },
      }),
  },
  volumes: {
    resource: 'persistentvolumes',
    make: (t) =>
      object('v1', 'PersistentVolume', `${t.tag}-a`, {
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteMany'],
          hostPath: { path: '/x' },
          storageClassName: 'c',
          persistentVolumeReclaimPolicy: 'Retain',
        },
      }),
  },
  nodes: {
    resource: 'nodes',
    make: (t) => ({
      ...object('v1', 'Node', ''),
      metadata: { name: `${t.tag}-a`, labels: { 'node-role.kubernetes.io/worker': '' } },
      spec: { unschedulable: true },
    }),
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
      nodeInfo: {
        kubeletVersion: 'v1.2.3',
        osImage: 'Linux',
        kernelVersion: '6',
        containerRuntimeVersion: 'c://1',
        machineID: '',
        systemUUID: '',
        bootID: '',
        kubeProxyVersion: '',
        operatingSystem: '',
        architecture: '',
      },
    },
  },
  namespaces: { resource: 'namespaces', make: (t) => object('v1', 'Namespace', `${t.tag}-a`) },
  'service accounts': {
    resource: 'serviceaccounts',
    make: () => object('v1', 'ServiceAccount', 'a', { secrets: [{ name: 's' }] }),
  },
  endpoints: {
    resource: 'endpoints',
    make: () =>
      object('v1', 'Endpoints', 'a', {
        subsets: [
          {
            addresses: [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }],
            ports: [
              { name: 'p', port: 80 },
              { name: 'q', port: 81 },
            ],
          },
        ],
      }),
  },
  'endpoint slices': {
    resource: 'endpointslices',
    make: () =>
      object('discovery.k8s.io/v1', 'EndpointSlice', 'a', {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['1.2.3.4'] }],
        ports: [{ name: 'p', port: 80, protocol: 'TCP' }],
      }),
  },
  events: {
    resource: 'events',
    make: (t) =>
      object('v1', 'Event', 'a', {
        involvedObject: { kind: 'Pod', name: 'p', namespace: t.namespace, fieldPath: 'spec.x' },
        reason: 'Because',
        message: ' hello \n world ',
        type: 'Normal',
        count: 3,
        source: { component: 'me', host: 'h' },
        firstTimestamp: '2001-01-01T00:00:00Z',
        lastTimestamp: '2001-01-02T00:00:00Z',
      }),
  },
  'limit ranges': {
    resource: 'limitranges',
    make: () => object('v1', 'LimitRange', 'a', { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } }),
  },
  quotas: {
    resource: 'resourcequotas',
    make: () => object('v1', 'ResourceQuota', 'a', { spec: { hard: { 'example.com/x': '2' } } }),
    isComplete: (answer) => answer.at('status.hard') !== undefined,
  },
  roles: {
    resource: 'roles',
    make: () => object('rbac.authorization.k8s.io/v1', 'Role', 'a', { rules: [] }),
  },
  'role bindings': {
    resource: 'rolebindings',
    make: () =>
      object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'a', {
        roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
          { kind: 'Group', name: 'g' },
        ],
      }),
  },
  leases: {
    resource: 'leases',
    make: () => object('coordination.k8s.io/v1', 'Lease', 'a', { spec: { holderIdentity: 'me' } }),
  },
  'priority classes': {
    resource: 'priorityclasses',
    make: (t) =>
      object('scheduling.k8s.io/v1', 'PriorityClass', `${t.tag}-a`, { value: 7, preemptionPolicy: 'Never' }),
  },
  'storage classes': {
    resource: 'storageclasses',
    make: (t) =>
      object('storage.k8s.io/v1', 'StorageClass', `${t.tag}-a`, {
        provisioner: 'example.com/p',
        volumeBindingMode: 'WaitForFirstConsumer',
      }),
  },
  'ingress classes': {
    resource: 'ingressclasses',
    make: (t) =>
      object('networking.k8s.io/v1', 'IngressClass', `${t.tag}-a`, {
        spec: {
          controller: 'example.com/c',
          parameters: { apiGroup: 'g.example.com', kind: 'K', name: 'n' },
        },
      }),
  },
  'runtime classes': {
    resource: 'runtimeclasses',
    make: (t) => object('node.k8s.io/v1', 'RuntimeClass', `${t.tag}-a`, { handler: 'h' }),
  },
  'CSI drivers': {
    resource: 'csidrivers',
    make: (t) => object('storage.k8s.io/v1', 'CSIDriver', `${t.tag}-a`, { spec: { attachRequired: false } }),
  },
  'pod templates': {
    resource: 'podtemplates',
    make: () => object('v1', 'PodTemplate', 'a', { template: podTemplate() }),
  },
  'controller revisions': {
    resource: 'controllerrevisions',
    make: () => object('apps/v1', 'ControllerRevision', 'a', { revision: 4, data: { x: 1 } }),
  },
  'validating webhooks': {
    resource: 'validatingwebhookconfigurations',
    make: (t) =>
      object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', `${t.tag}-a`, {
        webhooks: [],
      }),
  },
  'admission policies': {
    resource: 'validatingadmissionpolicies',
    make: (t) =>
      object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', `${t.tag}-a`, {
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['x.example.com'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      }),
  },
  definitions: {
    resource: 'customresourcedefinitions',
    isComplete: (answer) => hasCondition(answer, 'Established'),
    make: (t) =>
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `xs.${t.tag}.example.com`, {
        spec: {
          group: `${t.tag}.example.com`,
          scope: 'Cluster',
          names: { plural: 'xs', kind: 'X' },
          versions: [
            { name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      }),
  },
  widgets: {
    resource: 'widgets',
    make: (t) =>
      widget(t, 'a', { size: 3, enabled: true, ratio: 0.5, parts: [{ name: 'x' }, { name: 'y' }] }),
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  },
  'empty widgets': { resource: 'widgets', make: (t) => widget(t, 'a') },
  gadgets: { resource: 'gadgets', make: (t) => object(`${t.group}/v1`, 'Gadget', `${t.tag}-a`) },
}
