import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import type { ApiObject } from '../api-object.js'
import { type DurableStoreOptions, openDurableStore } from './durable-store.js'
import { CompactedError, type Store, type StoreEvent } from './store.js'
import { StoreCorruptError, StoreLockedError } from './store-errors.js'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-store-'))
  cleanups.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function open(directory: string, options?: DurableStoreOptions): Promise<Store> {
  const store = await openDurableStore(directory, options)
  cleanups.push(() => store.close().catch(() => {}))
  return store
}

const object = (name: string, value: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
})
const put = (store: Store, name: string, value = ''): number =>
  store.put('configmaps', name, object(name, value), store.get('configmaps', name)?.revision ?? 0).revision
const contentOf = (store: Store): unknown[] => [...store.scan('configmaps')].map(({ object: each }) => each)
const logIn = async (directory: string): Promise<string> => {
  const names = (await readdir(directory)).filter((name) => name.startsWith('log-')).toSorted()
  return join(directory, names.at(-1) ?? '')
}
/** A copy of the files as they are now: what a server that is killed at this moment leaves behind. */
const copyOf = async (directory: string): Promise<string> => {
  // Files come and go behind a running store: only a copy during which none did is one of a single moment.
  for (;;) {
    const copy = await newDirectory()
    const before = await readdir(directory)
    const isCopied = await cp(directory, copy, { recursive: true }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false
        throw error
      },
    )
    if (isCopied && String(before) === String(await readdir(directory))) return copy
  }
}

test('content, revision and history are there after a restart', async () => {
  const directory = await newDirectory()
  const first = await open(directory)
  const start = first.revision
  put(first, 'a', '1')
  put(first, 'b', '2')
  put(first, 'a', '3')
  first.delete('configmaps', 'b', first.get('configmaps', 'b')?.revision ?? 0, object('b', 'last'))
  const content = contentOf(first)
  const revision = first.revision
  await first.settled(revision)
  await first.close()

  const second = await open(directory)
  expect(contentOf(second)).toEqual(content)
  expect(second.revision).toBe(revision)
  const events: StoreEvent[] = []
  second.subscribe({ after: start }, (event) => events.push(event))
  expect(
    events.map(({ type, key, current, previous }) => [
      type,
      key,
      current.object['data'],
      previous?.object['data'],
    ]),
  ).toEqual([
    ['added', 'a', { value: '1' }, undefined],
    ['added', 'b', { value: '2' }, undefined],
    ['modified', 'a', { value: '3' }, { value: '1' }],
    ['deleted', 'b', { value: 'last' }, { value: '2' }],
  ])
  expect(put(second, 'c')).toBe(revision + 1)
})

test('what was written is there after the process dies without a word, and watches can go on where they were', async () => {
  const directory = await newDirectory()
  const store = await open(directory)
  put(store, 'a', '1')
  const seen = put(store, 'b', '2')
  put(store, 'c', '3')
  const recovered = await open(await copyOf(directory))
  expect(contentOf(recovered)).toEqual(contentOf(store))
  expect(recovered.revision).toBe(store.revision)
  const keys: string[] = []
  recovered.subscribe({ after: seen }, ({ key }) => keys.push(key))
  expect(keys).toEqual(['c'])
})

test('a log that is cut at any byte gives back every change that is whole in it', async () => {
  const directory = await newDirectory()
  const store = await open(directory)
  const log = await logIn(directory)
  const ends: { readonly size: number; readonly revision: number }[] = []
  const note = async (): Promise<void> => {
    ends.push({ size: (await readFile(log)).length, revision: store.revision })
  }
  await note()
  for (const [name, value] of [
    ['a', '1'],
    ['b', 'ü'],
  ] as const) {
    put(store, name, value)
    await note()
  }
  store.delete('configmaps', 'b', store.get('configmaps', 'b')?.revision ?? 0)
  await note()
  const whole = ends.at(-1)?.size ?? 0
  const bytes = await readFile(log)
  expect(bytes.length).toBe(whole)
  const copy = await copyOf(directory)
  const copiedLog = await logIn(copy)

  for (let size = 0; size <= whole; size++) {
    await writeFile(copiedLog, bytes.subarray(0, size))
    const cut = await openDurableStore(copy)
    const last = ends.findLast((end) => end.size <= size)
    expect([size, cut.revision]).toEqual([size, last?.revision ?? ends[0]?.revision])
    expect(contentOf(cut)).toEqual(
      [...store.scan('configmaps', { revision: cut.revision })].map((each) => each.object),
    )
    const next = put(cut, 'next')
    await cut.close()
    // Each open costs some syncs of the disk: a few are enough to see that it goes on behind the cut.
    if (size % 25 !== 0) continue
    const again = await openDurableStore(copy)
    expect(again.get('configmaps', 'next')?.revision).toBe(next)
    await again.close()
  }
}, 120_000)

