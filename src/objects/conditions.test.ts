import { describe, expect, test } from 'vitest'
import {
  type Condition,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.js'

const refusal = expect.objectContaining({ code: 'KW_CONDITION_INVALID' })
const noon = Date.UTC(2026, 7, 20, 12)
const later = noon + 60_000

const ready = (): Condition[] => [
  {
    type: 'Ready',
    status: 'True',
    reason: 'AllUp',
    message: '3 of 3',
    lastTransitionTime: '2026-08-20T12:00:00Z',
    observedGeneration: 2,
  },
]

describe('setCondition', () => {
  test('adds a condition with the time of its first status', () => {
    const conditions: Condition[] = []
    expect(setCondition(conditions, { type: 'Ready', status: 'False', reason: 'Starting' }, noon)).toBe(true)
    expect(conditions).toEqual([
      {
        type: 'Ready',
        status: 'False',
        reason: 'Starting',
        message: '',
        lastTransitionTime: '2026-08-20T12:00:00Z',
      },
    ])
  })

  test('says that nothing changed, and changes nothing, when all is the same', () => {
    const conditions = ready()
    const input = {
      type: 'Ready',
      status: 'True',
      reason: 'AllUp',
      message: '3 of 3',
      observedGeneration: 2,
    } as const
    expect(setCondition(conditions, input, later)).toBe(false)
    expect(conditions).toEqual(ready())
  })

  test.each([
    [{ reason: 'Scaled' }],
    [{ message: '4 of 4' }],
    [{ observedGeneration: 3 }],
    [{ observedGeneration: undefined }],
  ])('a change of %o keeps the time of the last transition', (change) => {
    const conditions = ready()
    const input = {
      type: 'Ready',
      status: 'True',
      reason: 'AllUp',
      message: '3 of 3',
      observedGeneration: 2,
    } as const
    expect(setCondition(conditions, { ...input, ...change }, later)).toBe(true)
    const [first] = ready()
    const expected = { ...first, ...change }
    expect(conditions).toEqual([expected])
  })

  test('a change of status sets the time', () => {
    const conditions = ready()
    setCondition(conditions, { type: 'Ready', status: 'Unknown', reason: 'NoAnswer' }, later)
    expect(conditions).toEqual([
      {
        type: 'Ready',
        status: 'Unknown',
        reason: 'NoAnswer',
        message: '',
        lastTransitionTime: '2026-08-20T12:01:00Z',
      },
    ])
  })

  test('leaves other conditions and fields of other owners alone', () => {
    const other = {
      type: 'Synced',
      status: 'True',
      reason: 'R',
      message: '',
      lastTransitionTime: 'x',
    } as const
    const probed = Object.assign({}, ready()[0], { lastProbeTime: null })
    const conditions: Condition[] = [{ ...other }, probed]
    setCondition(conditions, { type: 'Ready', status: 'False', reason: 'Down' }, later)
    expect(conditions[0]).toEqual(other)
    expect(conditions[1]).toMatchObject({ type: 'Ready', status: 'False', lastProbeTime: null })
    expect(conditions).toHaveLength(2)
  })

  test.each([
    [{ type: '', reason: 'R' }],
    [{ type: 'not valid', reason: 'R' }],
    [{ type: 'Ready', reason: '' }],
    [{ type: 'Ready', reason: 'Two words' }],
    [{ type: 'Ready', reason: '1st' }],
    [{ type: 'Ready', reason: 'x'.repeat(1025) }],
    [{ type: 'Ready', reason: 'R', message: '\u00e4'.repeat(16 * 1024 + 1) }],
    [{ type: 'Ready', reason: 'R', observedGeneration: -1 }],
    [{ type: 'Ready', reason: 'R', observedGeneration: 1.5 }],
  ])('what the server would refuse is refused before anything changes', (input) => {
    const conditions = ready()
    expect(() => setCondition(conditions, { status: 'False', ...input }, later)).toThrow(refusal)
    expect(conditions).toEqual(ready())
  })
})

describe('removeCondition', () => {
  test('removes the condition and says whether it was there', () => {
    const conditions = ready()
    expect(removeCondition(conditions, 'Other')).toBe(false)
    expect(removeCondition(conditions, 'Ready')).toBe(true)
    expect(conditions).toEqual([])
  })
})

describe('findCondition and isConditionTrue', () => {
  test('find by type; unknown, false and missing are not true', () => {
    expect(findCondition(ready(), 'Ready')?.reason).toBe('AllUp')
    expect(findCondition(undefined, 'Ready')).toBeUndefined()
    expect(isConditionTrue(ready(), 'Ready')).toBe(true)
    expect(isConditionTrue([{ type: 'Ready', status: 'Unknown' }], 'Ready')).toBe(false)
    expect(isConditionTrue(ready(), 'Synced')).toBe(false)
    expect(isConditionTrue(undefined, 'Ready')).toBe(false)
  })
})
