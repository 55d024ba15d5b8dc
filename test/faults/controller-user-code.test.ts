import { describe, expect, test } from 'vitest'
import { defineController, generationChanged, watch } from '../../src/controller/index.js'
import { InvalidOwnerError, setControllerReference } from '../../src/objects/index.js'
import { addWidgets, control, createGate, exclusively, resize } from './controlled-widgets.js'
import { until } from './event-loop.js'
import { createRig } from './rig.js'
import { Gadget, Widget } from './widgets.js'

describe('C9: whatever is thrown', () => {
  const circular: Record<string, unknown> = { big: 'x'.repeat(1_000_000) }
  circular['self'] = circular
  const thrown: readonly [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['a string', 'just text'],
    ['a symbol', Symbol('odd')],
    ['a frozen error', Object.freeze(new Error('frozen'))],
    ['several errors', new AggregateError([new Error('one'), new Error('two')], 'both')],
    ['something huge and circular', circular],
    ['an error with such a cause', new Error('outer', { cause: circular })],
    ['an object without a prototype', Object.create(null)],
  ]

  test.each(thrown)('%s is a failed run, and the worker lives', async (_, value) => {
    for (const isSync of [true, false]) {
      const rig = await createRig()
      const { server, pass, log } = rig
      addWidgets(server, ['bad', 'good'])
      const fail = (): Promise<void> => {
        // oxlint-disable-next-line typescript/only-throw-error -- what JavaScript allows, users do
        if (isSync) throw value
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- likewise
        return Promise.reject(value)
      }
      const running = control(
        rig,
        defineController({
          for: Widget,
          reconcile: ({ metadata: { name } }) => (name === 'bad' ? fail() : undefined),
        }),
      )
      await pass(1_000)
      expect(running.count('good')).toBe(1)
      expect(running.count('bad')).toBeGreaterThan(3)
      const error = log.find('error', 'failed')[0]?.fields['error']
      expect(error).toBeInstanceOf(Error)
      expect(error instanceof Error && error.message.length < 2_000).toBe(true)
    }
  })
})

