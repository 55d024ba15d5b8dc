import {
  type Client,
  createEventRecorder,
  type EventRecorder,
  edit,
  isAlreadyExists,
  isConflict,
  type Logger,
} from 'kubewright'
import { type CachedObject, createSharedCache, type SharedCache } from 'kubewright/cache'
import { TestResource } from './test-resource.js'

const cacheSyncTimeoutMs = 30_000

/** Marks every TestResource that it sees as handled: a watcher with one handler, without a queue. */
export class Controller {
  readonly #client: Client
  readonly #log: Logger
  readonly #cache: SharedCache
  readonly #recorder: EventRecorder

  constructor(client: Client, log: Logger) {
    this.#client = client
    this.#log = log
    this.#cache = createSharedCache({ client, log })
    this.#recorder = createEventRecorder({ client, component: 'testresource-controller', log })
    this.#cache.of(TestResource).addHandler({
      onAdd: (added) => void this.#objectAdded(added),
      onUpdate: (_, updated) => log.info(`Updated: ${updated.key}`),
      onDelete: (last) => log.info(`Deleted: ${last.key}`),
    })
  }

  /** Runs until the signal aborts. Throws when the cache does not fill within 30 seconds. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController()
    signal.addEventListener('abort', () => stop.abort(), { once: true })
    const following = [this.#cache.run(stop.signal), this.#recorder.run(stop.signal)]
    try {
      this.#log.info('Waiting cache to be synced.')
      await this.#cache.synced({ timeoutMs: cacheSyncTimeoutMs, signal })
      this.#log.info('Starting custom controller.')
    } catch (error) {
      stop.abort()
      throw error
    } finally {
      await Promise.all(following)
    }
  }

  /** An object made from code, as good as one from YAML. */
  async createObject(namespace: string, name: string): Promise<void> {
    const spec = { command: 'echo Hello World!', customProperty: 'asdasd=1234' }
    try {
      await this.#client.create(TestResource, { metadata: { namespace, name }, spec })
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
  }

  async #objectAdded(added: CachedObject<TestResource>): Promise<void> {
    const resource = added.object
    this.#log.info(`Added: ${added.key}`, { spec: resource.spec })
    if (resource.status === 'HANDLED') return
    // What the cache hands out is read-only; a draft is a copy that may be changed and sent.
    const draft = edit(resource)
    draft.status = 'HANDLED'
    try {
      const handled = await this.#client.update(TestResource, draft)
      this.#recorder.normal(handled, 'ObjectHandled', 'Object is handled by custom controller.')
    } catch (error) {
      // Somebody changed it meanwhile: its update event shows the newer object.
      if (!isConflict(error))
        this.#log.error('The object could not be marked as handled.', { object: added.key, error })
    }
  }
}
