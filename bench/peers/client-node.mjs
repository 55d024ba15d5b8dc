// @kubernetes/client-node, used as its documentation shows: informers, and around them what it leaves to its users, a
// queue that holds a key once and some workers.
import {
  AppsV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node'
import { count, mode, namespace, reconciled, say, serve, workers } from './protocol.mjs'

const config = new KubeConfig()
config.loadFromDefault()
const objects = config.makeApiClient(CustomObjectsApi)
const foo = { group: 'samplecontroller.k8s.io', version: 'v1alpha1', plural: 'foos' }
const widget = { group: 'bench.kubewright.dev', version: 'v1', plural: 'widgets' }
const asMergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)

function customInformer(kind) {
  const path = `/apis/${kind.group}/${kind.version}/namespaces/${namespace}/${kind.plural}`
  return makeInformer(config, path, () => objects.listNamespacedCustomObject({ ...kind, namespace }))
}

async function start(informer) {
  // It ends with the connection, and leaves it to its user to go on.
  informer.on('error', () => setTimeout(() => informer.start().catch(() => {}), 100))
  await informer.start()
}

if (mode === 'cache') await followWidgets()
else await runFooController()

async function followWidgets() {
  const widgets = customInformer(widget)
  widgets.on('update', count)
  say('init')
  serve(() => widgets.list().length)
  await start(widgets)
  say(`synced ${widgets.list().length}`)
}

async function runFooController() {
  const api = config.makeApiClient(AppsV1Api)
  const foos = customInformer(foo)
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`
  const deployments = makeInformer(config, path, () => api.listNamespacedDeployment({ namespace }))
  const queue = createQueue(reconcile)
  for (const event of ['add', 'update']) foos.on(event, ({ metadata }) => queue.add(metadata.name))
  for (const event of ['add', 'update', 'delete']) {
    deployments.on(event, ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === 'Foo')
      if (owner !== undefined) queue.add(owner.name)
    })
  }
  say('init')
  serve(() => foos.list().length)
  await Promise.all([start(deployments), start(foos)])
  say('synced')
  queue.run()

  async function reconcile(name) {
    const found = foos.get(name, namespace)
    if (found === undefined) return
    const { deploymentName, replicas } = found.spec
    let deployment = deployments.get(deploymentName, namespace)
    deployment ??= await api.createNamespacedDeployment({ namespace, body: deploymentFor(found) })
    if (deployment.metadata.ownerReferences?.[0]?.uid !== found.metadata.uid)
      throw new Error(`${deploymentName} is not controlled by its Foo`)
    if (replicas !== undefined && replicas !== deployment.spec.replicas)
      deployment = await api.patchNamespacedDeployment(
        { namespace, name: deploymentName, body: { spec: { replicas } } },
        asMergePatch,
      )
    const availableReplicas = deployment.status?.availableReplicas ?? 0
    if (found.status?.availableReplicas !== availableReplicas)
      await objects.patchNamespacedCustomObjectStatus(
        { ...foo, namespace, name, body: { status: { availableReplicas } } },
        asMergePatch,
      )
    reconciled()
  }
}

function deploymentFor({ apiVersion, kind, metadata, spec }) {
  const labels = { app: 'nginx', controller: metadata.name }
  const owner = {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  return {
    metadata: { name: spec.deploymentName, namespace, ownerReferences: [owner] },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] } },
    },
  }
}

/** Keys wait once, and never run twice at the same time; failures come back later and later. */
function createQueue(work) {
  const waiting = new Set()
  const running = new Set()
  const failures = new Map()
  let idle = 0
  const firstFree = () => {
    for (const key of waiting) if (!running.has(key)) return key
    return undefined
  }
  const next = () => {
    while (idle > 0) {
      const key = firstFree()
      if (key === undefined) return
      waiting.delete(key)
      running.add(key)
      idle--
      void run(key)
    }
  }
  async function run(key) {
    try {
      await work(key)
      failures.delete(key)
    } catch (error) {
      const times = failures.get(key) ?? 0
      failures.set(key, times + 1)
      if (error.code !== 409) console.error(key, error.message)
      setTimeout(() => add(key), 5 * 2 ** times)
    }
    running.delete(key)
    idle++
    next()
  }
  const add = (key) => {
    waiting.add(key)
    next()
  }
  return {
    add,
    run() {
      idle = workers
      next()
    },
  }
}