describe('a run that does not end', () => {
  test('C10: is told to stop at its time limit, keeps its object to itself, and frees its worker for others', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['stuck'])
    const gate = createGate()
    const started: string[] = []
    const aborted: string[] = []
    const running = control(
      rig,
      defineController({
        for: Widget,
        timeoutMs: 10_000,
        reconcile: exclusively(async ({ metadata: { name } }, { signal }) => {
          started.push(name)
          signal.addEventListener('abort', () => aborted.push(name))
          if (name === 'stuck') await gate.opened
        }),
      }),
    )
    await until(() => started.length === 1)
    await pass(9_000)
    expect(aborted).toEqual([])
    await pass(2_000)
    expect(aborted).toEqual(['stuck'])
    expect(running.controller.stuckRuns).toBe(1)
    expect(running.runs).toMatchObject([{ result: 'timed-out', error: { code: 'KW_RECONCILE_TIMEOUT' } }])
    // Neither its retry nor a change runs it a second time while it is there.
    resize(server, 'stuck', 2)
    addWidgets(server, ['other'])
    await pass(60_000)
    expect(started).toEqual(['stuck', 'other'])
    gate.open()
    await until(() => started.length === 3)
    expect(started).toEqual(['stuck', 'other', 'stuck'])
    expect(running.controller.stuckRuns).toBe(0)
  })

  test('C11: one that goes on after its time limit may not write, and what it returns is dropped', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['late'])
    const gate = createGate()
    const refused: unknown[] = []
    let runs = 0
    const running = control(
      rig,
      defineController({
        for: Widget,
        owns: [Gadget],
        timeoutMs: 5_000,
        reconcile: exclusively(async ({ metadata: { namespace, name } }, { client }) => {
          if (++runs > 1) return
          await gate.opened
          const key = { namespace, name: `${name}-x` }
          for (const write of [
            () => client.create(Gadget, { metadata: key }),
            () => client.patch(Gadget, key, { merge: {} }),
            () => client.delete(Gadget, key),
            () => client.patchStatus(Widget, { namespace, name }, { merge: { status: { observed: 1 } } }),
          ]) {
            await write().catch((error: unknown) => refused.push(error))
          }
          throw new Error('a late failure')
        }),
      }),
    )
    await until(() => runs === 1)
    await pass(6_000)
    const requests = server.requests.length
    gate.open()
    await until(() => runs === 2)
    expect(refused).toHaveLength(4)
    for (const error of refused) expect(error).toMatchObject({ code: 'KW_RUN_ENDED' })
    expect(server.requests.slice(requests).filter(({ verb }) => verb !== 'watch' && verb !== 'list')).toEqual(
      [],
    )
    expect(running.runs.map(({ result }) => result)).toEqual(['timed-out', 'settled'])
  })

  test('C11: neither may one that has returned and left something running', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server, ['a'])
    const gate = createGate()
    let late: Promise<unknown> | undefined
    const running = control(
      rig,
      defineController({
        for: Widget,
        owns: [Gadget],
        reconcile: ({ metadata: { namespace } }, { client }) => {
          late ??= gate.opened.then(() => client.create(Gadget, { metadata: { namespace, name: 'x' } }))
        },
      }),
    )
    await until(() => running.count() === 1)
    gate.open()
    await expect(late).rejects.toMatchObject({ code: 'KW_RUN_ENDED' })
    expect(server.store.objects('gadgets')).toEqual([])
  })

  test('C12: after a pause in which the lease ran out, the first write is refused', async () => {
    const rig = await createRig()
    const { server, pass, clock } = rig
    addWidgets(server, ['a'])
    const leaseEndMs = clock.monotonic() + 15_000
    const gate = createGate()
    let failure: unknown
    control(
      rig,
      defineController({
        for: Widget,
        reconcile: async ({ metadata: { namespace, name } }, { client }) => {
          await gate.opened
          await client
            .patchStatus(Widget, { namespace, name }, { merge: { status: { observed: 1 } } })
            .catch((error: unknown) => {
              failure = error
            })
        },
      }),
      {
        assertMayWrite: () => {
          if (clock.monotonic() >= leaseEndMs) throw new Error('not the leader any more')
        },
      },
    )
    await rig.settle()
    await pass(20_000)
    gate.open()
    await until(() => failure !== undefined)
    expect(failure).toMatchObject({ message: 'not the leader any more' })
    expect(server.count('patch')).toBe(0)
  })
})

describe('C16: functions that decide who runs', () => {
  test('a predicate that throws lets the event through', async () => {
    const rig = await createRig()
    const { server, log } = rig
    addWidgets(server, ['a', 'b'])
    const running = control(
      rig,
      defineController({
        for: Widget,
        when: ({ object }) => {
          if (object.name === 'a') throw new Error('no opinion')
          return false
        },
        reconcile: () => {},
      }),
    )
    await until(() => running.count('a') === 1)
    await rig.settle()
    expect(running.count('b')).toBe(0)
    expect(log.find('error', 'predicate')).toHaveLength(1)
  })

  test('a map function that throws is told, and the next event is mapped', async () => {
    const rig = await createRig()
    const { server, log } = rig
    addWidgets(server, ['a'])
    for (const name of ['bad', 'good']) server.store.create('gadgets', { metadata: { name } })
    const running = control(
      rig,
      defineController({
        for: Widget,
        watches: [
          watch(Gadget, ({ name, namespace }) => {
            if (name === 'bad') throw new Error('cannot map')
            return [{ namespace, name: 'a' }]
          }),
        ],
        reconcile: () => {},
      }),
    )
    await until(() => running.count('a') >= 1)
    expect(log.find('error', 'map function')).toHaveLength(1)
    const before = running.count('a')
    server.store.edit('gadgets', 'default/good', (gadget) => {
      gadget['spec'] = { size: 2 }
    })
    await until(() => running.count('a') === before + 1)
  })

  test('an owner reference that makes no sense wakes nobody and breaks nothing', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server, ['a'])
    const odd = [
      [{ controller: true }],
      [{ controller: true, kind: 'Widget' }],
      [{ controller: true, kind: 'Widget', apiVersion: 5, name: 'a', uid: 'u' }],
      'not a list',
      null,
    ]
    odd.forEach((ownerReferences, index) =>
      server.store.create('gadgets', {
        metadata: { name: `odd${index}`, ownerReferences: ownerReferences as never },
      }),
    )
    const running = control(rig, defineController({ for: Widget, owns: [Gadget], reconcile: () => {} }))
    await until(() => running.count('a') === 1)
    server.store.create('gadgets', {
      metadata: {
        name: 'good',
        ownerReferences: [
          {
            controller: true,
            kind: 'Widget',
            apiVersion: 'faults.example.com/v1',
            name: 'a',
            uid: 'u',
          } as never,
        ],
      },
    })
    await until(() => running.count('a') === 2)
    expect(running.runs.map(({ result }) => result)).toEqual(['settled', 'settled'])
  })
})

