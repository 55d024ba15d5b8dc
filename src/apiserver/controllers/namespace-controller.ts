import { isPlainObject } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { ApiObject, GroupResource, StoredApiObject } from '../api-object.js'
import type { Nature, SystemClient } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import { WorkQueue } from './work-queue.js'

export interface NamespaceControllerOptions {
  readonly system: SystemClient
  readonly nature: Nature
  readonly log: Logger
}

/** The finalizer in the spec of a namespace that this controller answers for. */
const contentFinalizer = 'kubernetes'

// What is still there (a pod in its grace period, a finalizer of somebody else) is looked at again.
const lookAgainMs = 1_000

/** Empties namespaces that are being deleted, and lets them go when they are empty. */
export class NamespaceController {
  readonly #options: NamespaceControllerOptions
  readonly #queue: WorkQueue
  readonly #unsubscribe: () => void

  constructor(options: NamespaceControllerOptions) {
    this.#options = options
    this.#queue = new WorkQueue({
      name: 'The namespace controller',
      nature: options.nature,
      log: options.log,
      work: (name) => this.#visit(name),
    })
    this.#unsubscribe = options.system.onChange(({ type, resource, key, current }) => {
      if (resource === 'namespaces' && type !== 'deleted') this.#noteNamespace(current.object)
      // The last object of a namespace that is being deleted may just have gone.
      if (type === 'deleted' && key.includes('/')) this.#queue.add(key.slice(0, key.indexOf('/')))
    })
  }

  begin(): void {
    for (const namespace of this.#options.system.list('namespaces')) this.#noteNamespace(namespace)
  }

  stop(): void {
    this.#unsubscribe()
    this.#queue.stop()
  }

  #noteNamespace(namespace: StoredApiObject): void {
    if (namespace.metadata.deletionTimestamp !== undefined) this.#queue.add(namespace.metadata.name ?? '')
  }

  async #visit(name: string): Promise<void> {
    const { system } = this.#options
    const namespace = system.get('namespaces', '', name)
    if (namespace?.metadata.deletionTimestamp === undefined) return
    const finalizers = specFinalizers(namespace)
    if (!finalizers.includes(contentFinalizer)) return
    const remaining = await this.#deleteContent(name)
    await this.#tellProgress(name, remaining)
    if (remaining.length > 0) {
      this.#queue.addAfter(name, lookAgainMs)
      return
    }
    await this.#finalize(name, finalizers)
  }

  /** Asks for everything in it to go; returns what is still there. */
  async #deleteContent(namespace: string): Promise<Remaining[]> {
    const { system } = this.#options
    // Network policies and secrets must not go while there are pods that they protect.
    const pods = await this.#deleteAll(['pods'], namespace)
    if (pods.length > 0) return pods
    const resources = Array.from(system.resources())
      .filter(({ isNamespaced }) => isNamespaced)
      .map(({ resource }) => resource)
    return this.#deleteAll(resources, namespace)
  }

  async #deleteAll(resources: readonly GroupResource[], namespace: string): Promise<Remaining[]> {
    const { system } = this.#options
    for (const resource of resources) {
      for (const { metadata } of system.list(resource, namespace)) {
        if (metadata.deletionTimestamp !== undefined) continue
        await ignoringRaces(
          system.delete(resource, namespace, metadata.name ?? '', {
            propagationPolicy: 'Background',
            ...(metadata.uid !== undefined && { uid: metadata.uid }),
          }),
        )
      }
    }
    return resources.flatMap((resource) =>
      system.list(resource, namespace).map(({ metadata }) => ({ resource, metadata })),
    )
  }

  async #tellProgress(name: string, remaining: readonly Remaining[]): Promise<void> {
    const { system, nature } = this.#options
    const namespace = system.get('namespaces', '', name)
    if (namespace === undefined) return
    const finalizers = remaining.flatMap(({ metadata }) => metadata.finalizers ?? [])
    const wanted = [
      condition(
        'NamespaceDeletionDiscoveryFailure',
        'False',
        'ResourcesDiscovered',
        'All resources successfully discovered',
      ),
      condition(
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ),
      condition(
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ),
      remaining.length === 0
        ? condition(
            'NamespaceContentRemaining',
            'False',
            'ContentRemoved',
            'All content successfully removed',
          )
        : condition('NamespaceContentRemaining', 'True', 'SomeResourcesRemain', remainingText(remaining)),
      finalizers.length === 0
        ? condition(
            'NamespaceFinalizersRemaining',
            'False',
            'ContentHasNoFinalizers',
            'All content-preserving finalizers finished',
          )
        : condition(
            'NamespaceFinalizersRemaining',
            'True',
            'SomeFinalizersRemain',
            finalizersText(finalizers),
          ),
    ]
    const before = conditionsOf(namespace)
    const conditions = wanted.map((each) => {
      const known = before.find(({ type }) => type === each.type)
      const isSame = known?.status === each.status
      return { ...each, lastTransitionTime: isSame ? known.lastTransitionTime : nature.timestamp() }
    })
    if (JSON.stringify(conditions) === JSON.stringify(before)) return
    await ignoringRaces(system.patch('namespaces', '', name, { status: { conditions } }, 'status'))
  }

  async #finalize(name: string, finalizers: readonly string[]): Promise<void> {
    const { system } = this.#options
    const namespace = system.get('namespaces', '', name)
    if (namespace === undefined) return
    const draft: ApiObject = {
      ...(namespace as unknown as ApiObject),
      spec: { finalizers: finalizers.filter((each) => each !== contentFinalizer) },
    }
    await ignoringRaces(system.update('namespaces', draft, 'finalize'))
  }
}

/** An object that has not gone yet. */
interface Remaining {
  readonly resource: GroupResource
  readonly metadata: StoredApiObject['metadata']
}

interface NamespaceCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime?: string
}

function condition(type: string, status: string, reason: string, message: string): NamespaceCondition {
  return { type, status, reason, message }
}

function conditionsOf({ status }: StoredApiObject): readonly NamespaceCondition[] {
  const conditions: unknown = isPlainObject(status) ? status['conditions'] : undefined
  // Only this controller writes them.
  return Array.isArray(conditions) ? (conditions as NamespaceCondition[]) : []
}

function specFinalizers({ spec }: StoredApiObject): readonly string[] {
  const finalizers: unknown = isPlainObject(spec) ? spec['finalizers'] : undefined
  return Array.isArray(finalizers) ? finalizers.filter((each) => typeof each === 'string') : []
}

function remainingText(remaining: readonly Remaining[]): string {
  const texts = counted(
    remaining.map(({ resource }) => (resource.includes('.') ? resource : `${resource}.`)),
  ).map(([resource, count]) => `${resource} has ${count} resource instances`)
  return `Some resources are remaining: ${texts.join(', ')}`
}

function finalizersText(finalizers: readonly string[]): string {
  const texts = counted(finalizers).map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
  return `Some content in the namespace has finalizers remaining: ${texts.join(', ')}`
}

function counted(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Somebody else has deleted or changed it: that change brings us back. */
async function ignoringRaces(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    const isRace = error instanceof ApiFailure && [404, 405, 409].includes(error.status.code)
    if (!isRace) throw error
  }
}
