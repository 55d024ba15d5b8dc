import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OrderedIndex } from './ordered-index.js'

const key = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('a', 'a/b', 'a-b/c', 'a.b/c', '\u{10000}', '\uffff', '\ue000', 'é', 'z'),
)
const inByteOrder = (keys: Iterable<string>): string[] =>
  [...keys].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
const well = fc.stringMatching(/^[a-c]{0,3}$/)

test('keys come out in the order of their bytes, whatever was set and deleted', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ key, isDeletion: fc.boolean() }), { maxLength: 200 }),
      key,
      (changes, from) => {
        const index = new OrderedIndex<string>()
        const model = new Set<string>()
        for (const { key: each, isDeletion } of changes) {
          if (isDeletion) {
            index.delete(each)
            model.delete(each)
          } else {
            index.set(each, `value ${each}`)
            model.add(each)
          }
        }
        const sorted = inByteOrder(model)
        expect([...index.valuesFrom('', true)]).toEqual(sorted.map((each) => `value ${each}`))
        expect(index.size).toBe(model.size)
        const behind = sorted.filter((each) => Buffer.compare(Buffer.from(each), Buffer.from(from)) > 0)
        expect([...index.valuesFrom(from, false)]).toEqual(behind.map((each) => `value ${each}`))
        const prefixed = sorted.filter((each) => each.startsWith(from.slice(0, 1)))
        expect([...index.valuesFrom(from.slice(0, 1), true, from.slice(0, 1))]).toEqual(
          prefixed.map((each) => `value ${each}`),
        )
        expect(index.get(from)).toBe(model.has(from) ? `value ${from}` : undefined)
      },
    ),
  )
})

test('thousands of keys in any order are found, counted by prefix and kept in order', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const index = new OrderedIndex<number>()
      const numbers = Array.from({ length: 3000 }, (_, count) => (count * 7919 + seed) % 3001).map(Math.abs)
      for (const each of numbers) index.set(`ns${each % 7}/${each}`, each)
      const keys = inByteOrder(new Set(numbers.map((each) => `ns${each % 7}/${each}`)))
      expect([...index.valuesFrom('', true)].map((each) => `ns${each % 7}/${each}`)).toEqual(keys)
      for (const prefix of ['', 'ns0/', 'ns3/', 'ns6/', 'ns', 'n', 'x', 'ns3/1'])
        expect([index.countPrefix(prefix), index.valuesFrom(prefix, true, prefix).length]).toEqual([
          keys.filter((each) => each.startsWith(prefix)).length,
          keys.filter((each) => each.startsWith(prefix)).length,
        ])
    }),
    { numRuns: 10 },
  )
})

test('a fork and its origin do not see what the other does afterwards', () => {
  fc.assert(
    fc.property(
      fc.array(well),
      fc.array(fc.record({ key: well, isLeft: fc.boolean(), isDeletion: fc.boolean() })),
      (before, changes) => {
        const left = new OrderedIndex<string>()
        for (const each of before) left.set(each, each)
        const right = left.fork()
        const models = [new Set(before), new Set(before)] as const
        for (const { key: each, isLeft, isDeletion } of changes) {
          const index = isLeft ? left : right
          const model = models[isLeft ? 0 : 1]
          if (isDeletion) {
            index.delete(each)
            model.delete(each)
          } else {
            index.set(each, each)
            model.add(each)
          }
        }
        expect([...left.valuesFrom('', true)]).toEqual(inByteOrder(models[0]))
        expect([...right.valuesFrom('', true)]).toEqual(inByteOrder(models[1]))
      },
    ),
  )
})
