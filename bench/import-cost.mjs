// What importing each library adds to a bare Node process: wall time and resident memory, best of many.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { printTable } from './measure.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

function cost(specifier) {
  const code = `
    const since = performance.now(), before = process.memoryUsage.rss()
    ${specifier === undefined ? '' : `await import(${JSON.stringify(specifier)})`}
    console.log(JSON.stringify([performance.now() - since, (process.memoryUsage.rss() - before) / 2 ** 20]))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: here, encoding: 'utf8' }),
  )
}

export async function importCost({ repeats }) {
  const candidates = {
    kubewright: new URL('../dist/index.js', import.meta.url).href,
    'client-node': '@kubernetes/client-node',
  }
  const best = new Map(Object.keys(candidates).map((name) => [name, [Infinity, Infinity]]))
  for (let round = 0; round < repeats * 3; round++) {
    for (const [name, specifier] of Object.entries(candidates)) {
      const measured = cost(specifier)
      best.set(
        name,
        best.get(name).map((value, at) => Math.min(value, measured[at])),
      )
    }
  }
  console.log(`\nImport: what the library adds to a bare Node process (best of ${repeats * 3})`)
  printTable(
    ['library', 'ms', 'RSS MiB'],
    [...best].map(([name, values]) => ({ name, values })),
  )
}
