import { EvaluationAborted, type Meter } from '../plan/meter.js'
import { describeValue } from './describe.js'
import { equalValues } from './equality.js'
import { maxInt, maxUint } from './int64.js'
import { type CelMap, type CelValue, type CelVerdict, failure, ofKind } from './value.js'

type Entries = Map<unknown, readonly [CelValue, CelValue]>

/** Something that is the same for equal keys: JavaScript compares objects by identity only. */
function identityOf(key: CelValue): unknown {
  if (typeof key === 'string') return `s${key}`
  if (typeof key === 'number') return `d${key}`
  if (typeof key !== 'object' || key === null) return key
  if (key.kind === 'bytes') throw new EvaluationAborted('runtime error: hash of unhashable type types.Bytes')
  if (key.kind === 'uint') return `u${key.value}`
  if (key.kind === 'duration') return `t${key.nanos}`
  if (key.kind === 'timestamp') return `m${key.seconds}.${key.nanos}`
  return key
}

function findEntry(entries: Entries, key: CelValue): CelValue | undefined {
  if (entries.size === 0) return undefined
  const exact = entries.get(identityOf(key))
  if (exact !== undefined) return exact[1]
  // `{1: 'a'}[1.0]` finds its entry: numbers are one key space.
  const unsigned = ofKind(key, 'uint')
  const whole = typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : (unsigned?.value ?? key)
  if (typeof whole !== 'bigint') return undefined
  const asInt = typeof key !== 'bigint' && whole <= maxInt ? entries.get(whole) : undefined
  if (asInt !== undefined) return asInt[1]
  if (unsigned !== undefined || whole < 0n || whole > maxUint) return undefined
  return entries.get(`u${whole}`)?.[1]
}

function* keysOf(entries: Entries): Generator<CelValue> {
  for (const [key] of entries.values()) yield key
}

/** A map that a program has made. A key given twice keeps its last value. */
export function mapOf(pairs: Iterable<readonly [CelValue, CelValue]>): CelMap {
  const entries: Entries = new Map()
  for (const pair of pairs) entries.set(identityOf(pair[0]), pair)
  return createMap({
    size: entries.size,
    find: (key) => findEntry(entries, key),
    keys: () => keysOf(entries),
  })
}

/** What a map is made of. */
interface MapSource {
  readonly size: number
  find(key: CelValue): CelValue | undefined
  keys(): Iterable<CelValue>
  readonly data?: Readonly<Record<string, unknown>>
}

/** A map with the equality of maps that no schema says more about: the same keys with equal values. */
export function createMap(source: MapSource): CelMap {
  const map: CelMap = {
    kind: 'map',
    size: source.size,
    find: (key) => source.find(key),
    keys: () => source.keys(),
    equals: (other, meter) => equalEntries(map, other, meter),
    ...(source.data === undefined ? {} : { data: source.data }),
  }
  return map
}

function equalEntries(map: CelMap, other: CelValue, meter: Meter): CelVerdict {
  const right = ofKind(other, 'map')
  if (right === undefined || right.size !== map.size) return false
  for (const key of map.keys()) {
    meter.work(1)
    const theirs = right.find(key)
    if (theirs === undefined) return false
    if (equalValues(map.find(key) ?? null, theirs, meter) === false) return false
  }
  return true
}

/** The map that a comprehension builds. Inserting changes it, as with {@link GrowingList}. */
export class GrowingMap implements CelMap {
  readonly kind = 'map'
  readonly #entries: Entries = new Map()

  get size(): number {
    return this.#entries.size
  }

  find(key: CelValue): CelValue | undefined {
    return findEntry(this.#entries, key)
  }

  keys(): Iterable<CelValue> {
    return keysOf(this.#entries)
  }

  equals(other: CelValue, meter: Meter): CelVerdict {
    return equalEntries(this, other, meter)
  }

  insert(key: CelValue, value: CelValue): CelValue {
    if (this.find(key) !== undefined) return keyExists(key)
    this.#entries.set(identityOf(key), [key, value])
    return this
  }

  /** The same entries in a map that no longer grows. */
  finished(): CelMap {
    return mapOf(this.#entries.values())
  }
}

function keyExists(key: CelValue): CelValue {
  return failure(`insert failed: key ${describeValue(key)} already exists`)
}

/** The map with one more entry; a failure when the key is there already. Only a {@link GrowingMap} is changed. */
export function insertEntry(map: CelMap, key: CelValue, value: CelValue, meter: Meter): CelValue {
  if (map instanceof GrowingMap) return map.insert(key, value)
  if (map.find(key) !== undefined) return keyExists(key)
  const pairs: [CelValue, CelValue][] = [[key, value]]
  for (const existing of map.keys()) pairs.push([existing, map.find(existing) ?? null])
  meter.work(pairs.length)
  return mapOf(pairs)
}
