// `npm run bench`: installs the peers of bench/ beside it, builds kubewright as it is published, and runs the bench.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()
const bench = join(root, 'bench')
if (!existsSync(join(bench, 'node_modules'))) {
  console.error('Installing the peers (once)...')
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: bench,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' })
execFileSync(process.execPath, [join(bench, 'main.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' })
