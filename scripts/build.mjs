// Builds what is published: dist/ with JavaScript, declarations and maps.
// The JavaScript is bundled into one file for each door plus shared chunks: Node spends about half a millisecond on each
// module that it loads, and this house has hundreds. What is imported on demand stays in chunks of its own.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()
const { build } = await import('esbuild')

/** Entry points by their path below dist: the doors of package.json, each group of kinds, and the command line. */
function entryPoints() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const doors = Object.values(exports)
    .map((door) => door['kubewright-source'])
    .filter((source) => source !== undefined && !source.includes('*'))
    .map((source) => source.slice('./src/'.length))
  const kinds = readdirSync(join(root, 'src/kinds'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
    .map((file) => `kinds/${file}`)
  const files = [...doors, ...kinds, 'cli/main.ts']
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.ts'.length), join(root, 'src', file)]))
}

rmSync(join(root, 'dist'), { recursive: true, force: true })
await build({
  entryPoints: entryPoints(),
  outdir: join(root, 'dist'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Dependencies are the user's to install and to update.
  packages: 'external',
  sourcemap: true,
  // The sources are part of the package.
  sourcesContent: false,
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
})
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript7/bin/tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
chmodSync(join(root, 'dist/cli/main.js'), 0o755)
