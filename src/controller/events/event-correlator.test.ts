import { describe, expect, test } from 'vitest'
import { EventCorrelator, type EventReport } from './event-correlator.js'

const report = (message: string, more: Partial<EventReport> = {}): EventReport => ({
  objectId: 'v1|Foo|default|a|uid',
  type: 'Normal',
  reason: 'Synced',
  message,
  ...more,
})

describe('the same event again', () => {
  test('is counted on the one that exists', () => {
    const correlator = new EventCorrelator()
    const first = correlator.decide(report('done'), 0)
    expect(first).toMatchObject({ kind: 'create', message: 'done' })
    if (first.kind !== 'create') throw new Error('unreachable')
    correlator.wrote(first.sameAs, { namespace: 'default', name: 'a.1', count: 1 })
    expect(correlator.decide(report('done'), 1)).toMatchObject({
      kind: 'count',
      written: { name: 'a.1', count: 1 },
    })
  })

  test('is made anew when the one that exists is gone', () => {
    const correlator = new EventCorrelator()
    const first = correlator.decide(report('done'), 0)
    if (first.kind !== 'create') throw new Error('unreachable')
    correlator.wrote(first.sameAs, { namespace: 'default', name: 'a.1', count: 1 })
    correlator.lost(first.sameAs)
    expect(correlator.decide(report('done'), 1).kind).toBe('create')
  })
})

describe('many different messages of one reason', () => {
  test('become one combined event from the tenth on', () => {
    const correlator = new EventCorrelator()
    const messages = Array.from({ length: 12 }, (_, index) => {
      const decision = correlator.decide(report(`message ${index}`), index)
      return decision.kind === 'drop' ? 'dropped' : decision.message
    })
    expect(messages[8]).toBe('message 8')
    expect(messages[9]).toBe('(combined from similar events): message 9')
    expect(messages[11]).toBe('(combined from similar events): message 11')
  })

  test('are told apart again after ten quiet minutes', () => {
    const correlator = new EventCorrelator()
    for (let index = 0; index < 10; index++) correlator.decide(report(`message ${index}`), 0)
    expect(correlator.decide(report('later'), 600_001)).toMatchObject({ message: 'later' })
  })
})

describe('an object about which too much is said', () => {
  test('is not talked about after 25 events, until five minutes have passed for each further one', () => {
    const correlator = new EventCorrelator()
    const kinds = Array.from(
      { length: 30 },
      (_, index) => correlator.decide(report('same', { reason: `R${index}` }), 0).kind,
    )
    expect(kinds.filter((kind) => kind === 'drop')).toHaveLength(5)
    expect(correlator.decide(report('same'), 299_999).kind).toBe('drop')
    expect(correlator.decide(report('same'), 300_000).kind).not.toBe('drop')
    expect(correlator.decide(report('same'), 300_001).kind).toBe('drop')
  })

  test('does not silence others, nor its warnings', () => {
    const correlator = new EventCorrelator()
    for (let index = 0; index < 30; index++) correlator.decide(report('same', { reason: `R${index}` }), 0)
    expect(correlator.decide(report('same', { type: 'Warning' }), 0).kind).toBe('create')
    expect(correlator.decide(report('same', { objectId: 'other' }), 0).kind).toBe('create')
  })
})
