// The replay server (server.mjs) for a workload, with a kubeconfig that leads to it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild, temporaryFolder } from './children.mjs'

const program = fileURLToPath(new URL('server.mjs', import.meta.url))

export async function startReplay({ objects, updates, isHeld = false }) {
  const child = startChild(process.execPath, [
    program,
    `${objects}`,
    `${updates}`,
    ...(isHeld ? ['hold'] : []),
  ])
  const url = `http://127.0.0.1:${await child.nextLine()}`
  const kubeconfig = join(temporaryFolder(), 'kubeconfig')
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(url)))
  return {
    url,
    kubeconfig,
    release: () => child.say('go'),
    stop: () => child.stop(),
  }
}

const kubeconfigFor = (server) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'replay',
  // client-node refuses plain HTTP otherwise; no TLS is involved.
  clusters: [{ name: 'replay', cluster: { server, 'insecure-skip-tls-verify': true } }],
  contexts: [{ name: 'replay', context: { cluster: 'replay', user: 'replay' } }],
  users: [{ name: 'replay', user: {} }],
})
