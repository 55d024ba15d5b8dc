// List and watch decode through each client: objects per CPU second.
import { startChild } from './children.mjs'
import { median, printTable } from './measure.mjs'
import { clientPeers } from './peers.mjs'
import { startReplay } from './replay.mjs'
import { namespace } from './widgets.mjs'

const count = 10_000
const events = 50_000

export async function decode({ repeats, peers: names }) {
  const peers = clientPeers(names)
  const server = await startReplay({ objects: count, updates: events })
  const results = new Map(peers.map((peer) => [peer.name, []]))
  try {
    const env = {
      BENCH_MODE: 'decode',
      BENCH_SERVER: server.url,
      BENCH_NAMESPACE: namespace,
      BENCH_EXPECT: `${events}`,
      KUBECONFIG: server.kubeconfig,
    }
    for (let repeat = 1; repeat <= repeats; repeat++) {
      for (const { name, command, args } of peers) {
        const peer = startChild(command, args, { env })
        const result = JSON.parse(await peer.lineThatBegins('{'))
        await peer.stop()
        // A peer that lost objects was not faster: it failed.
        if (result.list.objects !== count || result.watch.objects !== events)
          throw new Error(`${name} saw ${result.list.objects} objects and ${result.watch.objects} events`)
        results.get(name).push(result)
        console.error(`decode: ${name}, repeat ${repeat} of ${repeats}`)
      }
    }
  } finally {
    await server.stop()
  }
  console.log(
    `\nDecode: ${count} custom objects listed in pages of 500, then ${events} watch events (n = ${repeats})`,
  )
  printTable(
    ['peer', 'list objects / CPU s', 'watch events / CPU s', 'RSS MiB'],
    [...results].map(([name, runs]) => ({
      name,
      values: [
        count / median(runs.map((run) => run.list.cpuSeconds)),
        events / median(runs.map((run) => run.watch.cpuSeconds)),
        median(runs.map((run) => run.rssMiB)),
      ],
    })),
  )
}
