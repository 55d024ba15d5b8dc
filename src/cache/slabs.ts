/** Whose bytes lie in a slab. They are moved when that saves memory. */
export interface Tenant {
  /** How many bytes are reserved for it. */
  readonly capacity: number
  readonly slab: Slab | undefined
  /** From now on its bytes belong here; those that it has come along. */
  moveTo(slab: Slab, start: number): void
}

/** A piece of memory that many share. */
export class Slab {
  readonly bytes: Buffer
  readonly tenants: Tenant[] = []
  /** Everything behind this is free. */
  used = 0
  /** How much of what is used belongs to tenants. */
  live = 0

  constructor(size: number) {
    // Neither zeroed nor from Node's pool: it is written before it is read, and it is large.
    this.bytes = Buffer.allocUnsafeSlow(size)
  }
}

const smallestSlabBytes = 16 * 1024
const largestSlabBytes = 256 * 1024
// What is larger than this gets a slab for itself: it would leave too much of a shared one empty.
const largestSharedBytes = largestSlabBytes / 8
// A slab of which less is live is cleared: its tenants move on, and its memory is used again.
const leastLiveShare = 0.75

/**
 * The bytes of many objects, packed outside of the JavaScript heap. There they cost nothing but themselves: the garbage
 * collector neither copies nor marks them, and what one object frees is used by the next instead of waiting for a
 * collection. At most a quarter of the memory is unused, whatever is changed or removed.
 */
export class Slabs {
  /** Where the next tenant goes. */
  #open: Slab | undefined
  /** Cleared, to be filled again. One is enough: to clear one slab fills part of another. */
  #spare: Slab | undefined
  #bytes = 0

  /** How much memory it takes, used or not. */
  get bytes(): number {
    return this.#bytes
  }

  /** Finds room for the tenant's capacity. It must not have any. */
  place(tenant: Tenant): void {
    const { capacity } = tenant
    const slab = capacity > largestSharedBytes ? this.#allocate(capacity) : this.#openFor(capacity)
    tenant.moveTo(slab, slab.used)
    slab.used += capacity
    slab.live += capacity
    slab.tenants.push(tenant)
  }

  /** The tenant's room may be used by others. */
  release(tenant: Tenant): void {
    const { slab } = tenant
    if (slab === undefined) return
    slab.live -= tenant.capacity
    const last = slab.tenants.pop()
    if (last !== undefined && last !== tenant) slab.tenants[slab.tenants.indexOf(tenant)] = last
    if (slab !== this.#open && isSparse(slab)) this.#clear(slab)
  }

  #openFor(capacity: number): Slab {
    for (;;) {
      const open = this.#open
      if (open !== undefined && open.used + capacity <= open.bytes.length) return open
      // Doubling keeps small caches small.
      const size = open === undefined ? smallestSlabBytes : Math.min(largestSlabBytes, open.bytes.length * 2)
      this.#open = this.#spare ?? this.#allocate(size)
      this.#spare = undefined
      // As long as it was open it was left alone.
      if (open !== undefined && isSparse(open)) this.#clear(open)
    }
  }

  #allocate(size: number): Slab {
    this.#bytes += size
    return new Slab(size)
  }

  #clear(slab: Slab): void {
    for (const tenant of slab.tenants.splice(0)) this.place(tenant)
    slab.used = 0
    slab.live = 0
    if (this.#spare === undefined && slab.bytes.length === largestSlabBytes) this.#spare = slab
    else this.#bytes -= slab.bytes.length
  }
}

function isSparse(slab: Slab): boolean {
  return slab.live < slab.used * leastLiveShare
}
