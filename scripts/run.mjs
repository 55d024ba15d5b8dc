// Runs a TypeScript file of the checkout without a build: `node scripts/run.mjs src/cli/main.ts --help`.
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './bootstrap.mjs'
import { bundle } from './bundle.mjs'

/** Runs the file in this process, as if Node had been started with it. Exits with 1 when it does not compile. */
export async function runSource(file, args) {
  ensureInstalled()
  const program = await bundle(file).catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
  process.setSourceMapsEnabled(true)
  process.argv.splice(1, Number.POSITIVE_INFINITY, program, ...args)
  await import(pathToFileURL(program).href)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, ...args] = process.argv.slice(2)
  await runSource(file, args)
}
