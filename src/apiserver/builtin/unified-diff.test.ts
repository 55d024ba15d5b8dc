import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unifiedDiff } from './unified-diff.js'

const lines = (...texts: readonly string[]): string => texts.join('\n')

describe('a unified diff', () => {
  test('of equal texts is empty', () => {
    expect(unifiedDiff(lines('a', 'b'), lines('a', 'b'))).toBe('')
  })

  test('shows three lines around a change', () => {
    expect(
      unifiedDiff(
        lines('1', '2', '3', '4', '5', '6', '7', '8'),
        lines('1', '2', '3', '4', 'x', '6', '7', '8'),
      ),
    ).toBe(lines('@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+x', ' 6', ' 7', ' 8', ''))
  })

  test('has a part of its own for changes that lie far apart', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index}`)
    const after = before.with(0, 'a').with(19, 'b')
    expect(unifiedDiff(lines(...before), lines(...after))).toBe(
      lines(
        '@@ -1,4 +1,4 @@',
        '-0',
        '+a',
        ' 1',
        ' 2',
        ' 3',
        '@@ -17,4 +17,4 @@',
        ' 16',
        ' 17',
        ' 18',
        '-19',
        '+b',
        '',
      ),
    )
  })

  test('counts a range of nothing from the line before it', () => {
    expect(unifiedDiff('a', lines('a', 'b'))).toBe(lines('@@ -1 +1,2 @@', ' a', '+b', ''))
  })

  test('names exactly the lines that one text has and the other has not', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const shown = unifiedDiff(lines(...before), lines(...after)).split('\n')
        const removed = shown.filter((line) => line.startsWith('-')).length
        const added = shown.filter((line) => line.startsWith('+')).length
        expect(after.length - before.length).toBe(added - removed)
      }),
    )
  })
})
