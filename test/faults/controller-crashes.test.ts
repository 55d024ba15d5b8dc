import { describe, expect, test } from 'vitest'
import { defineController } from '../../src/controller/index.js'
import { isConflict } from '../../src/objects/index.js'
import { raw, refuse } from './api-server/answers.js'
import { addWidgets, control, createGate, exclusively, resize } from './controlled-widgets.js'
import { until } from './event-loop.js'
import { createMortalClient, type Death } from './mortal-client.js'
import { createRig, type Rig } from './rig.js'
import { type Accounts, widgetOperator, worldOf } from './widget-operator.js'
import { Widget } from './widgets.js'

const finalizer = 'widgets.faults.example.com/finalizer'

/** Runs the operator until nothing happens any more. */
async function settleOperator(rig: Rig, accounts: Accounts): Promise<void> {
  const running = control(rig, widgetOperator(accounts))
  await until(() => running.count() > 0 || rig.server.store.objects('widgets').length === 0)
  await rig.pass(5_000)
  await running.stop()
}

/** Runs the operator in a process that dies where it is told to. */
async function runUntilDeath(rig: Rig, accounts: Accounts, death: Death): Promise<boolean> {
  const mortal = await createMortalClient(rig, death)
  const running = control(rig, widgetOperator(accounts), { client: mortal.client, drainMs: 0 })
  await rig.pass(5_000)
  const { isDead } = mortal
  // Nothing of it reaches the server any more, so it does not matter how its remains are cleared away.
  const ended = running.stop(new Error('the process is gone'))
  await rig.pass(1)
  await ended
  mortal.client.close()
  return isDead
}

describe('C1: a process that dies', () => {
  const deaths = [0, 1, 2, 3, 4, 5].flatMap((atWrite) =>
    (['before', 'after'] as const).map((when) => ({ atWrite, when })),
  )

  test.each(deaths)(
    '$when write $atWrite of a new object: the next one ends in the same world',
    async (death) => {
      const rig = await createRig()
      const accounts: Accounts = new Map()
      addWidgets(rig.server, ['a'])
      const died = await runUntilDeath(rig, accounts, death)
      // The finalizer, two gadgets and the status.
      expect(died).toBe(death.atWrite < 4)
      await settleOperator(rig, accounts)
      expect(worldOf(rig.server, accounts)).toEqual({
        widgets: [{ name: 'a', finalizers: [finalizer], spec: { size: 1 }, status: { observed: 1 } }],
        gadgets: ['left', 'right'].map((part) => ({
          name: `a-${part}`,
          isOwned: true,
          spec: { size: 1, part },
        })),
        accounts: [1],
        strayAccounts: 0,
      })
    },
  )

  test.each(deaths)('$when write $atWrite of a change', async (death) => {
    const rig = await createRig()
    const accounts: Accounts = new Map()
    addWidgets(rig.server, ['a'])
    await settleOperator(rig, accounts)
    resize(rig.server, 'a', 2)
    expect(await runUntilDeath(rig, accounts, death)).toBe(death.atWrite < 3)
    await settleOperator(rig, accounts)
    expect(worldOf(rig.server, accounts)).toMatchObject({
      widgets: [{ spec: { size: 2 }, status: { observed: 2 } }],
      gadgets: [{ spec: { size: 2 } }, { spec: { size: 2 } }],
      accounts: [2],
    })
  })

  test.each(deaths)('$when write $atWrite of a clean-up: nothing is left over', async (death) => {
    const rig = await createRig()
    const accounts: Accounts = new Map()
    addWidgets(rig.server, ['a'])
    await settleOperator(rig, accounts)
    rig.server.store.delete('widgets', 'default/a')
    expect(await runUntilDeath(rig, accounts, death)).toBe(death.atWrite < 3)
    await settleOperator(rig, accounts)
    expect(worldOf(rig.server, accounts)).toEqual({
      widgets: [],
      gadgets: [],
      accounts: [],
      strayAccounts: 0,
    })
  })
})

