// The custom kinds of the bench and the objects that it writes.
import { group, plural, version, widget } from './widgets.mjs'

const text = { type: 'string' }
const whole = { type: 'integer' }
const flag = { type: 'boolean' }
const listOf = (items) => ({ type: 'array', items })
const mapOf = (additionalProperties) => ({ type: 'object', additionalProperties })
const fields = (properties) => ({ type: 'object', properties })

const definition = ({ group, version, kind, plural, spec, status }) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: fields({ spec: fields(spec), status: fields(status) }) },
      },
    ],
  },
})

export const widgetDefinition = definition({
  group,
  version,
  kind: 'Widget',
  plural,
  spec: {
    image: text,
    replicas: { ...whole, minimum: 0, maximum: 100 },
    paused: flag,
    generationSeed: whole,
    selector: fields({ matchLabels: mapOf(text) }),
    ports: listOf(fields({ name: text, port: whole, protocol: { ...text, enum: ['TCP', 'UDP'] } })),
    resources: fields({ limits: mapOf(text), requests: mapOf(text) }),
    env: listOf(fields({ name: text, value: text })),
  },
  status: {
    observedGeneration: whole,
    readyReplicas: whole,
    conditions: listOf(
      fields({ type: text, status: text, reason: text, message: text, lastTransitionTime: text }),
    ),
  },
})

export const fooDefinition = definition({
  group: 'samplecontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'Foo',
  plural: 'foos',
  spec: { deploymentName: text, replicas: { ...whole, minimum: 1, maximum: 10 } },
  status: { availableReplicas: whole },
})
// The group is one of Kubernetes' own, which a server guards.
fooDefinition.metadata.annotations = {
  'api-approved.kubernetes.io': 'unapproved, experimental-only',
}

export function newFoo(index) {
  const name = `foo-${index}`
  return {
    apiVersion: 'samplecontroller.k8s.io/v1alpha1',
    kind: 'Foo',
    metadata: { name },
    spec: { deploymentName: name, replicas: 1 },
  }
}

/** A Widget as a user would send it. */
export function newWidget(index) {
  const { apiVersion, kind, metadata, spec } = widget(index, 1)
  const { name, labels, annotations } = metadata
  return { apiVersion, kind, metadata: { name, labels, annotations }, spec }
}

export function newDeployment(index) {
  const name = `server-${index}`
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'server',
              image: 'images.example.com/server:1',
              ports: [{ containerPort: 8080 }],
              env: [{ name: 'MODE', value: 'bench' }],
              resources: { limits: { cpu: '500m', memory: '256Mi' } },
            },
          ],
        },
      },
    },
  }
}
