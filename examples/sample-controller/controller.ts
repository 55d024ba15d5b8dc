import {
  type Client,
  controllerOf,
  createEventRecorder,
  type DeepReadonly,
  type EventRecorder,
  formatKey,
  type InputOf,
  type Logger,
  ownerReferenceTo,
  parseKey,
} from 'kubewright'
import { type CachedObject, createClientSource, Informer, KindCache, type Lister } from 'kubewright/cache'
import { Deployment } from 'kubewright/kinds/apps/v1'
import {
  createBucketLimiter,
  createExponentialLimiter,
  createPriorityQueue,
  maxOfLimiters,
  type RateLimitedQueue,
} from 'kubewright/queue'
import { Foo } from './foo.js'

const controllerAgentName = 'sample-controller'
const successSynced = 'Synced'
const errResourceExists = 'ErrResourceExists'
const messageResourceExists = (name: string): string =>
  `Resource "${name}" already exists and is not managed by Foo`
const messageResourceSynced = 'Foo synced successfully'
const resyncMs = 30_000

/** The Foo controller by hand: informers, listers, a queue of keys, workers. Nothing of `defineController` is used. */
export class Controller {
  readonly #client: Client
  readonly #log: Logger
  readonly #informers: { readonly foos: Informer<Foo>; readonly deployments: Informer<Deployment> }
  readonly #foos: Lister<Foo>
  readonly #deployments: Lister<Deployment>
  readonly #queue: RateLimitedQueue<string>
  readonly #recorder: EventRecorder

  constructor(client: Client, log: Logger) {
    this.#client = client
    this.#log = log
    log.debug('Creating event recorder')
    this.#recorder = createEventRecorder({ client, component: controllerAgentName, log })
    this.#queue = createPriorityQueue({
      limiter: maxOfLimiters(
        createExponentialLimiter({ baseMs: 5, maxMs: 1_000_000 }),
        createBucketLimiter({ qps: 50, burst: 300 }),
      ),
    })
    this.#informers = {
      foos: new Informer<Foo>({ source: createClientSource(client, Foo), resyncMs, log }),
      deployments: new Informer<Deployment>({
        source: createClientSource(client, Deployment),
        resyncMs,
        log,
      }),
    }
    this.#foos = new KindCache(new Map([['', this.#informers.foos]]))
    this.#deployments = new KindCache(new Map([['', this.#informers.deployments]]))

    log.info('Setting up event handlers')
    this.#informers.foos.addHandler({
      onAdd: (foo) => this.#enqueueFoo(foo),
      onUpdate: (_, foo) => this.#enqueueFoo(foo),
    })
    this.#informers.deployments.addHandler({
      onAdd: (deployment) => this.#handleObject(deployment),
      onUpdate: (old, deployment) => {
        // A resync sends updates for everything; two versions of one Deployment never have the same version.
        if (old.resourceVersion !== deployment.resourceVersion) this.#handleObject(deployment)
      },
      onDelete: (last, { finalStateUnknown }) => {
        if (finalStateUnknown) log.debug('Recovered deleted object', { resourceName: last.name })
        this.#handleObject(last)
      },
    })
  }

  /** Runs until the signal aborts and all workers have ended. */
  async run(workers: number, signal: AbortSignal): Promise<void> {
    this.#log.info('Starting Foo controller')
    const { foos, deployments } = this.#informers
    const following = [foos.run(signal), deployments.run(signal), this.#recorder.run(signal)]
    signal.addEventListener('abort', () => this.#queue.shutDown(), { once: true })

    this.#log.info('Waiting for informer caches to sync')
    const synced = [foos, deployments].map((informer) => informer.addHandler({}).synced)
    await Promise.race([Promise.all(synced), aborted(signal)])

    if (!signal.aborted) {
      this.#log.info('Starting workers', { count: workers })
      const working = Array.from({ length: workers }, () => this.#runWorker(signal))
      this.#log.info('Started workers')
      await Promise.all(working)
    }
    this.#log.info('Shutting down workers')
    await Promise.all(following)
  }

  async #runWorker(signal: AbortSignal): Promise<void> {
    for await (const { key } of this.#queue.leases(signal)) {
      try {
        await this.#syncHandler(key)
        this.#queue.forget(key)
        this.#log.info('Successfully synced', { resourceName: key })
      } catch (error) {
        this.#queue.addRateLimited(key)
        this.#log.error('error syncing, requeuing', { resourceName: key, error })
      }
    }
  }

  /** Compares the actual state with the desired one, and brings them together. */
  async #syncHandler(key: string): Promise<void> {
    const { namespace = '', name } = parseKey(key)
    const foo = this.#foos.get({ namespace, name })
    if (foo === undefined) {
      this.#log.error(`foo '${key}' in work queue no longer exists`)
      return
    }
    const { deploymentName, replicas } = foo.spec
    if (deploymentName === '') {
      // The object must change before a retry could help.
      this.#log.error(`${key}: deployment name must be specified`)
      return
    }
    let deployment: DeepReadonly<Deployment> =
      this.#deployments.get({ namespace, name: deploymentName }) ??
      (await this.#client.create(Deployment, newDeployment(foo)))

    if (controllerOf(deployment)?.uid !== foo.metadata.uid) {
      const message = messageResourceExists(deployment.metadata.name)
      this.#recorder.warning(foo, errResourceExists, message)
      throw new Error(message)
    }
    if (replicas !== undefined && replicas !== deployment.spec?.replicas) {
      this.#log.debug('Update deployment resource', { desired: replicas, current: deployment.spec?.replicas })
      deployment = await this.#client.update(Deployment, newDeployment(foo))
    }
    await this.#updateFooStatus(foo, deployment)
    this.#recorder.normal(foo, successSynced, messageResourceSynced)
  }

  async #updateFooStatus(foo: DeepReadonly<Foo>, deployment: DeepReadonly<Deployment>): Promise<void> {
    const availableReplicas = deployment.status?.availableReplicas ?? 0
    if (foo.status?.availableReplicas === availableReplicas) return
    await this.#client.patchStatus(Foo, foo.metadata, { merge: { status: { availableReplicas } } })
  }

  #enqueueFoo(foo: CachedObject<Foo>): void {
    this.#queue.add(foo.key)
  }

  /** Any object that a Foo controls wakes that Foo. */
  #handleObject(object: CachedObject<Deployment>): void {
    this.#log.debug('Processing object', { object: object.key })
    const owner = object.ownerReferences.find((reference) => reference.controller === true)
    if (owner?.kind !== 'Foo') return
    const key = { namespace: object.namespace, name: owner.name }
    if (this.#foos.get(key) === undefined) {
      this.#log.debug(`ignoring orphaned object '${object.key}' of foo '${owner.name}'`)
      return
    }
    this.#queue.add(formatKey(key))
  }
}

function newDeployment(foo: DeepReadonly<Foo>): InputOf<typeof Deployment> {
  const labels = { app: 'nginx', controller: foo.metadata.name }
  return {
    metadata: {
      name: foo.spec.deploymentName,
      namespace: foo.metadata.namespace,
      ownerReferences: [ownerReferenceTo(foo, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      ...(foo.spec.replicas !== undefined && { replicas: foo.spec.replicas }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] },
      },
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