test('a changed byte in the middle of the log is an error that names the place, not a loss', async () => {
  const directory = await newDirectory()
  const store = await open(directory)
  put(store, 'a', 'the first value')
  put(store, 'b', 'the second value')
  put(store, 'c', 'the third value')
  const bytes = await readFile(await logIn(directory))
  const place = bytes.indexOf('second')
  for (const offset of [place, bytes.indexOf('configmaps', place - 200) - 20]) {
    const copy = await copyOf(directory)
    const damaged = Buffer.from(bytes)
    damaged[offset] = (damaged[offset] ?? 0) ^ 0x10
    await writeFile(await logIn(copy), damaged)
    const error = await openDurableStore(copy).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StoreCorruptError)
    expect(error).toMatchObject({ code: 'KW_STORE_CORRUPT', file: await logIn(copy) })
    expect(String(error)).toMatch(/is damaged at byte \d+: .*backup/)
  }
})

test('two servers do not open one directory, and the second may when the first is done', async () => {
  const directory = await newDirectory()
  const first = await open(directory)
  await expect(openDurableStore(directory)).rejects.toThrow(StoreLockedError)
  await expect(openDurableStore(directory)).rejects.toMatchObject({ code: 'KW_STORE_LOCKED', directory })
  await first.close()
  await (await open(directory)).close()
})

test('a closed store takes no writes', async () => {
  const store = await open(await newDirectory())
  await store.close()
  expect(() => put(store, 'a')).toThrow(/closed/)
  expect(store.get('configmaps', 'a')).toBeUndefined()
})

test('a long log becomes a snapshot, and everything is there after it', async () => {
  const directory = await newDirectory()
  const store = await open(directory, { rotateBytes: 2000, historyLimit: { events: 50 } })
  for (let count = 0; count < 200; count++) {
    put(store, `key${count % 17}`, `value ${count}`)
    if (count % 40 === 7) store.delete('configmaps', 'key0', store.get('configmaps', 'key0')?.revision ?? 0)
    if (count % 3 === 0) await store.settled(store.revision)
  }
  const content = contentOf(store)
  const { revision } = store
  const killed = await open(await copyOf(directory))
  expect(contentOf(killed)).toEqual(content)
  expect(killed.revision).toBe(revision)
  await store.close()
  const names = (await readdir(directory)).toSorted()
  expect(names.filter((name) => name.startsWith('snapshot-')).length).toBeLessThanOrEqual(2)
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([])

  const again = await open(directory, { historyLimit: { events: 50 } })
  expect(contentOf(again)).toEqual(content)
  expect(again.revision).toBe(revision)
  expect(again.oldestRevision).toBeGreaterThan(1)
  expect(() => again.scan('configmaps', { revision: 2 })).toThrow(CompactedError)
  expect(put(again, 'next')).toBe(revision + 1)
})

test('history reaches back into the generation before the last snapshot', async () => {
  const directory = await newDirectory()
  const store = await open(directory, { rotateBytes: 3000 })
  for (let count = 0; count < 100; count++) {
    put(store, 'a', `value ${count}`)
    await store.settled(store.revision)
  }
  await store.close()
  const snapshots = (await readdir(directory)).filter((name) => name.startsWith('snapshot-')).toSorted()
  expect(snapshots).toHaveLength(2)
  const again = await open(directory)
  expect(`snapshot-${String(again.oldestRevision).padStart(16, '0')}`).toBe(snapshots[0])
  expect(again.oldestRevision).toBeLessThan(again.revision)
})

test('what a server left of a snapshot that it did not finish is of no account', async () => {
  const directory = await newDirectory()
  const store = await open(directory)
  put(store, 'a', '1')
  await store.close()
  await writeFile(join(directory, 'snapshot-0000000000000002.tmp'), 'half')
  const again = await open(directory)
  expect(again.get('configmaps', 'a')?.object['data']).toEqual({ value: '1' })
  expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('a damaged snapshot is an error that says what to do', async () => {
  const directory = await newDirectory()
  const store = await open(directory, { rotateBytes: 1000 })
  const snapshots = async (): Promise<string[]> =>
    (await readdir(directory)).filter((name) => /^snapshot-\d+$/.test(name)).toSorted()
  for (let count = 0; (await snapshots()).length < 2; count++) {
    put(store, `key${count}`, 'x')
    await store.settled(store.revision)
  }
  const content = contentOf(store)
  await store.close()
  const [oldest = '', newest = ''] = await snapshots()
  await truncate(join(directory, oldest), 10)
  const error = await openDurableStore(directory).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'KW_STORE_CORRUPT', file: join(directory, oldest) })
  expect(String(error)).toContain(
    `Delete ${join(directory, oldest)} to begin with ${join(directory, newest)}`,
  )
  await rm(join(directory, oldest))
  expect(contentOf(await open(directory))).toEqual(content)
})