describe('what a controller has not seen', () => {
  test('C2: states in between may be missed, the last one is reached', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    const accounts: Accounts = new Map()
    addWidgets(server, ['a', 'b'])
    const running = control(rig, widgetOperator(accounts))
    await pass(5_000)
    server.hold(true)
    for (let size = 2; size < 8; size++) resize(server, 'a', size)
    server.store.delete('gadgets', 'default/a-left')
    server.store.edit('gadgets', 'default/b-right', (gadget) => {
      gadget['spec'] = { size: 99 }
    })
    server.store.compact()
    proxy.reset()
    server.watching.held = false
    await pass(10_000)
    expect(worldOf(server, accounts)).toMatchObject({
      widgets: [{ status: { observed: 7 } }, { status: { observed: 1 } }],
      gadgets: [{ spec: { size: 7 } }, { spec: { size: 7 } }, { spec: { size: 1 } }, { spec: { size: 1 } }],
      accounts: [7, 1],
    })
    await running.stop()
  })

  test('C2: a deletion and a new object of the same name, both unseen, are two objects', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server, ['a'])
    const reconciled: string[] = []
    const cleaned: string[] = []
    control(
      rig,
      defineController({
        for: Widget,
        reconcile: exclusively(({ metadata: { uid } }) => void reconciled.push(uid)),
        finalize: exclusively(({ metadata: { uid } }) => void cleaned.push(uid)),
      }),
    )
    await pass(1_000)
    server.hold(true)
    // Somebody takes the finalizer off by force.
    server.store.edit('widgets', 'default/a', (widget) => {
      widget.metadata.finalizers = []
    })
    server.store.delete('widgets', 'default/a')
    addWidgets(server, ['a'])
    server.store.compact()
    proxy.reset()
    server.watching.held = false
    await pass(10_000)
    const present = server.store.get('widgets', 'default/a')
    expect(present?.metadata.finalizers).toEqual([finalizer])
    expect(reconciled.at(-1)).toBe(present?.metadata.uid)
    expect(cleaned).toEqual([])
  })

  test('T16: a write whose answer was lost is found in the cache by the next run, not repeated', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    const accounts: Accounts = new Map()
    addWidgets(server, ['a'])
    // The server does it, and its answer is cut off.
    server.intercept(
      { verb: 'create', plural: 'gadgets' },
      ({ body }) => {
        server.store.create('gadgets', JSON.parse(body))
        return (response) => response.socket?.resetAndDestroy()
      },
      1,
    )
    control(rig, widgetOperator(accounts))
    await pass(10_000)
    expect(worldOf(server, accounts)).toMatchObject({ widgets: [{ status: { observed: 1 } }] })
    expect(server.store.objects('gadgets')).toHaveLength(2)
  })
})

describe('finalizers', () => {
  test('C4: a clean-up of an object never touches the next one of its name', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    const inCleanUp = createGate()
    const mayEnd = createGate()
    const cleaned: string[] = []
    const reconciled: string[] = []
    server.store.create('widgets', { metadata: { name: 'a', finalizers: [finalizer] } })
    const first = server.store.get('widgets', 'default/a')?.metadata.uid ?? ''
    control(
      rig,
      defineController({
        for: Widget,
        reconcile: exclusively((widget) => void reconciled.push(widget.metadata.uid)),
        finalize: exclusively(async (widget) => {
          cleaned.push(widget.metadata.uid)
          inCleanUp.open()
          await mayEnd.opened
        }),
      }),
    )
    await until(() => reconciled.length === 1)
    server.store.delete('widgets', 'default/a')
    await inCleanUp.opened
    // By force: the finalizer is taken off by somebody else, and a namesake is made.
    server.store.edit('widgets', 'default/a', (widget) => {
      widget.metadata.finalizers = []
    })
    server.store.create('widgets', { metadata: { name: 'a', finalizers: [finalizer] } })
    const second = server.store.get('widgets', 'default/a')?.metadata.uid ?? ''
    mayEnd.open()
    await until(() => reconciled.includes(second))
    await pass(10_000)
    expect(server.store.get('widgets', 'default/a')?.metadata).toMatchObject({
      uid: second,
      finalizers: [finalizer],
    })
    expect(cleaned).toEqual([first])
    // The refused removal is the ordinary conflict of two writers.
    expect(log.find('error')).toEqual([])
  })

  test('C17: a clean-up that always fails holds its object, visibly and ever more rarely, and no other one', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server, ['a', 'b'])
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: () => {},
        finalize: exclusively((widget) => {
          if (widget.metadata.name === 'a') throw new Error('the account cannot be closed')
        }),
      }),
    )
    await until(() =>
      server.store.objects('widgets').every(({ metadata }) => metadata.finalizers?.length === 1),
    )
    await rig.settle()
    const before = running.count('a')
    server.store.delete('widgets', 'default/a')
    server.store.delete('widgets', 'default/b')
    await pass(60_000)
    expect(server.store.objects('widgets').map(({ metadata }) => metadata.name)).toEqual(['a'])
    const failures = log.find('error', 'failed')
    // 5 ms, doubled each time: some 13 tries in a minute.
    expect(running.count('a') - before).toBe(failures.length)
    expect(failures.length).toBeGreaterThanOrEqual(10)
    expect(failures.length).toBeLessThanOrEqual(15)
    expect(running.controller.history.at(-1)).toMatchObject({
      result: 'failed',
      error: { message: /account/ },
    })
  })

  test('C18: a finalizer is not put on an object that is being deleted', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.store.create('widgets', { metadata: { name: 'a', finalizers: ['example.com/other'] } })
    const seen: string[] = []
    server.intercept(
      { verb: 'patch' },
      () => {
        // In the moment before our write arrives, somebody deletes the object.
        server.store.delete('widgets', 'default/a')
        return undefined
      },
      1,
    )
    control(
      rig,
      defineController({
        for: Widget,
        reconcile: () => void seen.push('reconcile'),
        finalize: () => void seen.push('finalize'),
      }),
    )
    await pass(10_000)
    expect(server.store.get('widgets', 'default/a')?.metadata.finalizers).toEqual(['example.com/other'])
    expect(seen).toEqual([])
  })

  test('C18: a server that finds the object invalid is no sign that it is being deleted: the failure shows', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server, ['a'])
    const heal = server.fault({ verb: 'patch' }, refuse(422, 'Invalid'))
    const seen: string[] = []
    control(
      rig,
      defineController({ for: Widget, reconcile: () => void seen.push('reconcile'), finalize: () => {} }),
    )
    await pass(10_000)
    expect(seen).toEqual([])
    expect(log.find('error', 'failed').length).toBeGreaterThan(0)
    heal()
    await pass(30_000)
    expect(seen.length).toBeGreaterThan(0)
  })

  test('C18: a finalizer that others add or remove meanwhile is neither lost nor put back', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.store.create('widgets', { metadata: { name: 'a', finalizers: ['example.com/first'] } })
    server.intercept(
      { verb: 'patch' },
      () => {
        server.store.edit('widgets', 'default/a', (widget) => {
          widget.metadata.finalizers = ['example.com/second']
        })
        return undefined
      },
      1,
    )
    control(rig, defineController({ for: Widget, reconcile: () => {}, finalize: () => {} }))
    await pass(10_000)
    expect(server.store.get('widgets', 'default/a')?.metadata.finalizers).toEqual([
      'example.com/second',
      finalizer,
    ])
    server.store.delete('widgets', 'default/a')
    await pass(10_000)
    expect(server.store.get('widgets', 'default/a')?.metadata.finalizers).toEqual(['example.com/second'])
  })

  test('C18: one that somebody else has taken off is not missed', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server, ['a'])
    let cleanUps = 0
    control(
      rig,
      defineController({
        for: Widget,
        reconcile: () => {},
        finalize: () => {
          cleanUps++
          server.store.edit('widgets', 'default/a', (widget) => {
            widget.metadata.finalizers = []
          })
        },
      }),
    )
    await until(() => server.store.objects('widgets')[0]?.metadata.finalizers?.length === 1)
    await rig.settle()
    server.store.delete('widgets', 'default/a')
    await pass(10_000)
    expect(server.store.objects('widgets')).toEqual([])
    expect(cleanUps).toBe(1)
    expect(log.find('error')).toEqual([])
  })
})

