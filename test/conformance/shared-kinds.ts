/** Schemas as a CRD has them. */
type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const int: Schema = { type: 'integer' }

/** What a widget may hold: one field for each way in which fields merge, default, prune and validate. */
const widgetSpec: Schema = {
  type: 'object',
  properties: {
    size: { type: 'integer', format: 'int64', minimum: 0, maximum: 1000 },
    replicas: { type: 'integer', format: 'int32' },
    ratio: { type: 'number' },
    title: { type: 'string', maxLength: 20 },
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
    enabled: { type: 'boolean' },
    note: { type: 'string', nullable: true },
    port: { 'x-kubernetes-int-or-string': true },
    atomicList: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
    plainList: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, count: int, color: { type: 'string', default: 'red' } },
      },
    },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: int, protocol: { type: 'string', default: 'TCP' }, name: text },
      },
    },
    labels: { type: 'object', additionalProperties: text },
    atomicMap: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    nested: {
      type: 'object',
      properties: { a: text, b: text, deeper: { type: 'object', properties: { c: int } } },
    },
    atomicObject: { type: 'object', properties: { a: text, b: text }, 'x-kubernetes-map-type': 'atomic' },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

const widgetStatus: Schema = {
  type: 'object',
  properties: {
    phase: text,
    replicas: { type: 'integer', format: 'int32' },
    selector: text,
    observedGeneration: { type: 'integer', format: 'int64' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { type: 'object', required: ['type'], properties: { type: text, status: text, reason: text } },
    },
  },
}

const gizmoVersion = (name: string, more: object): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { shared: text, ...(name === 'v1' ? { fresh: text } : { stale: text }) },
        },
      },
    },
  },
  ...more,
})

/** The CRDs that are there for every case, in the group of the run. */
export function sharedKinds(group: string): readonly object[] {
  const crd = (plural: string, kind: string, spec: object): object => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` }, ...spec },
  })
  return [
    crd('widgets', 'Widget', {
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: widgetSpec, status: widgetStatus } },
          },
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          },
          selectableFields: [{ jsonPath: '.spec.mode' }, { jsonPath: '.spec.size' }],
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large it is' },
            { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
            { name: 'Parts', type: 'string', jsonPath: '.spec.parts[*].name', priority: 1 },
            { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
            { name: 'Enabled', type: 'boolean', jsonPath: '.spec.enabled' },
            { name: 'Ratio', type: 'number', format: 'double', jsonPath: '.spec.ratio' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    }),
    crd('gadgets', 'Gadget', {
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    }),
    crd('gizmos', 'Gizmo', {
      scope: 'Namespaced',
      versions: [
        gizmoVersion('v1', {}),
        gizmoVersion('v1beta1', { deprecated: true }),
        gizmoVersion('v1alpha1', {
          deprecated: true,
          deprecationWarning: 'gizmos v1alpha1 will go: take v1',
        }),
      ],
    }),
  ]
}
