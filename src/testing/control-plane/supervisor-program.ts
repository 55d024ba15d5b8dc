/**
 * The program of the supervisor, run by `node -e`. It is text because it must run without a loader, from sources and
 * from the built package alike; `supervisor.test.ts` runs it.
 *
 * It makes the folder, starts the programs and ends them, so that there is no moment at which one of them exists
 * unknown to it. The channel to its parent is a pipe that the system closes when the parent ends, however it ends:
 * then everything is ended and the folder removed.
 */
export const supervisorProgram = `
'use strict'
const { spawn } = require('node:child_process')
const { closeSync, mkdtempSync, openSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const folder = mkdtempSync(join(tmpdir(), 'kubewright-'))
const children = new Map()
let stopping = false

const tell = (message) => {
  if (process.connected) process.send(message, () => {})
}

function start({ id, file, args, env, log, last }) {
  const output = openSync(join(folder, log), 'a', 0o600)
  const child = spawn(file, args, { cwd: folder, env: { ...env, HOME: folder }, stdio: ['ignore', output, output], windowsHide: true })
  closeSync(output)
  const ended = new Promise((resolve) => {
    const end = (facts) => {
      children.delete(id)
      tell({ kind: 'ended', id, ...facts })
      resolve()
    }
    child.once('exit', (code, signal) => end({ code, signal }))
    child.once('error', (error) => {
      // An error of a running child is about a signal that came too late.
      if (child.pid === undefined) end({ code: null, signal: null, error: error.message })
    })
  })
  children.set(id, { child, ended, last })
  tell({ kind: 'started', id, pid: child.pid })
}

async function end(group, graceMs) {
  for (const { child } of group) {
    child.kill('SIGTERM')
    // A paused program hears the signal only when it goes on.
    child.kill('SIGCONT')
  }
  const timer = setTimeout(() => group.forEach(({ child }) => child.kill('SIGKILL')), graceMs)
  await Promise.all(group.map(({ ended }) => ended))
  clearTimeout(timer)
}

async function stop(graceMs) {
  if (stopping) return
  stopping = true
  const all = [...children.values()]
  await end(all.filter(({ last }) => !last), graceMs)
  await end(all.filter(({ last }) => last), 0)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit(0)
}

process.on('message', (message) => {
  if (message.kind === 'start' && !stopping) start(message)
  if (message.kind === 'signal') children.get(message.id)?.child.kill(message.signal)
  if (message.kind === 'stop') void stop(message.graceMs)
})
process.on('disconnect', () => void stop(1000))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(1000))
tell({ kind: 'ready', folder })
`
