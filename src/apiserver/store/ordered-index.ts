/** A run of neighbours. Belongs to one index at a time, which alone may change it; others that share it copy it first. */
interface Chunk<V> {
  readonly owner: object
  readonly keys: string[]
  readonly values: V[]
}

const chunkSize = 512

/**
 * Values by text key in the order of the keys' UTF-8 bytes, which is etcd's. Copies share what neither side has changed
 * since: a fork costs as much as one pass over the chunks, not over the keys.
 */
export class OrderedIndex<V> {
  #owner: object = {}
  #chunks: Chunk<V>[] = []
  #size = 0
  #compare: (left: string, right: string) => number = compareUnits

  fork(): OrderedIndex<V> {
    const copy = new OrderedIndex<V>()
    copy.#chunks = [...this.#chunks]
    copy.#size = this.#size
    copy.#compare = this.#compare
    // The chunks have no owner from now on: whoever writes first, on either side, copies.
    this.#owner = {}
    return copy
  }

  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    const chunk = this.#chunks[this.#chunkOf(key)]
    if (chunk === undefined) return undefined
    const at = this.#lowerBound(chunk.keys, key)
    return chunk.keys[at] === key ? chunk.values[at] : undefined
  }

  set(key: string, value: V): void {
    if (this.#compare === compareUnits && needsCodePoints.test(key)) this.#compare = compareCodePoints
    const place = this.#chunkOf(key)
    const chunk = this.#own(place)
    const at = this.#lowerBound(chunk.keys, key)
    if (chunk.keys[at] === key) {
      chunk.values[at] = value
      return
    }
    chunk.keys.splice(at, 0, key)
    chunk.values.splice(at, 0, value)
    this.#size++
    if (chunk.keys.length > chunkSize) this.#split(place, chunk)
  }

  delete(key: string): void {
    const place = this.#chunkOf(key)
    const found = this.#chunks[place]
    if (found === undefined || found.keys[this.#lowerBound(found.keys, key)] !== key) return
    const chunk = this.#own(place)
    const at = this.#lowerBound(chunk.keys, key)
    chunk.keys.splice(at, 1)
    chunk.values.splice(at, 1)
    this.#size--
    if (chunk.keys.length === 0) this.#chunks.splice(place, 1)
  }

  /** Those with keys behind `after`, or at it with `isInclusive`, as long as keys begin with `prefix`; in order. */
  valuesFrom(after: string, isInclusive: boolean, prefix = ''): V[] {
    const found: V[] = []
    for (const { values, from, to } of this.#spans(after, isInclusive, prefix)) {
      for (let at = from; at < to; at++) {
        const value = values[at]
        if (value !== undefined) found.push(value)
      }
    }
    return found
  }

  /** How many keys begin with this. */
  countPrefix(prefix: string): number {
    if (prefix === '') return this.#size
    let count = 0
    for (const { from, to } of this.#spans(prefix, true, prefix)) count += to - from
    return count
  }

  compare(left: string, right: string): number {
    return this.#compare(left, right)
  }

  /** The parts of chunks from a key on. What begins with a prefix stands together: the first that does not is the end. */
  *#spans(
    after: string,
    isInclusive: boolean,
    prefix: string,
  ): Generator<{ readonly values: readonly V[]; readonly from: number; readonly to: number }> {
    let place = this.#chunkOf(after)
    const first = this.#chunks[place]
    if (first === undefined) return
    let from = this.#lowerBound(first.keys, after)
    if (!isInclusive && first.keys[from] === after) from++
    for (; place < this.#chunks.length; place++, from = 0) {
      const { keys, values } = this.#chunks[place] ?? first
      const isWhole = keys.at(-1)?.startsWith(prefix) === true
      yield { values, from, to: isWhole ? keys.length : firstWithout(keys, from, prefix) }
      if (!isWhole) return
    }
  }

  /** The chunk that holds the key, or would: the first that ends at or behind it, otherwise the last. */
  #chunkOf(key: string): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(this.#chunks[middle]?.keys.at(-1) ?? '', key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #lowerBound(keys: readonly string[], key: string): number {
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(keys[middle] ?? '', key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #own(place: number): Chunk<V> {
    const chunk = this.#chunks[place]
    if (chunk?.owner === this.#owner) return chunk
    const own = { owner: this.#owner, keys: [...(chunk?.keys ?? [])], values: [...(chunk?.values ?? [])] }
    this.#chunks[place] = own
    return own
  }

  #split(place: number, { keys, values }: Chunk<V>): void {
    // Keys that arrive in order fill the chunk before they open the next one; halves would stay half empty for ever.
    const isAppended = place === this.#chunks.length - 1
    const at = isAppended ? chunkSize - 8 : chunkSize >>> 1
    this.#chunks.splice(place + 1, 0, {
      owner: this.#owner,
      keys: keys.splice(at),
      values: values.splice(at),
    })
  }
}

// The engine compares UTF-16 units, which is the order of the bytes except from the first surrogate on: U+10000 and
// above are written with units below U+E000.
const needsCodePoints = /[\ud800-\uffff]/

function compareUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const leftUnit = left.charCodeAt(at)
    const rightUnit = right.charCodeAt(at)
    if (leftUnit !== rightUnit) return rankOf(leftUnit) - rankOf(rightUnit)
  }
  return left.length - right.length
}

function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function firstWithout(keys: readonly string[], from: number, prefix: string): number {
  let at = from
  while (at < keys.length && keys[at]?.startsWith(prefix) === true) at++
  return at
}
