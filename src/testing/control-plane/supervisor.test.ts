import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Supervisor, startSupervisor } from './supervisor.js'
import { supervisorProgram } from './supervisor-program.js'

const supervisors: Supervisor[] = []
async function supervise(): Promise<Supervisor> {
  const supervisor = await startSupervisor(process.env)
  supervisors.push(supervisor)
  return supervisor
}
afterEach(async () => {
  for (const supervisor of supervisors.splice(0)) await supervisor.stop(0)
})

// `ps` and not a signal: where nobody collects orphans, a killed process stays in the table as a zombie.
const isAlive = (pid: number | undefined): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
const shell = (script: string, log = 'sh.log'): { file: string; args: string[]; log: string } => ({
  file: '/bin/sh',
  args: ['-c', script],
  log,
})
const forever = shell('exec sleep 1000')

test('a program runs in the folder, writes to its log, and its end is told', async () => {
  const supervisor = await supervise()
  const program = await supervisor.start(shell('pwd; echo wrong >&2; exit 3'))
  expect(await program.ended).toEqual({ code: 3, signal: undefined })
  expect(await readFile(join(supervisor.folder, 'sh.log'), 'utf8')).toBe(`${supervisor.folder}\nwrong\n`)
})

test('nobody else may look into the folder', async () => {
  expect((await stat((await supervise()).folder)).mode & 0o777).toBe(0o700)
})

test('a program that does not exist ends with the reason', async () => {
  const program = await (await supervise()).start({ file: '/no/such/program', args: [], log: 'x.log' })
  expect(program.pid).toBeUndefined()
  expect(await program.ended).toMatchObject({ error: expect.stringContaining('ENOENT') })
})

test('programs do not see the variables of the user', async () => {
  const supervisor = await startSupervisor({
    ...process.env,
    ETCD_NAME: 'surprise',
    NODE_OPTIONS: '--no-such-option',
  })
  supervisors.push(supervisor)
  const program = await supervisor.start(shell('echo "[$ETCD_NAME]"'))
  await program.ended
  expect(await readFile(join(supervisor.folder, 'sh.log'), 'utf8')).toBe('[]\n')
})

test('a killed program has ended when kill returns, and the others go on', async () => {
  const supervisor = await supervise()
  const [first, second] = [await supervisor.start(forever), await supervisor.start(forever)]
  await first.kill()
  expect([isAlive(first.pid), isAlive(second.pid)]).toEqual([false, true])
})

test('stop ends what does not want to end, paused programs too, and removes the folder', async () => {
  const supervisor = await supervise()
  const stubborn = await supervisor.start(shell("trap '' TERM; exec sleep 1000"))
  const paused = await supervisor.start(forever)
  paused.signal('SIGSTOP')
  await supervisor.stop(50)
  expect([isAlive(stubborn.pid), isAlive(paused.pid)]).toEqual([false, false])
  expect(existsSync(supervisor.folder)).toBe(false)
  await supervisor.stop(50)
})

test('what others depend on ends after them', async () => {
  const supervisor = await supervise()
  const ended: string[] = []
  const base = await supervisor.start({ ...forever, last: true })
  const dependent = await supervisor.start(forever)
  void base.ended.then(() => ended.push('base'))
  void dependent.ended.then(() => ended.push('dependent'))
  await supervisor.stop(5_000)
  await Promise.all([base.ended, dependent.ended])
  expect(ended).toEqual(['dependent', 'base'])
})

test('programs end when their supervisor is killed, and starting another one fails', async () => {
  const supervisor = await supervise()
  const program = await supervisor.start(shell('echo $PPID; exec sleep 1000'))
  await expect.poll(() => readFile(join(supervisor.folder, 'sh.log'), 'utf8')).toMatch(/\n/)
  process.kill(Number(await readFile(join(supervisor.folder, 'sh.log'), 'utf8')), 'SIGKILL')
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL' })
  await expect.poll(() => isAlive(program.pid)).toBe(false)
  await expect(supervisor.start(forever)).rejects.toThrow(
    expect.objectContaining({ code: 'KW_SUPERVISOR_LOST' }),
  )
})

test('programs and folder are gone after their parent was killed with SIGKILL', async () => {
  // A parent that speaks the supervisor's protocol, tells what it started, and is killed.
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `const { spawn } = require('node:child_process')
       const child = spawn(process.execPath, ['-e', process.env.PROGRAM], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
       child.on('message', (message) => {
         console.log(JSON.stringify(message))
         if (message.kind === 'ready')
           child.send({ kind: 'start', id: 1, file: '/bin/sleep', args: ['1000'], log: 'log' })
       })`,
    ],
    { env: { PROGRAM: supervisorProgram }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  parent.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  await expect.poll(() => said).toMatch(/"pid":\d+/)
  const folder = /"folder":"([^"]+)"/.exec(said)?.[1] ?? ''
  const pid = Number(/"pid":(\d+)/.exec(said)?.[1])
  expect([existsSync(folder), isAlive(pid)]).toEqual([true, true])
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await expect.poll(() => [existsSync(folder), isAlive(pid)], { timeout: 5_000 }).toEqual([false, false])
})
