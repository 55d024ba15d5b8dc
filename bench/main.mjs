// `npm run bench [-- --repeats 5] [workloads]`: kubewright beside its peers in one run, printed as ratios.
// Machines are noisy: peers take turns within each repeat, medians are shown, and only ratios are worth quoting.
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { cache } from './cache.mjs'
import { decode } from './decode.mjs'
import { embedded } from './embedded.mjs'
import { foo, start } from './foo.mjs'
import { importCost } from './import-cost.mjs'
import { peerNames } from './peers.mjs'
import { servers } from './servers.mjs'

const workloads = { embedded, foo, start, cache, decode, import: importCost }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repeats: { type: 'string', default: '3' },
    peers: { type: 'string', default: peerNames.join(',') },
    server: { type: 'string', default: 'real' },
  },
})
const peers = values.peers.split(',')
const repeats = Number(values.repeats)
assertKnown('workload', positionals, Object.keys(workloads))
assertKnown('peer', peers, peerNames)
assertKnown('server', [values.server], Object.keys(servers))
if (process.platform !== 'linux') refuse('The bench needs Linux: it reads what processes use from /proc.')
if (!Number.isInteger(repeats) || repeats < 1) refuse('--repeats takes a whole number from 1 on.')

function assertKnown(what, names, known) {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) refuse(`Unknown ${what} ${unknown.join(', ')}; there are ${known.join(', ')}.`)
}

function refuse(message) {
  console.error(message)
  process.exit(2)
}

console.log(`Load average before the run: ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores.`)
for (const name of positionals.length > 0 ? positionals : Object.keys(workloads)) {
  try {
    await workloads[name]({ repeats, peers, server: values.server })
  } catch (error) {
    // The others may still have something to say.
    console.error(`The workload ${name} failed: ${error.message}`)
    process.exitCode = 1
  }
}