test('after the machine went down, revisions that somebody may have seen are not given out again', async () => {
  const directory = await newDirectory()
  const store = await open(directory)
  const before = put(store, 'a', '1')
  const copy = await copyOf(directory)
  const log = await logIn(copy)
  // The same log as another boot of the machine has left it: the boot is noted in the record that opened it.
  const { encodeRecord } = await import('./record.js')
  const state = store.get('configmaps', 'a')
  if (state === undefined) throw new Error('The object is not there.')
  await writeFile(
    log,
    Buffer.concat([
      ...encodeRecord({ type: 'begin', revision: before - 1, note: 'another boot' }),
      ...encodeRecord({ type: 'put', state }),
    ]),
  )
  const recovered = await open(copy)
  expect(recovered.revision).toBeGreaterThan(before + 1000)
  expect(recovered.oldestRevision).toBe(recovered.revision)
  expect(contentOf(recovered)).toEqual(contentOf(store))
  const next = put(recovered, 'b')
  await recovered.close()
  const again = await open(copy)
  expect(again.revision).toBe(next)
  expect(again.get('configmaps', 'b')?.revision).toBe(next)
})

const sources = new URL('.', import.meta.url)
const checkout = fileURLToPath(new URL('../../..', sources))
/** Writes object after object and says which are safe, until it is killed or a write fails. */
const writer = `
import { openDurableStore } from ${JSON.stringify(new URL('durable-store.ts', sources).href)}
const store = await openDurableStore(process.argv[2], { rotateBytes: 100_000 })
let isDone = false
const write = async (worker) => {
  for (let count = 0; !isDone; count++) {
    const name = [process.pid, worker, count].join('-')
    const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: 'x'.repeat(500) } }
    try {
      const { revision } = store.put('configmaps', name, draft, 0)
      await store.settled(revision)
      process.stdout.write(name + ' ' + revision + '\\n')
    } catch (error) {
      if (!isDone) process.stdout.write('failed ' + error.code + '\\n')
      isDone = true
    }
  }
}
await Promise.all([write(1), write(2), write(3), write(4)])
`

/** Runs the writer until it is killed or done; returns what it has said. */
async function runWriter(directory: string, shell: string, killAfter: number): Promise<string[]> {
  const script = join(await newDirectory(), 'writer.mjs')
  await writeFile(script, writer)
  const command = `${shell} exec "${process.execPath}" --import tsx "${script}" "${directory}"`
  const child = spawn('bash', ['-c', command], { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length === killAfter) child.kill('SIGKILL')
  }
  await ended
  return lines
}

test('every write that was acknowledged is there after a SIGKILL in the middle of others', async () => {
  const directory = await newDirectory()
  for (const killAfter of [50, 400]) {
    const acknowledged = await runWriter(directory, '', killAfter)
    expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter)
    const store = await openDurableStore(directory)
    for (const line of acknowledged) {
      const [name = '', revision] = line.split(' ')
      expect(`${name} ${store.get('configmaps', name)?.revision}`).toBe(`${name} ${revision}`)
    }
    await store.close()
  }
}, 60_000)

test('a write for which there is no room fails, and leaves nothing behind that is half', async () => {
  const directory = await newDirectory()
  // A limit of the file size fails as a full disk does: with a part of the last write done.
  const lines = await runWriter(directory, "trap '' XFSZ; ulimit -f 40;", Number.POSITIVE_INFINITY)
  expect(lines.filter((line) => line.startsWith('failed'))).toEqual(['failed KW_STORE_WRITE'])
  const acknowledged = lines.filter((line) => !line.startsWith('failed'))
  expect(acknowledged.length).toBeGreaterThan(10)
  const store = await open(directory)
  expect(store.count('configmaps')).toBe(acknowledged.length)
  expect(put(store, 'next')).toBe(Math.max(...acknowledged.map((line) => Number(line.split(' ')[1]))) + 1)
}, 60_000)
