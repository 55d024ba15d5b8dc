// How long a test waits for a cluster in its own process: the first one, then further ones. Prints seconds as JSON.
// With `alone`, the API server and nothing else: no workloads and no controllers, as etcd + kube-apiserver.
import { Namespace } from '../dist/kinds/core/v1.js'
import { createCluster } from '../dist/testing/index.js'

const options = process.argv[2] === 'alone' ? { simulation: false, controllers: false } : {}

async function secondsToFirstList() {
  const begin = performance.now()
  const cluster = await createCluster({ kind: 'embedded', ...options })
  await cluster.client.list(Namespace)
  const seconds = (performance.now() - begin) / 1000
  await cluster.stop()
  return seconds
}

const first = await secondsToFirstList()
const next = []
for (let at = 0; at < 5; at++) next.push(await secondsToFirstList())
console.log(JSON.stringify({ first, next }))
process.exit(0)
