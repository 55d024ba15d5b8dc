// Custom objects of about 2.3 KB with the managedFields that a real server adds: what an operator really decodes.

export const group = 'bench.kubewright.dev'
export const version = 'v1'
export const plural = 'widgets'
export const namespace = 'bench'

const managedFields = [
  {
    manager: 'kubectl-client-side-apply',
    operation: 'Update',
    apiVersion: `${group}/${version}`,
    time: '2026-01-02T03:04:05Z',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': {
        'f:annotations': { '.': {}, 'f:example.com/owner': {} },
        'f:labels': { '.': {}, 'f:app': {}, 'f:tier': {} },
      },
      'f:spec': {
        '.': {},
        'f:env': {},
        'f:image': {},
        'f:ports': {},
        'f:replicas': {},
        'f:resources': { '.': {}, 'f:limits': { '.': {}, 'f:cpu': {}, 'f:memory': {} } },
        'f:selector': { '.': {}, 'f:matchLabels': { '.': {}, 'f:app': {} } },
      },
    },
  },
  {
    manager: 'widget-controller',
    operation: 'Update',
    apiVersion: `${group}/${version}`,
    time: '2026-01-02T03:04:06Z',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:status': { '.': {}, 'f:conditions': {}, 'f:observedGeneration': {}, 'f:readyReplicas': {} },
    },
    subresource: 'status',
  },
]

/** The object number `index` at a revision. */
export function widget(index, revision) {
  const name = `widget-${String(index).padStart(6, '0')}`
  return {
    apiVersion: `${group}/${version}`,
    kind: 'Widget',
    metadata: {
      name,
      namespace,
      uid: `6f1c2d3e-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(revision),
      generation: 2,
      creationTimestamp: '2026-01-02T03:04:05Z',
      labels: { app: name, tier: index % 2 === 0 ? 'front' : 'back' },
      annotations: { 'example.com/owner': `team-${index % 40}` },
      managedFields,
    },
    spec: {
      image: `images.example.com/widgets/server:${index % 100}`,
      replicas: 1 + (index % 5),
      paused: false,
      generationSeed: revision,
      selector: { matchLabels: { app: name } },
      ports: [
        { name: 'http', port: 8080, protocol: 'TCP' },
        { name: 'metrics', port: 9090, protocol: 'TCP' },
      ],
      resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '64Mi' } },
      env: Array.from({ length: 6 }, (_, at) => ({ name: `SETTING_${at}`, value: `value-${at}-of-${name}` })),
    },
    status: {
      observedGeneration: 2,
      readyReplicas: 1 + (index % 5),
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'AllReplicasReady',
          message: 'All replicas of the widget are ready and serve traffic.',
          lastTransitionTime: '2026-01-02T03:04:09Z',
        },
      ],
    },
  }
}
