/** Objects that cases are made of. */

type Fields = Readonly<Record<string, unknown>>

export const object = (apiVersion: string, kind: string, name: string, fields: Fields = {}): Fields => ({
  apiVersion,
  kind,
  metadata: { name },
  ...fields,
})

export const configMap = (name: string, fields: Fields = {}): Fields =>
  object('v1', 'ConfigMap', name, fields)

/** A config map with more metadata than its name. */
export const metaConfigMap = (metadata: Fields, fields: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  ...fields,
})

export const secret = (name: string, fields: Fields = {}): Fields => object('v1', 'Secret', name, fields)

export const service = (name: string, spec: Fields): Fields => object('v1', 'Service', name, { spec })

const container = { name: 'main', image: 'example.com/image:1' }

export const podSpec = (fields: Fields = {}): Fields => ({ containers: [container], ...fields })

export const pod = (name: string, spec: Fields = {}): Fields =>
  object('v1', 'Pod', name, { spec: podSpec(spec) })

export const podTemplate = (labels: Fields = { app: 'a' }, spec: Fields = {}): Fields => ({
  metadata: { labels },
  spec: podSpec(spec),
})

/** Without replicas, so that no controller makes pods of it. */
export const deployment = (name: string, spec: Fields = {}): Fields =>
  object('apps/v1', 'Deployment', name, {
    spec: { replicas: 0, selector: { matchLabels: { app: 'a' } }, template: podTemplate(), ...spec },
  })

interface InGroup {
  readonly group: string
}

export const widget = ({ group }: InGroup, name: string, spec: Fields = {}): Fields =>
  object(`${group}/v1`, 'Widget', name, { spec })

export const metaWidget = ({ group }: InGroup, metadata: Fields, fields: Fields = {}): Fields => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata,
  ...fields,
})

export const gadget = ({ group }: InGroup, name: string, fields: Fields = {}): Fields =>
  object(`${group}/v1`, 'Gadget', name, fields)

/** An owner of a kind that nobody knows: the garbage collector waits for it and leaves its dependents alone. */
export const absentOwner: Fields = {
  apiVersion: 'unknown.example.com/v1',
  kind: 'Unknown',
  name: 'owner',
  uid: '00000000-0000-4000-8000-000000000000',
}