test('an owned object that is deleted wakes its owner although the deletion itself was missed', async () => {
  const rig = await createRig()
  const { server, proxy, pass } = rig
  const accounts: Accounts = new Map()
  addWidgets(server, ['a'])
  control(rig, widgetOperator(accounts))
  await pass(2_000)
  server.hold(true)
  server.store.delete('gadgets', 'default/a-left')
  server.store.compact()
  proxy.reset()
  server.watching.held = false
  await pass(10_000)
  expect(server.store.objects('gadgets')).toHaveLength(2)
})

test('a conflict with another writer is solved by the retry, without an error in the log', async () => {
  const rig = await createRig()
  const { server, pass, log } = rig
  addWidgets(server, ['a'])
  let conflicts = 0
  server.intercept(
    { verb: 'update', subresource: 'status' },
    () => {
      server.store.edit('widgets', 'default/a', (widget) => {
        widget.metadata.annotations = { writer: String(++conflicts) }
      })
      return undefined
    },
    3,
  )
  control(
    rig,
    defineController({
      for: Widget,
      reconcile: exclusively(async (widget, { client }) => {
        if (widget.status?.observed === 1) return
        const draft = structuredClone(widget) as Widget
        draft.status = { observed: 1 }
        try {
          await client.updateStatus(Widget, draft)
        } catch (error) {
          expect(isConflict(error)).toBe(true)
          throw error
        }
      }),
    }),
  )
  await pass(10_000)
  expect(server.store.get('widgets', 'default/a')).toMatchObject({ status: { observed: 1 } })
  expect(conflicts).toBeGreaterThanOrEqual(3)
  expect(log.find('error')).toEqual([])
})

test('S15: an answer that no retry changes is retried ever more rarely, and other objects go on', async () => {
  const rig = await createRig()
  const { server, pass } = rig
  const accounts: Accounts = new Map()
  addWidgets(server, ['a', 'b'])
  server.intercept({ verb: 'create', plural: 'gadgets' }, ({ body }) =>
    body.includes('"a-left"')
      ? raw(403, { 'content-type': 'application/json' }, '{"kind":"Status","reason":"Forbidden"}')
      : undefined,
  )
  control(rig, widgetOperator(accounts))
  await pass(60_000)
  const tries = server.requests.filter(({ verb, body }) => verb === 'create' && body.includes('"a-left"'))
  expect(tries.length).toBeLessThanOrEqual(15)
  expect(server.store.get('widgets', 'default/b')).toMatchObject({ status: { observed: 1 } })
  expect(server.store.objects('gadgets').map(({ metadata }) => metadata.name)).toEqual(['b-left', 'b-right'])
})
