import { deepEqual } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature, SystemClient } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import { WorkQueue } from './work-queue.js'

export interface NamespaceContentOptions {
  readonly system: SystemClient
  readonly nature: Nature
  readonly log: Logger
  /** PEM of the authority that the server is known by. */
  readonly authority: string
}

/** What every namespace has: the account that pods run as, and the certificate by which they know the server. */
export class NamespaceContent {
  readonly #options: NamespaceContentOptions
  readonly #queue: WorkQueue
  readonly #unsubscribe: () => void

  constructor(options: NamespaceContentOptions) {
    this.#options = options
    this.#queue = new WorkQueue({
      name: 'The content of namespaces',
      nature: options.nature,
      log: options.log,
      work: (namespace) => this.#fill(namespace),
    })
    this.#unsubscribe = options.system.onChange(({ type, resource, key }) => {
      if (resource === 'namespaces' && type === 'added') this.#queue.add(key)
      const isOurs = standard.some((each) => each.resource === resource && key.endsWith(`/${each.name}`))
      if (isOurs && type !== 'added') this.#queue.add(key.slice(0, key.indexOf('/')))
    })
  }

  /** Fills the namespaces that are there, one after the other. */
  async begin(): Promise<void> {
    for (const { metadata } of this.#options.system.list('namespaces')) await this.#fill(metadata.name ?? '')
  }

  stop(): void {
    this.#unsubscribe()
    this.#queue.stop()
  }

  async #fill(namespace: string): Promise<void> {
    const { system, authority } = this.#options
    const found = system.get('namespaces', '', namespace)
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
    for (const { resource, name, apiVersion, kind } of standard) {
      const known = system.get(resource, namespace, name)
      if (known !== undefined) {
        if (kind === 'ConfigMap') await this.#restore(known)
        continue
      }
      const object: ApiObject = { apiVersion, kind, metadata: { name, namespace } }
      if (kind === 'ConfigMap') {
        object.metadata.annotations = { 'kubernetes.io/description': description }
        object['data'] = { 'ca.crt': authority }
      }
      try {
        await system.create(resource, object)
      } catch (error) {
        // Somebody has made it, or the namespace is going.
        if (!(error instanceof ApiFailure && [403, 404, 409].includes(error.status.code))) throw error
      }
    }
  }

  /** Pods trust what stands there: what somebody else has written into it does not stay. */
  async #restore(known: StoredApiObject): Promise<void> {
    const { system, authority } = this.#options
    const data = { 'ca.crt': authority }
    const { annotations } = known.metadata
    const isDescribed = (annotations?.['kubernetes.io/description'] ?? '') !== ''
    if (deepEqual(known['data'], data) && isDescribed) return
    // What is stored is a whole object; the copy changes none of its parts.
    const whole = known as ApiObject
    const metadata = {
      ...whole.metadata,
      annotations: { ...annotations, 'kubernetes.io/description': description },
    }
    await system.update('configmaps', { ...whole, metadata, data })
  }
}

// As the server's own clients show it.
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

const standard = [
  { resource: 'serviceaccounts', name: 'default', apiVersion: 'v1', kind: 'ServiceAccount' },
  { resource: 'configmaps', name: 'kube-root-ca.crt', apiVersion: 'v1', kind: 'ConfigMap' },
] as const
