// The walkthroughs' Foo controller in each framework, on a real API server: a thousand Foos at once, all of them changed at
// once, and some changed at a pace that leaves no queue. And how long each takes from nothing to its first reconcile.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startChild } from './children.mjs'
import { median, printTable, quantile } from './measure.mjs'
import { controllerPeers } from './peers.mjs'
import { cpuSecondsOf, peakMiBOf, rssMiBOf } from './processes.mjs'
import { servers } from './servers.mjs'

const count = 1000
const paced = { count: 300, perSecond: 50 }
const workers = 10

export async function foo(options) {
  const results = await measureAll('foo', options, measureFoo)
  console.log(
    `\nFoo: ${count} Foos created, then all changed, then ${paced.count} changed at ${paced.perSecond}/s, ` +
      `${workers} workers, on the ${options.server} API server (n = ${options.repeats})`,
  )
  print(results, [
    'create s',
    'create CPU s',
    'change s',
    'change CPU s',
    'p50 ms',
    'p99 ms',
    'paced CPU s',
    'peak MiB',
  ])
}

export async function start(options) {
  const results = await measureAll('start', options, measureStart)
  console.log(
    `\nStart: from the start of the process to its first reconcile, on the ${options.server} API server (n = ${options.repeats})`,
  )
  print(results, ['s', 'CPU s', 'RSS MiB'])
}

/** The peers take turns within each repeat, each in a namespace of its own. */
async function measureAll(workload, { repeats, peers: names, server }, measure) {
  const peers = controllerPeers(names)
  const { kubeconfig, stop } = await servers[server]()
  const load = startChild(process.execPath, [fileURLToPath(new URL('foo-load.mjs', import.meta.url))], {
    env: { KUBECONFIG: kubeconfig },
  })
  const ask = async (task, parameters) => {
    load.say(JSON.stringify({ task, ...parameters }))
    return JSON.parse(await load.nextLine())
  }
  const results = new Map(peers.map(({ name }) => [name, []]))
  try {
    await ask('define')
    for (let repeat = 1; repeat <= repeats; repeat++) {
      for (const peer of peers) {
        const namespace = `${workload}-${peer.name}-${repeat}`
        await ask('namespace', { namespace })
        const startPeer = () =>
          startChild(peer.command, peer.args, {
            env: {
              KUBECONFIG: kubeconfig,
              BENCH_MODE: 'foo',
              BENCH_NAMESPACE: namespace,
              BENCH_WORKERS: `${workers}`,
            },
          })
        results
          .get(peer.name)
          .push(await measure(startPeer, (task, more) => ask(task, { namespace, ...more })))
        await ask('clear', { namespace })
        console.error(`${workload}: ${peer.name}, repeat ${repeat} of ${repeats}`)
      }
    }
    return results
  } finally {
    await load.stop()
    await stop()
  }
}

async function measureFoo(startPeer, ask) {
  const peer = startPeer()
  const pids = [peer.pid]
  /** What the peer does after the last change belongs to it too. */
  const withCpu = async (work) => {
    const before = cpuSecondsOf(pids)
    const answer = await work
    await sleep(1000)
    return { ...answer, cpuSeconds: cpuSecondsOf(pids) - before }
  }
  try {
    await peer.lineThatBegins('init')
    // Not all say when they are in step; a second is enough for two empty lists.
    await sleep(1000)
    const created = await withCpu(ask('create', { count }))
    const changed = await withCpu(ask('change', { count, replicas: 2 }))
    const slow = await withCpu(ask('pace', { ...paced, replicas: 3 }))
    return [
      created.seconds,
      created.cpuSeconds,
      changed.seconds,
      changed.cpuSeconds,
      quantile(slow.latencies, 0.5),
      quantile(slow.latencies, 0.99),
      slow.cpuSeconds,
      peakMiBOf(pids),
    ]
  } finally {
    await peer.stop('SIGKILL')
  }
}

async function measureStart(startPeer, ask) {
  await ask('one')
  const begin = performance.now()
  const peer = startPeer()
  try {
    await peer.lineThatBegins('reconciled')
    const seconds = (performance.now() - begin) / 1000
    return [seconds, cpuSecondsOf([peer.pid]), rssMiBOf([peer.pid])]
  } finally {
    await peer.stop('SIGKILL')
  }
}

function print(results, titles) {
  printTable(
    ['peer', ...titles],
    [...results].map(([name, runs]) => ({
      name,
      values: titles.map((_, at) => median(runs.map((run) => run[at]))),
    })),
  )
}
