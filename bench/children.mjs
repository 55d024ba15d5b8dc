// Child processes and folders that do not outlive the bench, and a conversation with the former line by line.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const patienceMs = 300_000
const running = new Set()
const folders = []
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-bench-'))
  folders.push(folder)
  return folder
}

/** Starts a program. Its lines are read with `nextLine`; its errors go to the terminal. */
export function startChild(command, args, { env = {} } = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  running.add(child)
  const lines = []
  const waiting = []
  let end
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    // Not at its exit: what it has said may still be on the way.
    child.on('close', (code, signal) => resolve(code ?? signal))
  }).then((how) => {
    running.delete(child)
    end = new Error(`${[command, ...args].join(' ')} has ended (${how})`)
    for (const { reject } of waiting.splice(0)) reject(end)
  })
  // A program that ends while it is written to says so by its end.
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift()
    if (next === undefined) lines.push(line)
    else next.resolve(line)
  })

  /** Rejects when the program ends; what says nothing for five minutes is ended. */
  const nextLine = async () => {
    if (lines.length > 0) return lines.shift()
    if (end !== undefined) throw end
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    try {
      return await new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    pid: child.pid,
    nextLine,
    /** Passes over other lines until one begins so. */
    async lineThatBegins(prefix) {
      for (;;) {
        const line = await nextLine()
        if (line.startsWith(prefix)) return line
      }
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    /** Resolves when it has gone. */
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}
