// kubewright as a peer of the bench: `node --expose-gc bench/peer.mjs` after `npm run build`. Uses the published rooms only.
import { count, mode, namespace, reconciled, say, serve, workers } from './peers/protocol.mjs'

const dist = new URL(process.env.KUBEWRIGHT_DIST ?? '../dist/', import.meta.url)
const room = (path) => import(new URL(path, dist).href)
const [{ createSharedCache }, { createClient, loadClusterConfig }, { createLogger }] = await Promise.all([
  room('cache/index.js'),
  room('client/index.js'),
  room('observe/index.js'),
])

const log = createLogger({ level: 'error', write: (line) => process.stderr.write(line) })
const client = createClient({ config: await loadClusterConfig(), log })
const cache = createSharedCache({ client, log, ...(namespace && { namespaces: [namespace] }) })
const untilKilled = new AbortController().signal

if (mode === 'cache') await followWidgets()
else await runFooController()

async function followWidgets() {
  const Widget = {
    group: 'bench.kubewright.dev',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    singular: 'widget',
    listKind: 'WidgetList',
    scope: 'Namespaced',
    subresources: [],
  }
  const widgets = cache.of(Widget)
  const objects = () => widgets.health.reduce((sum, health) => sum + health.objects, 0)
  const registration = widgets.addHandler({ onUpdate: count })
  // A second variant with all that a controller adds: predicates, causes, the queue and a reconcile that does nothing.
  const controller = process.env.BENCH_VARIANT === 'controller' ? await idleController(Widget) : undefined
  say('init')
  void cache.run(untilKilled)
  void controller?.run(untilKilled)
  serve(objects)
  await registration.synced
  say(`synced ${objects()}`)
}

async function idleController(kind) {
  const { createController, defineController } = await room('controller/index.js')
  const definition = defineController({ for: kind, workers, reconcile() {} })
  return createController(definition, { client, cache, log, events: { normal() {}, warning() {} } })
}

async function runFooController() {
  const [
    { createController, defineController, settled },
    { Deployment },
    { controllerOf, ownerReferenceTo },
  ] = await Promise.all([room('controller/index.js'), room('kinds/apps/v1.js'), room('objects/index.js')])
  const Foo = {
    group: 'samplecontroller.k8s.io',
    version: 'v1alpha1',
    kind: 'Foo',
    plural: 'foos',
    singular: 'foo',
    listKind: 'FooList',
    scope: 'Namespaced',
    subresources: ['status'],
  }
  const deploymentFor = (foo) => {
    const labels = { app: 'nginx', controller: foo.metadata.name }
    return {
      metadata: {
        name: foo.spec.deploymentName,
        namespace: foo.metadata.namespace,
        ownerReferences: [ownerReferenceTo(foo, { controller: true })],
      },
      spec: {
        replicas: foo.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] },
        },
      },
    }
  }
  const definition = defineController({
    for: Foo,
    owns: [Deployment],
    workers,
    async reconcile(foo, { cache: reads, client: writes }) {
      const key = { namespace: foo.metadata.namespace, name: foo.spec.deploymentName }
      let deployment = reads.get(Deployment, key)
      deployment ??= await writes.create(Deployment, deploymentFor(foo))
      if (controllerOf(deployment)?.uid !== foo.metadata.uid)
        throw new Error(`${key.name} is not controlled by Foo`)
      const { replicas } = foo.spec
      if (replicas !== undefined && replicas !== deployment.spec.replicas)
        deployment = await writes.patch(Deployment, key, { merge: { spec: { replicas } } })
      const availableReplicas = deployment.status?.availableReplicas ?? 0
      if (foo.status?.availableReplicas !== availableReplicas)
        await writes.patchStatus(Foo, foo.metadata, { merge: { status: { availableReplicas } } })
      reconciled()
      return settled()
    },
  })
  const controller = createController(definition, {
    client,
    cache,
    log,
    events: { normal() {}, warning() {} },
  })
  const foos = cache.of(Foo)
  say('init')
  void cache.run(untilKilled)
  void controller.run(untilKilled)
  serve(() => foos.health.reduce((sum, health) => sum + health.objects, 0))
  await cache.synced({ timeoutMs: 60_000 })
  say('synced')
}
