import { deepEqual } from '../../../base/index.js'
import type { Meter } from '../plan/meter.js'
import { equalByLeft } from '../value/equality.js'
import { type CelMap, type CelValue, type CelVerdict, noSuchOverload, ofKind } from '../value/value.js'
import { escapeName, unescapeName } from './escaping.js'
import type { ReadData } from './schema-list.js'
import type { SchemaNode } from './schema-node.js'

/** An object or map of an object. Rules see the properties of its schema; of a property that is null they see nothing. */
export class SchemaMap implements CelMap {
  readonly kind = 'map'
  readonly data: Readonly<Record<string, unknown>>
  readonly #node: SchemaNode
  readonly #read: ReadData

  constructor(data: Readonly<Record<string, unknown>>, node: SchemaNode, read: ReadData) {
    this.data = data
    this.#node = node
    this.#read = read
  }

  get size(): number {
    return Object.keys(this.data).length
  }

  get #isObject(): boolean {
    return this.#node.properties !== undefined
  }

  #nodeOf(key: string): SchemaNode | undefined {
    const { properties, additional } = this.#node
    return properties === undefined ? additional : properties.get(key)
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return noSuchOverload()
    const name = this.#isObject ? unescapeName(key) : key
    if (name === undefined || !Object.hasOwn(this.data, name)) return undefined
    const member = this.data[name]
    // A key with `undefined` is absent in JSON.
    if (member === undefined || (member === null && this.#isObject)) return undefined
    const node = this.#nodeOf(name)
    return node === undefined ? undefined : this.#read(member, node)
  }

  *keys(): Generator<string> {
    for (const key of Object.keys(this.data)) {
      if (this.#nodeOf(key) !== undefined) yield this.#isObject ? (escapeName(key) ?? key) : key
    }
  }

  equals(other: CelValue, meter: Meter): CelVerdict {
    const right = ofKind(other, 'map')
    if (right === undefined) return noSuchOverload()
    if (right.size !== this.size) return false
    for (const key of Object.keys(this.data)) {
      meter.work(1)
      const equal =
        this.#nodeOf(key) === undefined
          ? this.#equalUnknown(key, right)
          : this.#equalMember(key, right, meter)
      if (equal !== true) return equal
    }
    return true
  }

  #equalMember(key: string, other: CelMap, meter: Meter): CelVerdict {
    const mine = this.find(key)
    const theirs = other.find(key)
    if (mine === undefined || theirs === undefined) return mine === theirs
    return equalByLeft(mine, theirs, meter)
  }

  /** Fields that the schema does not know are compared as plain data, where both have them. */
  #equalUnknown(key: string, other: CelMap): CelVerdict {
    const theirs = other.data
    if (theirs === undefined) return noSuchOverload()
    return !Object.hasOwn(theirs, key) || deepEqual(this.data[key], theirs[key])
  }
}
