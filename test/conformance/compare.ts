// What two servers say, side by side, while one works on one of them:
//   node scripts/run.mjs test/conformance/compare.ts a.kubeconfig b.kubeconfig 'watch: .*' [--print|--full] [--leave]
// With --print the transcript of the first too, in brief; with --full all of it.
// What the cases made is removed in the end, unless --leave says that the server ends anyway. The same file twice compares a server with itself.
import { loadClusterConfig } from 'kubewright/client'
import { allCases } from './all-cases.js'
import { firstDifference } from './difference.js'
import { createRig, type Rig } from './rig.js'
import { printSteps, runCase } from './run-case.js'
import { connect } from './server.js'
import { startWebhooks } from './webhooks.js'

const [first = '', second = first, filter = ''] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'))
const isFull = process.argv.includes('--full')
const isPrinting = isFull || process.argv.includes('--print')
const concurrency = Number(process.env['CONCURRENCY'] ?? 24)

const webhooks = await startWebhooks()
const open = async (name: string, path: string): Promise<Rig> =>
  createRig(await connect(name, await loadClusterConfig({ path })), webhooks)
const rigs = await Promise.all([open('first', first), open('second', second)])
const chosen = allCases.filter(({ id }) => new RegExp(filter).test(id))
const waiting = [...chosen]
let different = 0
const startedMs = performance.now()
const slow: [string, number][] = []

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const each = next
    const sinceMs = performance.now()
    const [a, b] = await Promise.all(rigs.map((rig) => runCase(each, rig)))
    slow.push([each.id, performance.now() - sinceMs])
    if (isPrinting) console.log(`== ${each.id}\n${printSteps(a ?? [], { isFull })}`)
    const difference = firstDifference({ name: 'first', steps: a ?? [] }, { name: 'second', steps: b ?? [] })
    if (difference === undefined) continue
    different++
    console.log(`-- ${each.id}\n${difference}`)
  }
}

await Promise.all(Array.from({ length: concurrency }, work))
console.log(
  `${chosen.length} cases, ${different} differ, ${((performance.now() - startedMs) / 1000).toFixed(1)} s`,
)
for (const [id, ms] of slow.toSorted(([, a], [, b]) => b - a).slice(0, 10))
  console.log(`  ${(ms / 1000).toFixed(1)} s ${id}`)
if (!process.argv.includes('--leave')) await Promise.all(rigs.map((rig) => rig.cleanUp()))
for (const { server } of rigs) server.close()
webhooks.close()
