// A cache of many custom objects: how long until it is in step, what that costs, what it holds, and what updates cost.
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './children.mjs'
import { median, printTable } from './measure.mjs'
import { controllerPeers } from './peers.mjs'
import { cpuSecondsOf, peakMiBOf, rssMiBOf } from './processes.mjs'
import { startReplay } from './replay.mjs'
import { namespace } from './widgets.mjs'

const sizes = [10_000, 50_000]
const updates = 10_000

export async function cache({ repeats, peers: names }) {
  const peers = controllerPeers(names)
  for (const objects of sizes) {
    const results = new Map(peers.map(({ name }) => [name, []]))
    for (let repeat = 1; repeat <= repeats; repeat++) {
      for (const peer of peers) {
        results.get(peer.name).push(await measure(peer, objects))
        console.error(`cache of ${objects}: ${peer.name}, repeat ${repeat} of ${repeats}`)
      }
    }
    console.log(`\nCache: ${objects} custom objects of 2.3 KB, then ${updates} updates (n = ${repeats})`)
    printTable(
      ['peer', 'sync s', 'sync CPU s', 'peak MiB', 'RSS after GC MiB', 'updates CPU s', 'updates s'],
      [...results].map(([name, runs]) => ({
        name,
        values: runs[0].map((_, at) => median(runs.map((run) => run[at]))),
      })),
    )
  }
}

/** One process from its start to its end, on a server of its own: nobody finds it warmed up. */
async function measure({ name, command, args }, objects) {
  const server = await startReplay({ objects, updates, isHeld: true })
  const env = {
    BENCH_MODE: 'cache',
    BENCH_NAMESPACE: namespace,
    BENCH_EXPECT: `${updates}`,
    KUBECONFIG: server.kubeconfig,
  }
  const peer = startChild(command, args, { env })
  const pids = [peer.pid]
  const clock = () => [performance.now() / 1000, cpuSecondsOf(pids)]
  const since = ([seconds, cpuSeconds], [now, cpuNow] = clock()) => [now - seconds, cpuNow - cpuSeconds]
  try {
    await peer.lineThatBegins('init')
    const beforeSync = clock()
    await peer.lineThatBegins('synced')
    const sync = since(beforeSync)
    await assertObjects(peer, name, objects)
    peer.say('gc')
    await peer.lineThatBegins('gc')
    // What a collection frees goes back to the system a moment later.
    await sleep(500)
    const rss = rssMiBOf(pids)
    const beforeUpdates = clock()
    server.release()
    await peer.lineThatBegins(`done ${updates}`)
    const [updateSeconds, updateCpuSeconds] = since(beforeUpdates)
    return [...sync, peakMiBOf(pids), rss, updateCpuSeconds, updateSeconds]
  } finally {
    await peer.stop('SIGKILL')
    await server.stop()
  }
}

/** A cache that lost objects was not faster: it failed. */
async function assertObjects(peer, name, expected) {
  peer.say('stat')
  const [, objects] = /objects=(\d+)/.exec(await peer.lineThatBegins('stat'))
  if (Number(objects) !== expected) throw new Error(`${name} holds ${objects} objects, not ${expected}`)
}
