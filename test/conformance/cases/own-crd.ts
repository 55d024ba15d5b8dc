import type { Conversation } from '../conversation.js'
import { listAt, textAt } from '../data.js'
import type { Answer } from '../exchange.js'

/** A version of a CRD with a schema that keeps everything. */
export const looseVersion = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  ...more,
})

interface OwnCrd {
  readonly plural: string
  readonly kind: string
  readonly names?: object
  readonly spec?: object
  readonly metadata?: object
}

/** The group of the case itself. */
export const ownGroup = (t: Conversation): string => `${t.tag}.example.com`

/** A CRD in the group of the case, with the version v1 unless the spec says otherwise. */
export const ownCrd = (
  t: Conversation,
  { plural, kind, names = {}, spec = {}, metadata = {} }: OwnCrd,
): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${ownGroup(t)}`, ...metadata },
  spec: {
    group: ownGroup(t),
    scope: 'Namespaced',
    names: { plural, kind, ...names },
    versions: [looseVersion('v1', { storage: true })],
    ...spec,
  },
})

/** The path of objects of such a CRD, in the namespace of the case. */
export const ownPath = (t: Conversation, plural: string, rest = '', version = 'v1'): string =>
  `/apis/${ownGroup(t)}/${version}/namespaces/${t.namespace}/${plural}${rest}`

export const hasCondition = (answer: Answer, type: string, status = 'True'): boolean =>
  listAt(answer.body, 'status.conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === status,
  )

/** Makes a CRD, without recording it, and waits until its objects are served. */
export async function install(t: Conversation, crd: object, path: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await t.quietly({ method: 'POST', path: t.url('customresourcedefinitions'), headers, body: crd })
  await t.until(path, ({ status }) => status === 200, { quiet: true })
}
