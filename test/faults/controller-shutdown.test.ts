import { describe, expect, test } from 'vitest'
import { KubewrightError } from '../../src/base/index.js'
import { defineController } from '../../src/controller/index.js'
import { refuse, silence } from './api-server/answers.js'
import { addWidgets, control, createGate, exclusively } from './controlled-widgets.js'
import { until } from './event-loop.js'
import { watched } from './outcome.js'
import { createRig } from './rig.js'
import { Gadget, Widget } from './widgets.js'

describe('C24: a stop', () => {
  test('lets a run finish, its writes included, and begins no other', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server, ['a', 'b', 'c'])
    const gate = createGate()
    const started: string[] = []
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: exclusively(async ({ metadata: { namespace, name } }, { client }) => {
          started.push(name)
          await gate.opened
          await client.patchStatus(Widget, { namespace, name }, { merge: { status: { observed: 1 } } })
        }),
      }),
    )
    await until(() => started.length === 1)
    const stop = watched(running.stop())
    await rig.pass(10_000)
    expect(stop.isSettled).toBe(false)
    gate.open()
    await until(() => stop.isSettled)
    expect(stop.error).toBeUndefined()
    expect(started).toHaveLength(1)
    expect(server.store.get('widgets', `default/${started[0]}`)).toMatchObject({ status: { observed: 1 } })
  })

  test('tells runs to stop when their time is up, and those that listen end', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['a'])
    let reason: unknown
    let lateWrite: unknown
    const running = control(
      rig,
      defineController({
        for: Widget,
        owns: [Gadget],
        reconcile: async ({ metadata: { namespace } }, { client, signal }) => {
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
          reason = signal.reason
          await client.create(Gadget, { metadata: { namespace, name: 'x' } }).catch((error: unknown) => {
            lateWrite = error
          })
        },
      }),
      { drainMs: 5_000 },
    )
    await rig.settle()
    const why = new Error('the process is asked to end')
    const stop = watched(running.stop(why))
    await pass(4_900)
    expect(reason).toBeUndefined()
    await pass(200)
    await until(() => stop.isSettled)
    expect(reason).toBe(why)
    expect(lateWrite).toMatchObject({ code: 'KW_RUN_ENDED' })
    expect(server.store.objects('gadgets')).toEqual([])
  })

  test('because the lease was lost takes the right to write at once', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server, ['a'])
    const gate = createGate()
    let isAborted = false
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: async ({ metadata: { namespace, name } }, { client, signal }) => {
          signal.addEventListener('abort', () => {
            isAborted = true
          })
          await gate.opened
          await client.patchStatus(Widget, { namespace, name }, { merge: { status: { observed: 1 } } })
        },
      }),
    )
    await rig.settle()
    const stop = watched(
      running.stop(new KubewrightError('The lease is gone.', { code: 'KW_LEADERSHIP_LOST' })),
    )
    await rig.settle()
    expect(isAborted).toBe(true)
    gate.open()
    await until(() => stop.isSettled)
    expect(server.count('patch')).toBe(0)
  })

  test('in the middle of a request ends the request', async () => {
    const rig = await createRig()
    const { server, pass, proxy } = rig
    addWidgets(server, ['a'])
    server.fault({ verb: 'patch' }, silence)
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: async ({ metadata: { namespace, name } }, { client }) => {
          await client.patchStatus(Widget, { namespace, name }, { merge: { status: { observed: 1 } } })
        },
      }),
      { drainMs: 5_000 },
    )
    await until(() => server.count('patch') === 1)
    const stop = watched(running.stop())
    await pass(5_001)
    await until(() => stop.isSettled)
    await until(() => proxy.open <= 1)
    expect(server.count('patch')).toBe(1)
  })

  test('holds on to a run that ignores everything, and says so', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['a'])
    const gate = createGate()
    const running = control(rig, defineController({ for: Widget, reconcile: () => gate.opened }), {
      drainMs: 1_000,
    })
    await rig.settle()
    const stop = watched(running.stop())
    await pass(60_000)
    // Whoever runs the controller decides how long to wait for it.
    expect(stop.isSettled).toBe(false)
    expect(running.controller.stuckRuns).toBe(1)
    gate.open()
    await until(() => stop.isSettled)
  })
})

describe('C26: a stop while nothing is going on', () => {
  test('sends all waiting workers home', async () => {
    const rig = await createRig()
    const running = control(rig, defineController({ for: Widget, workers: 50, reconcile: () => {} }))
    await until(() => rig.server.watches.length === 1)
    await rig.settle()
    await expect(running.stop()).resolves.toBeUndefined()
  })

  test('does so before the caches are full', async () => {
    const rig = await createRig()
    rig.server.fault({}, silence)
    const running = control(rig, defineController({ for: Widget, workers: 3, reconcile: () => {} }))
    await rig.settle()
    await expect(running.stop()).resolves.toBeUndefined()
  })

  test('and before it began', async () => {
    const rig = await createRig()
    const running = control(rig, defineController({ for: Widget, reconcile: () => {} }))
    await expect(running.stop()).resolves.toBeUndefined()
  })

  test('leaves behind what waits for its retry', async () => {
    const rig = await createRig()
    addWidgets(rig.server, ['a'])
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: () => {
          throw new Error('always')
        },
      }),
    )
    await rig.pass(60_000)
    await running.stop()
    const runs = running.count()
    await rig.pass(10_000_000)
    expect(running.count()).toBe(runs)
  })
})

describe('C25: a start', () => {
  test('runs nothing before everything that the controller follows has been seen', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['a'])
    server.store.create('gadgets', { metadata: { name: 'a-left' } })
    const heal = server.fault({ plural: 'gadgets' }, refuse(403, 'Forbidden'))
    const seen: boolean[] = []
    const running = control(
      rig,
      defineController({
        for: Widget,
        owns: [Gadget],
        reconcile: ({ metadata: { namespace, name } }, { cache }) => {
          seen.push(cache.get(Gadget, { namespace, name: `${name}-left` }) !== undefined)
        },
      }),
    )
    await pass(120_000)
    expect(running.count()).toBe(0)
    heal()
    await pass(60_000)
    expect(seen).toEqual([true])
  })

  test('S5: waits for a resource that does not exist yet, and other controllers do not wait with it', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['a'])
    const type = server.store.typeOf('gadgets')
    server.store.removeResource('gadgets')
    const needy = control(
      rig,
      defineController({ name: 'needy', for: Widget, owns: [Gadget], reconcile: () => {} }),
    )
    const frugal = control(rig, defineController({ name: 'frugal', for: Widget, reconcile: () => {} }))
    await until(() => frugal.count() === 1)
    await pass(60_000)
    expect(needy.count()).toBe(0)
    if (type !== undefined) server.store.addResource('gadgets', type)
    await pass(60_000)
    expect(needy.count()).toBe(1)
  })
})
