/** What a heap asks of its nodes: a place to write where they are, so that each can be found again without a search. */
export interface HeapNode {
  /** Position in the heap, -1 outside of it. Start with -1; afterwards only the heap writes it. */
  heapIndex: number
}

/**
 * A binary heap whose nodes can be moved and removed by themselves. All changes are O(log n), `peek` is O(1).
 * Nodes of equal rank come out in any order: give them a sequence number where the order matters.
 * A node is in one heap at a time.
 */
export interface Heap<T extends HeapNode> {
  readonly size: number
  /** The node that goes before all others. */
  peek(): T | undefined
  pop(): T | undefined
  push(node: T): void
  /** To be called after the rank of a node in the heap has changed, in either direction. */
  update(node: T): void
  /** Does nothing for a node that is not in the heap. */
  remove(node: T): void
  clear(): void
}

/** An empty heap; `before` says which of two nodes goes first. */
export function createHeap<T extends HeapNode>(before: (left: T, right: T) => boolean): Heap<T> {
  // nodes[i] goes before neither of its children, nodes[2i + 1] and nodes[2i + 2]; nodes[i].heapIndex is i.
  const nodes: T[] = []

  const place = (node: T, index: number): void => {
    nodes[index] = node
    node.heapIndex = index
  }

  const settleUp = (node: T, from: number): void => {
    let index = from
    while (index > 0) {
      const parentIndex = (index - 1) >>> 1
      const parent = nodes[parentIndex]
      if (parent === undefined || !before(node, parent)) break
      place(parent, index)
      index = parentIndex
    }
    place(node, index)
  }

  const settleDown = (node: T, from: number): void => {
    const firstLeaf = nodes.length >>> 1
    let index = from
    while (index < firstLeaf) {
      let childIndex = 2 * index + 1
      let child = nodes[childIndex]
      const right = childIndex + 1 < nodes.length ? nodes[childIndex + 1] : undefined
      if (child === undefined) break
      if (right !== undefined && before(right, child)) {
        child = right
        childIndex++
      }
      if (!before(child, node)) break
      place(child, index)
      index = childIndex
    }
    place(node, index)
  }

  const settle = (node: T, index: number): void => {
    const parent = index > 0 ? nodes[(index - 1) >>> 1] : undefined
    if (parent !== undefined && before(node, parent)) settleUp(node, index)
    else settleDown(node, index)
  }

  const holds = (node: T): boolean => nodes[node.heapIndex] === node

  const remove = (node: T): void => {
    if (!holds(node)) return
    const index = node.heapIndex
    const last = nodes.pop()
    node.heapIndex = -1
    if (last !== undefined && last !== node) settle(last, index)
  }

  return {
    get size() {
      return nodes.length
    },
    peek: () => nodes[0],
    pop() {
      const first = nodes[0]
      if (first !== undefined) remove(first)
      return first
    },
    push: (node) => settleUp(node, nodes.length),
    update(node) {
      if (holds(node)) settle(node, node.heapIndex)
    },
    remove,
    clear() {
      for (const node of nodes) node.heapIndex = -1
      nodes.length = 0
    },
  }
}
