// Makes a fresh clone runnable with nothing but Node: installs the locked dependencies when they are missing or
// out of date. Node built-ins only, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const oldestNode = [20, 19]

/** Ends the process with a plain sentence when the machine cannot run the project. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    stop(
      `kubewright needs Node ${oldestNode.join('.')} or newer; this is ${process.version}. Install a newer Node and try again.`,
    )
  }
  const stamp = join(root, 'node_modules', '.kubewright-installed')
  const locked = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === locked) return

  console.error('Installing dependencies (once)...')
  const npm = npmCommand()
  // Not `npm ci`: it refuses a lockfile without the binaries of other platforms, which not every registry has. The
  // versions are those of the lockfile all the same, and it stays as it is. No package needs an install script; none
  // gets to run one.
  const { status, error } = spawnSync(
    npm[0],
    [...npm.slice(1), 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (status !== 0) {
    stop(
      `npm install failed${error ? ` (${error.message})` : ''}. Check that the npm registry can be reached, then run the command again.`,
    )
  }
  writeFileSync(stamp, locked)
}

// Under `npm run` the path of npm itself is known; it need not be on the PATH.
function npmCommand() {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return [process.execPath, script]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
