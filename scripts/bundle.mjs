// One program out of its many modules. Node with tsx spends some 4 ms on each TypeScript module, and the API server alone
// has hundreds; a bundle of them all loads in a fraction of that, and is kept until a source changes.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './bootstrap.mjs'

const bundles = join(root, '.cache', 'bundles')
const sources = ['src', 'scripts', 'examples', 'test', 'package-lock.json']
const keptMs = 24 * 60 * 60 * 1000

/** The path of a program that does what a TypeScript file of the checkout does. Makes it, if it is not there yet. */
export async function bundle(file) {
  const folder = join(bundles, `${file.replaceAll(/[^a-z0-9]+/gi, '-')}-${fingerprint()}`)
  const program = join(folder, 'program.mjs')
  if (existsSync(program)) return program
  const { build } = await import('esbuild')
  // Whole or not at all: another process may make the same one at the same time.
  const draft = `${folder}.${process.pid}`
  const entry = join(root, file)
  await build({
    entryPoints: { program: entry },
    outdir: draft,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['kubewright-source'],
    // Our own name leads to the sources; what is installed is loaded from where it is.
    plugins: [{ name: 'installed', setup: leaveInstalled }],
    // Modules that look for a file of the checkout stand beside the entry.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(entry).href) },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
  })
  try {
    renameSync(draft, folder)
  } catch {
    rmSync(draft, { recursive: true, force: true })
  }
  removeOld(folder)
  return program
}

function leaveInstalled({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path === 'kubewright' || path.startsWith('kubewright/')
      ? undefined
      : { path, external: true },
  )
}

/** Changes whenever a source does. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    const isFolder = statSync(path).isDirectory()
    const files = isFolder ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : ['']
    for (const file of files) {
      if (isFolder && (!/\.(ts|mjs|json)$/.test(file) || file.includes(`node_modules${sep}`))) continue
      const { mtimeMs, size } = statSync(join(path, file))
      hash.update(`${file} ${mtimeMs} ${size}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/** A program that runs may still load parts of an older bundle, so it is not deleted at once. */
function removeOld(current) {
  for (const name of readdirSync(bundles)) {
    const folder = join(bundles, name)
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (folder !== current && age > keptMs) rmSync(folder, { recursive: true, force: true })
  }
}
