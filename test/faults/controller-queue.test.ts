import { describe, expect, test } from 'vitest'
import {
  again,
  type ControllerDefinition,
  defineController,
  TerminalError,
} from '../../src/controller/index.js'
import { addWidgets, control, createGate, exclusively, resize } from './controlled-widgets.js'
import { until } from './event-loop.js'
import { createRig } from './rig.js'
import { Widget } from './widgets.js'

/** Writes down what it is run for. The first run waits until it may end. */
function recorder(options: { readonly heldAt?: string } = {}) {
  const ran: string[] = []
  const gate = createGate()
  const definition: ControllerDefinition = defineController({
    for: Widget,
    reconcile: exclusively(async ({ metadata: { name } }) => {
      ran.push(name)
      if (name === options.heldAt) await gate.opened
    }),
  })
  return { ran, gate, definition }
}

describe('C3: events that say nothing new', () => {
  test('the same event many times over is at most one more run, and an event that says what is known none', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server, ['a'])
    const { ran, definition } = recorder()
    control(rig, definition)
    await until(() => ran.length === 1)
    await until(() => server.watches.length === 1)
    for (let time = 0; time < 20; time++)
      server.watches[0]?.event('MODIFIED', server.store.get('widgets', 'default/a'))
    await rig.settle()
    expect(ran).toHaveLength(1)
    resize(server, 'a', 2)
    for (let time = 0; time < 20; time++)
      server.watches[0]?.event('MODIFIED', server.store.get('widgets', 'default/a'))
    await until(() => ran.length === 2)
    await rig.settle()
    expect(ran).toHaveLength(2)
  })

  test('a list of what is known is one more run for each object, behind whatever has really changed', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    const names = [...'abcdefgh']
    addWidgets(server, names)
    const { ran, gate, definition } = recorder({ heldAt: 'hold' })
    const running = control(rig, definition)
    await until(() => ran.length === names.length)
    ran.length = 0
    addWidgets(server, ['hold'])
    await until(() => ran.length === 1)
    proxy.reset()
    server.store.compact()
    server.store.tick()
    server.store.compact()
    await pass(5_000)
    await until(() => server.watches.length === 1)
    resize(server, 'f', 2)
    await rig.settle()
    gate.open()
    await until(() => ran.length === 1 + names.length + 1)
    // The object that changed had an echo waiting, too: it is one run.
    expect(ran.slice(0, 2)).toEqual(['hold', 'f'])
    expect(ran.slice(1).toSorted()).toEqual([...names, 'hold'].toSorted())
    const causes = running.runs.flatMap((run) => run.causes.map(({ type }) => type))
    expect(causes).toContain('resync')
  })

  test('a resync of the cache is one run for each object', async () => {
    const rig = await createRig()
    const { pass, server } = rig
    addWidgets(server, ['a', 'b'])
    const { ran, definition } = recorder()
    control(rig, definition, { resyncMs: 60_000 })
    await until(() => ran.length === 2)
    await pass(61_000)
    expect(ran.toSorted()).toEqual(['a', 'a', 'b', 'b'])
  })
})

describe('many changes', () => {
  test('C6: thousands of changes of one object are one run that is under way and one that follows', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server, ['hot'])
    const ran: string[] = []
    const sizes: (number | undefined)[] = []
    const gate = createGate()
    control(
      rig,
      defineController({
        for: Widget,
        workers: 2,
        reconcile: exclusively(async ({ metadata: { name }, spec }) => {
          ran.push(name)
          sizes.push(spec?.size)
          if (ran.length === 1) await gate.opened
        }),
      }),
    )
    await until(() => ran.length === 1)
    for (let change = 0; change < 3_000; change++) resize(server, 'hot', change + 2)
    addWidgets(server, ['other'])
    await until(() => ran.includes('other'))
    // The other one did not wait behind it.
    expect(ran).toEqual(['hot', 'other'])
    await rig.settle()
    gate.open()
    await until(() => ran.length === 3)
    await rig.settle()
    expect(ran).toEqual(['hot', 'other', 'hot'])
    expect(sizes.at(-1)).toBe(3_001)
  })

  test('C7: among thousands of objects of a start, a change that a user makes comes next', async () => {
    const rig = await createRig()
    const { server } = rig
    const objects = 3_000
    addWidgets(
      server,
      Array.from({ length: objects }, (_, index) => `w${index}`),
    )
    const ran: string[] = []
    const gate = createGate()
    control(
      rig,
      defineController({
        for: Widget,
        reconcile: exclusively(async ({ metadata: { name } }) => {
          ran.push(name)
          if (ran.length === 1) await gate.opened
        }),
      }),
    )
    await until(() => ran.length === 1)
    resize(server, 'w2999', 2)
    await rig.settle()
    gate.open()
    await until(() => ran.length === objects)
    await rig.settle()
    expect(ran[1]).toBe('w2999')
    expect(new Set(ran).size).toBe(objects)
    expect(ran).toHaveLength(objects)
  })

  test('C5: an object that many write to is retried with pauses, and the others go on', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server, ['contested', 'calm'])
    let writers = 0
    server.intercept({ verb: 'update', subresource: 'status' }, ({ name }) => {
      if (name === 'contested' && writers < 12) {
        server.store.edit('widgets', 'default/contested', (widget) => {
          widget.metadata.labels = { writer: String(++writers) }
        })
      }
      return undefined
    })
    const done: string[] = []
    control(
      rig,
      defineController({
        for: Widget,
        when: (event) => event.type !== 'update',
        reconcile: exclusively(async (widget, { client }) => {
          const draft = structuredClone(widget) as Widget
          draft.status = { observed: 1 }
          await client.updateStatus(Widget, draft)
          done.push(widget.metadata.name)
        }),
      }),
    )
    await until(() => done.includes('calm'))
    expect(done).toEqual(['calm'])
    await pass(60_000)
    const tries = server.requests.filter(({ verb, name }) => verb === 'update' && name === 'contested')
    // 5 ms, 10 ms, 20 ms ... and not all of them at once.
    expect(tries).toHaveLength(13)
    const gaps = tries.slice(1).map(({ atMs }, at) => atMs - (tries[at]?.atMs ?? 0))
    expect(gaps.every((gap, at) => gap >= 5 * 2 ** at)).toBe(true)
    expect(done).toEqual(['calm', 'contested'])
    expect(log.find('error')).toEqual([])
  })
})

