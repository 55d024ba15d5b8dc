import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap, type HeapNode } from './heap.js'

interface Node extends HeapNode {
  rank: number
}

const node = (rank: number): Node => ({ rank, heapIndex: -1 })
const newHeap = () => createHeap<Node>((left, right) => left.rank < right.rank)

test('nodes come out by rank, whatever the order they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (ranks) => {
      const heap = newHeap()
      for (const rank of ranks) heap.push(node(rank))
      const out: number[] = []
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) out.push(next.rank)
      expect(out).toEqual(ranks.toSorted((left, right) => left - right))
    }),
  )
})

test('after any pushes, pops, removals and changes of rank the first node is the least one', () => {
  const rank = fc.integer({ min: 0, max: 20 })
  const pick = fc.nat()
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), rank }),
    fc.record({ kind: fc.constant('pop' as const) }),
    fc.record({ kind: fc.constant('remove' as const), pick }),
    fc.record({ kind: fc.constant('update' as const), pick, rank }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = newHeap()
      const inside: Node[] = []
      const leave = (gone: Node): void => {
        inside.splice(inside.indexOf(gone), 1)
        expect(gone.heapIndex).toBe(-1)
      }
      for (const step of steps) {
        const chosen = 'pick' in step ? inside[step.pick % inside.length] : undefined
        if (step.kind === 'push') {
          const added = node(step.rank)
          heap.push(added)
          inside.push(added)
        } else if (step.kind === 'pop') {
          const popped = heap.pop()
          if (popped !== undefined) leave(popped)
        } else if (chosen !== undefined && step.kind === 'remove') {
          heap.remove(chosen)
          leave(chosen)
        } else if (chosen !== undefined && step.kind === 'update') {
          chosen.rank = step.rank
          heap.update(chosen)
        }
        expect(heap.size).toBe(inside.length)
        expect(heap.peek()?.rank).toBe(
          inside.length === 0 ? undefined : Math.min(...inside.map((each) => each.rank)),
        )
      }
    }),
  )
})

test('removing or updating a node that is not in the heap does nothing', () => {
  const heap = newHeap()
  const stranger = node(0)
  heap.push(node(1))
  heap.remove(stranger)
  heap.update(stranger)
  expect(heap.size).toBe(1)
  expect(heap.peek()?.rank).toBe(1)
})

test('a cleared heap is empty, and its nodes can be pushed again', () => {
  const heap = newHeap()
  const kept = node(1)
  heap.push(kept)
  heap.push(node(2))
  heap.clear()
  expect(heap.pop()).toBeUndefined()
  heap.push(kept)
  expect(heap.pop()).toBe(kept)
})
