// `npm run bench [-- --repeats 5] [decode] [import]`: kubewright beside its peers in one run, printed as ratios.
// Machines are noisy: peers take turns within each repeat, medians are shown, and only ratios are worth quoting.
import { parseArgs } from 'node:util'
import { decode } from './decode.mjs'
import { importCost } from './import-cost.mjs'

const workloads = { decode, import: importCost }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repeats: { type: 'string', default: '3' } },
})
const unknown = positionals.filter((name) => !(name in workloads))
if (unknown.length > 0) {
  console.error(`Unknown workload ${unknown.join(', ')}; there are ${Object.keys(workloads).join(', ')}.`)
  process.exit(2)
}
for (const name of positionals.length > 0 ? positionals : Object.keys(workloads)) {
  await workloads[name]({ repeats: Number(values.repeats) })
}
