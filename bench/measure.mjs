// Runs peers as processes and prints their medians with the ratio to kubewright.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

export const nodePeer = (name) => ({ name, command: process.execPath, args: [here(`peers/${name}.mjs`)] })

/** The client-go peer, built once where Go is installed; an empty list (and a line that says so) where it is not. */
export async function clientGoPeer() {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kubewright', 'bench')
  const binary = join(folder, 'client-go')
  try {
    mkdirSync(folder, { recursive: true })
    execFileSync('go', ['build', '-o', binary, '.'], {
      cwd: here('peers/client-go'),
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' },
    })
    return [{ name: 'client-go', command: binary, args: [] }]
  } catch (error) {
    console.log(
      `Left out: client-go, because it could not be built (${String(error.message).split('\n')[0]}).`,
    )
    return []
  }
}

/** Runs one peer to its end and returns the line of JSON that it reports. */
export function runPeer(peer, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(peer.command, peer.args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output.trim().split('\n').at(-1)))
      else reject(new Error(`${peer.name} ended with code ${code}`))
    })
  })
}

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Rows are { name, values }; the first row is what the others are compared with. */
export function printTable(header, rows) {
  const [reference] = rows
  const cells = rows.map(({ name, values }) => [
    name,
    ...values.map((value, at) => `${readable(value)} (${(value / reference.values[at]).toFixed(2)}x)`),
  ])
  const widths = header.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at].length)))
  for (const row of [header, widths.map((width) => '-'.repeat(width)), ...cells]) {
    console.log(`| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`)
  }
}

const readable = (value) => (value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))
