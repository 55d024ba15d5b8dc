// The Node peers' half of the protocol (see README.md): what they are asked through the environment and standard input,
// and what they answer on standard output.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const expected = Number(process.env.BENCH_EXPECT ?? 0)
let updates = 0

export const mode = process.env.BENCH_MODE ?? 'foo'
export const workers = Number(process.env.BENCH_WORKERS ?? 10)
export const namespace = process.env.BENCH_NAMESPACE

/** One line, written at once: whoever reads it takes the time. */
export function say(line) {
  writeSync(1, `${line}\n`)
}

/** The handler of the cache workload: it only counts. */
export function count() {
  if (++updates === expected) say(`done ${expected}`)
}

let hasReconciled = false

/** To be called at the end of every reconcile; only the first is news. */
export function reconciled() {
  if (hasReconciled) return
  hasReconciled = true
  say('reconciled')
}

/** Answers `gc` and `stat`; the end of the input ends the process. Needs --expose-gc. */
export function serve(objects) {
  const input = createInterface({ input: process.stdin })
  input.on('line', (line) => {
    if (line === 'gc') {
      globalThis.gc()
      globalThis.gc()
      // What a collection frees goes back to the system a moment later.
      setTimeout(() => say('gc'), 300)
    }
    if (line === 'stat') {
      say(`stat updates=${updates} objects=${objects()} ${JSON.stringify(process.memoryUsage())}`)
    }
  })
  input.on('close', () => process.exit(0))
}
