import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Slab, Slabs, type Tenant } from './slabs.js'

/** A tenant that remembers what its bytes should be. */
class Marked implements Tenant {
  readonly capacity: number
  readonly mark: number
  slab: Slab | undefined
  start = 0

  constructor(capacity: number, mark: number) {
    this.capacity = capacity
    this.mark = mark
  }

  moveTo(slab: Slab, start: number): void {
    this.slab?.bytes.copy(slab.bytes, start, this.start, this.start + this.capacity)
    this.slab = slab
    this.start = start
  }

  fill(): void {
    this.slab?.bytes.fill(this.mark, this.start, this.start + this.capacity)
  }

  get isIntact(): boolean {
    const bytes = this.slab?.bytes.subarray(this.start, this.start + this.capacity)
    return bytes?.length === this.capacity && bytes.every((byte) => byte === this.mark)
  }
}

const lengthOf = (tenants: Iterable<Marked>): number => {
  let sum = 0
  for (const { capacity } of tenants) sum += capacity
  return sum
}

describe('slabs', () => {
  test('keep what everybody wrote, whoever comes and goes', () => {
    const comings = fc.record({ capacity: fc.oneof(fc.nat(3_000), fc.nat(80_000)), goes: fc.nat() })
    fc.assert(
      fc.property(fc.array(comings, { maxLength: 200 }), (steps) => {
        const slabs = new Slabs()
        const tenants: Marked[] = []
        steps.forEach(({ capacity, goes }, index) => {
          const tenant = new Marked(capacity, index % 251)
          slabs.place(tenant)
          tenant.fill()
          tenants.push(tenant)
          if (goes % 3 > 0) slabs.release(tenants.splice(goes % tenants.length, 1)[0] as Marked)
        })
        expect(tenants.every((tenant) => tenant.isIntact)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('waste little, however often everybody is replaced', () => {
    const slabs = new Slabs()
    const tenants: Marked[] = []
    for (let index = 0; index < 5_000; index++) {
      const tenant = new Marked(1_000 + (index % 1_500), index % 251)
      slabs.place(tenant)
      tenants.push(tenant)
    }
    for (let turn = 0; turn < 50_000; turn++) {
      const at = (turn * 7919) % tenants.length
      const leaving = tenants[at] as Marked
      slabs.release(leaving)
      const tenant = new Marked(1_000 + (turn % 1_500), turn % 251)
      slabs.place(tenant)
      tenants[at] = tenant
    }
    // A quarter at most in the slabs that are full, and two that are not.
    expect(slabs.bytes).toBeLessThan(lengthOf(tenants) / 0.74 + 3 * 256 * 1024)
  })

  test('give the memory back when everybody has gone', () => {
    const slabs = new Slabs()
    const tenants = Array.from({ length: 5_000 }, (_, index) => new Marked(1_000, index % 251))
    for (const tenant of tenants) slabs.place(tenant)
    for (const tenant of tenants) slabs.release(tenant)
    expect(slabs.bytes).toBeLessThanOrEqual(2 * 256 * 1024)
  })

  test('are small for little, and apart for what is large', () => {
    const small = new Slabs()
    small.place(new Marked(500, 1))
    expect(small.bytes).toBeLessThan(20_000)
    const large = new Marked(5_000_000, 2)
    small.place(large)
    expect(large.slab?.tenants).toEqual([large])
    small.release(large)
    expect(small.bytes).toBeLessThan(20_000)
  })
})