describe('C8: an object whose run always fails', () => {
  test('is tried from 5 ms to 1000 s, doubling, without hindering others, and begins anew after a success', async () => {
    const rig = await createRig()
    const { server, pass, clock, log } = rig
    addWidgets(server, ['poison', 'good'])
    const at: number[] = []
    let isPoisoned = true
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: exclusively(({ metadata: { name } }) => {
          if (name !== 'poison') return
          at.push(clock.monotonic())
          if (isPoisoned) throw new Error('poison')
        }),
      }),
    )
    await until(() => running.count('good') === 1)
    await pass(6_000_000)
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    expect(gaps.slice(0, 18)).toEqual(Array.from({ length: 18 }, (_, failures) => 5 * 2 ** failures))
    expect(gaps.slice(18).every((gap) => gap === 1_000_000)).toBe(true)
    expect(log.find('error', 'failed')).toHaveLength(at.length)
    expect(running.count('good')).toBe(1)
    // A change is worth a try at once.
    resize(server, 'poison', 2)
    const tries = at.length
    await until(() => at.length === tries + 1)
    isPoisoned = false
    await pass(1_000_001)
    isPoisoned = true
    resize(server, 'poison', 3)
    await until(() => at.length === tries + 3)
    await pass(5)
    expect(at).toHaveLength(tries + 4)
  })

  test('for good is left alone until it changes', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server, ['a'])
    let tries = 0
    control(
      rig,
      defineController({
        for: Widget,
        reconcile: () => {
          tries++
          throw new TerminalError('the spec makes no sense')
        },
      }),
    )
    await until(() => tries === 1)
    await pass(10_000_000)
    expect(tries).toBe(1)
    expect(log.find('error', 'for good')).toHaveLength(1)
    resize(server, 'a', 2)
    await until(() => tries === 2)
  })
})

describe('C13: when to run again', () => {
  test.each([
    ['NaN', Number.NaN],
    ['a negative number', -1],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['text', '5s'],
    ['nothing', undefined],
  ])('%s is refused as a failure of the run, with its pauses', async (_, afterMs) => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server, ['a'])
    // Plain JavaScript returns what it likes.
    const outcome = { kind: 'again', afterMs } as unknown as ReturnType<typeof again>
    const running = control(rig, defineController({ for: Widget, reconcile: () => outcome }))
    await pass(10_000)
    expect(running.count()).toBeLessThanOrEqual(12)
    expect(running.runs.every(({ result }) => result === 'failed')).toBe(true)
    expect(log.find('error')[0]?.fields['error']).toMatchObject({ code: 'KW_INVALID_OUTCOME' })
  })

  test('thirty days are thirty days', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server, ['a'])
    const day = 86_400_000
    const running = control(
      rig,
      defineController({ for: Widget, reconcile: () => again({ afterMs: 30 * day }) }),
    )
    await until(() => running.count() === 1)
    // The watch would be renewed thousands of times meanwhile; it is not what this is about.
    const { controller } = running
    await pass(60_000)
    expect(controller.history).toHaveLength(1)
    expect(rig.time.nextTimerMs(29 * day)).toBeGreaterThanOrEqual(30 * day - 60_000)
  })

  test('zero is at once, and does not keep others waiting', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server, ['restless', 'other'])
    let runs = 0
    const running = control(
      rig,
      defineController({
        for: Widget,
        reconcile: exclusively(({ metadata: { name } }) =>
          name === 'restless' && ++runs < 100 ? again({ afterMs: 0 }) : undefined,
        ),
      }),
    )
    await until(() => runs === 100)
    expect(running.runs.findIndex(({ key }) => key === 'default/other')).toBeLessThanOrEqual(1)
  })
})
