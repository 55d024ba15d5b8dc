// Runs a TypeScript file of the checkout without a build: `node scripts/run.mjs src/cli/main.ts --help`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, root } from './bootstrap.mjs'
import { bundle } from './bundle.mjs'

/** Node's arguments that make `kubewright` resolve to this checkout's sources. */
export const sourceArguments = ['--conditions=kubewright-source', '--import', 'tsx']

/** Runs the file with the terminal attached; resolves to its exit code. */
export async function runSource(file, args, options = {}) {
  // Where no bundle can be made, as with a source that does not compile, tsx does it or says why it cannot.
  const program = await bundle(file).then(
    (path) => ['--enable-source-maps', path],
    () => [...sourceArguments, join(root, file)],
  )
  const child = spawn(process.execPath, [...program, ...args], {
    stdio: 'inherit',
    ...options,
    // tsx is found from the checkout, the user's files from where the user stands.
    env: { ...process.env, ...options.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
  })
  // Ctrl-C reaches the child through the terminal; this process waits for it to finish its clean-up.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled()
  const [file, ...args] = process.argv.slice(2)
  process.exitCode = await runSource(file, args)
}
