// List and watch decode through each client: objects per CPU second.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { clientGoPeer, median, nodePeer, printTable, runPeer } from './measure.mjs'

const count = 10_000
const events = 50_000

export async function decode({ repeats }) {
  const peers = [nodePeer('kubewright'), nodePeer('client-node'), ...(await clientGoPeer())]
  const server = spawn(
    process.execPath,
    [fileURLToPath(new URL('server.mjs', import.meta.url)), `${count}`, `${events}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    const [port] = await once(createInterface(server.stdout), 'line')
    const env = {
      BENCH_SERVER: `http://127.0.0.1:${port}`,
      BENCH_COUNT: `${count}`,
      BENCH_EVENTS: `${events}`,
    }
    const results = new Map(peers.map((peer) => [peer.name, []]))
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const peer of peers) {
        const result = await runPeer(peer, env)
        // A peer that lost objects was not faster: it failed.
        if (result.list.objects !== count || result.watch.objects !== events) {
          throw new Error(
            `${peer.name} saw ${result.list.objects} objects and ${result.watch.objects} events`,
          )
        }
        results.get(peer.name).push(result)
      }
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
  } finally {
    server.kill()
  }
}
