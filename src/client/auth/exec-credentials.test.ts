import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { silentLogger } from '../../observe/index.js'
import { createExecCredentials, type ExecOptions, type ExecPlugin } from './exec-credentials.js'

const apiVersion = 'client.authentication.k8s.io/v1'

/**
 * A plugin made of JavaScript that runs in a process of its own. `runs` tells how often it ran; in the script, `info` is
 * what it was told, `n` counts the runs, and `answer(status)` writes an ExecCredential.
 */
async function setUp(script: string, plugin: Partial<ExecPlugin> = {}, exec: ExecOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-exec-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'plugin.cjs')
  const runsFile = join(directory, 'runs')
  await writeFile(
    file,
    `const { appendFileSync, readFileSync } = require('node:fs')
     appendFileSync(${JSON.stringify(runsFile)}, 'x')
     const n = readFileSync(${JSON.stringify(runsFile)}).length
     const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
     const answer = (status) => console.log(JSON.stringify({ ...info, status }))
     ${script}`,
  )
  let nowMs = Date.UTC(2026, 0, 1)
  const clock: Clock = { ...systemClock, now: () => nowMs }
  const source = createExecCredentials({
    plugin: {
      apiVersion,
      command: process.execPath,
      env: [],
      interactiveMode: 'Never',
      ...plugin,
      args: [file, ...(plugin.args ?? [])],
    },
    exec,
    env: { PATH: process.env['PATH'], FROM_US: 'ours' },
    clock,
    log: silentLogger,
  })
  return {
    source,
    authorization: async () => (await source.get()).authorization,
    runs: async () => (await readFile(runsFile, 'utf8').catch(() => '')).length,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

test('the token of a plugin is used until it expires, then the plugin runs again', async () => {
  const { authorization, runs, advance } = await setUp(
    `answer({ token: 'token-' + n, expirationTimestamp: '2026-01-01T00:10:00Z' })`,
  )
  expect(await authorization()).toBe('Bearer token-1')
  advance(600_000)
  expect(await authorization()).toBe('Bearer token-1')
  advance(1)
  expect(await authorization()).toBe('Bearer token-2')
  expect(await runs()).toBe(2)
})

test('a plugin runs once for parallel requests, and once more for any number of parallel refusals', async () => {
  const { source, authorization, runs } = await setUp(`answer({ token: 'token-' + n })`)
  const all = await Promise.all([source.get(), source.get(), source.get()])
  expect(await runs()).toBe(1)
  expect(all.map((credentials) => source.refused(credentials))).toEqual([true, true, true])
  expect(await Promise.all([authorization(), authorization()])).toEqual(['Bearer token-2', 'Bearer token-2'])
  expect(await runs()).toBe(2)
})

test('a plugin gets its environment on top of ours, and the request', async () => {
  const { authorization } = await setUp(
    `answer({ token: [process.env.FROM_US, process.env.MORE, info.spec.interactive, info.spec.cluster.server].join('|') })`,
    {
      env: [{ name: 'MORE', value: 'theirs' }],
      cluster: async () => ({ server: 'https://example.com', config: null }),
    },
  )
  expect(await authorization()).toBe('Bearer ours|theirs|false|https://example.com')
})

test('shell syntax in arguments stays text', async () => {
  const { authorization } = await setUp(`answer({ token: process.argv[2] })`, { args: ['$(id);`id`&&id'] })
  expect(await authorization()).toBe('Bearer $(id);`id`&&id')
})

test('a plugin that fails is an error with its exit code, and is tried again next time', async () => {
  const { authorization, source } = await setUp(`if (n === 1) process.exit(7); answer({ token: 'ok' })`)
  await expect(source.get()).rejects.toMatchObject({ code: 'KW_EXEC_PLUGIN', failure: 'exit' })
  expect(await authorization()).toBe('Bearer ok')
})

test('the exit code is in the message', async () => {
  const { source } = await setUp('process.exit(7)')
  await expect(source.get()).rejects.toThrow('exit code 7')
})

test('a plugin that hangs is stopped', async () => {
  const { source } = await setUp('setInterval(() => {}, 1000)', {}, { timeoutMs: 200 })
  await expect(source.get()).rejects.toMatchObject({ failure: 'timeout' })
})

test('a plugin that leaves a process behind, which holds its output open, is not waited for beyond the time-out', async () => {
  const { source } = await setUp(
    `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3000)'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).unref()`,
    {},
    { timeoutMs: 1_000 },
  )
  await expect(source.get()).rejects.toMatchObject({ failure: 'timeout' })
})

test('a plugin that writes without end is stopped', async () => {
  const { source } = await setUp(
    `const line = 'x'.repeat(65536); for (;;) require('node:fs').writeSync(1, line)`,
  )
  await expect(source.get()).rejects.toMatchObject({ failure: 'output' })
  await expect(source.get()).rejects.toThrow('more than 1 MiB')
})

test('a plugin that nobody waits for any more is stopped', async () => {
  const { source, runs } = await setUp('setInterval(() => {}, 1000)')
  const stop = new AbortController()
  const waiting = source.get(stop.signal)
  await expect.poll(runs).toBe(1)
  stop.abort(new Error('shutting down'))
  await expect(waiting).rejects.toThrow('shutting down')
})

test('a file that is not a program is an error, not a crash', async () => {
  const { source } = await setUp('', { command: '/dev/null' })
  await expect(source.get()).rejects.toMatchObject({ failure: 'not-found' })
})

test('an argument that no process can take is an error that does not repeat it', async () => {
  const { source } = await setUp('', { args: ['se\0cret'] })
  await expect(source.get()).rejects.toMatchObject({ failure: 'not-started' })
  await expect(source.get()).rejects.not.toThrow('cret')
})

test('a plugin that must ask questions does not run without a terminal', async () => {
  const { source, runs } = await setUp(
    `answer({ token: 'x' })`,
    { interactiveMode: 'Always' },
    { interactive: false },
  )
  await expect(source.get()).rejects.toMatchObject({ failure: 'not-interactive' })
  expect(await runs()).toBe(0)
})

test.each([
  ['Never', true, false],
  ['IfAvailable', false, false],
  ['IfAvailable', true, true],
  ['Always', true, true],
] as const)(
  'with interactiveMode %s and a terminal: %s, the plugin may ask: %s',
  async (mode, available, may) => {
    const { authorization } = await setUp(
      `answer({ token: String(info.spec.interactive) })`,
      { interactiveMode: mode },
      { interactive: available },
    )
    expect(await authorization()).toBe(`Bearer ${may}`)
  },
)

test('the policy is asked before anything runs', async () => {
  const { source, runs } = await setUp(`answer({ token: 'x' })`, {}, { policy: { type: 'DenyAll' } })
  await expect(source.get()).rejects.toMatchObject({ failure: 'denied' })
  expect(await runs()).toBe(0)
})

test('v1beta1 is spoken too', async () => {
  const { authorization } = await setUp(`answer({ token: info.apiVersion.split('/')[1] })`, {
    apiVersion: 'client.authentication.k8s.io/v1beta1',
  })
  expect(await authorization()).toBe('Bearer v1beta1')
})