test('C19: an owner that the garbage collector would not accept is refused before anything is sent', async () => {
  const rig = await createRig()
  const { server, pass, log } = rig
  server.store.create('widgets', { metadata: { name: 'a', namespace: 'here' } })
  control(
    rig,
    defineController({
      for: Widget,
      owns: [Gadget],
      reconcile: async (widget, { client }) => {
        const draft = { metadata: { name: 'a-x', namespace: 'elsewhere' } }
        setControllerReference(widget, draft)
        await client.create(Gadget, draft)
      },
    }),
  )
  await pass(1_000)
  expect(server.count('create')).toBe(0)
  const failure = log.find('error', 'failed')[0]?.fields['error']
  expect(failure).toBeInstanceOf(InvalidOwnerError)
  expect(failure).toMatchObject({ reason: 'cross-namespace' })
})

describe('C22: a controller that wakes itself', () => {
  /** Writes a new time into the status, each time it runs, until it has run often enough for the test. */
  function restless(runsToMake: number, options: { readonly onlySpec?: boolean } = {}) {
    let runs = 0
    return defineController({
      for: Widget,
      ...(options.onlySpec === true && { when: generationChanged() }),
      reconcile: exclusively(async ({ metadata: { namespace, name } }, { client }) => {
        if (++runs > runsToMake) return
        await client.patchStatus(Widget, { namespace, name }, { merge: { status: { at: `run ${runs}` } } })
      }),
    })
  }

  test('is told so, once, though each event arrives before the answer to its write', async () => {
    const rig = await createRig()
    const { server, log } = rig
    addWidgets(server, ['a'])
    const running = control(rig, restless(40))
    await until(() => running.count() === 41)
    expect(log.find('warn', 'keeps waking itself')).toHaveLength(1)
  })

  test('is told so when each event arrives after it', async () => {
    const rig = await createRig()
    const { server, log } = rig
    addWidgets(server, ['a'])
    const running = control(rig, restless(40))
    await until(() => server.watches.length === 1 && running.count() >= 1)
    for (let runs = running.count(); runs < 41; runs = running.count()) {
      server.hold(true)
      await rig.settle()
      server.hold(false)
      await until(() => running.count() > runs || running.count() >= 41)
    }
    expect(log.find('warn', 'keeps waking itself')).toHaveLength(1)
  })

  test('is not accused of it when somebody else makes the changes', async () => {
    const rig = await createRig()
    const { server, log } = rig
    addWidgets(server, ['a'])
    const running = control(rig, restless(40, { onlySpec: true }))
    await until(() => running.count() === 1)
    for (let change = 2; change < 20; change++) {
      resize(server, 'a', change)
      await until(() => running.count() === change)
    }
    await rig.settle()
    expect(running.count()).toBe(19)
    expect(log.find('warn')).toEqual([])
  })

  test('a write that changes nothing wakes nobody', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['a'])
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: async ({ metadata: { namespace, name } }, { client }) => {
          await client.patchStatus(Widget, { namespace, name }, { merge: { status: { observed: 1 } } })
        },
      }),
    )
    await pass(10_000)
    expect(running.count()).toBe(2)
  })
})
