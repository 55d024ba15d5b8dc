import type { Meter } from '../plan/meter.js'
import { equalByLeft } from '../value/equality.js'
import { elementsOf } from '../value/list.js'
import {
  type CelList,
  type CelValue,
  type CelVerdict,
  isFailure,
  noSuchOverload,
  ofKind,
} from '../value/value.js'
import { elementKey, plainData, scalarKey, valueKey } from './plain-data.js'
import type { SchemaNode } from './schema-node.js'

/** Reads data through a schema. */
export type ReadData = (data: unknown, node: SchemaNode) => CelValue

interface Reader {
  readonly node: SchemaNode
  readonly items: SchemaNode
  readonly read: ReadData
}

/** What a list is made of. A sum of lists is not copied together before someone asks for all of it. */
interface Elements {
  readonly size: number
  get(index: number): unknown
  all(): readonly unknown[]
}

/**
 * A list of an object. Its type decides what `==` and `+` mean: elements are matched by position, as a set, or by
 * their keys.
 */
class SchemaList implements CelList {
  readonly kind = 'list'
  readonly #elements: Elements
  readonly #reader: Reader

  constructor(elements: Elements, reader: Reader) {
    this.#elements = elements
    this.#reader = reader
  }

  get size(): number {
    return this.#elements.size
  }

  get data(): readonly unknown[] {
    return this.#elements.all()
  }

  get #behaviour(): Behaviour {
    return behaviourOf(this.#reader.node)
  }

  at(index: number): CelValue {
    return this.#reader.read(this.#elements.get(index), this.#reader.items)
  }

  contains(value: CelValue, meter: Meter): CelVerdict {
    return contains(this, value, meter)
  }

  equals(other: CelValue, meter: Meter): CelVerdict {
    const right = ofKind(other, 'list')
    if (right === undefined) return noSuchOverload()
    return right.size === this.size && this.#behaviour.equals(this, right, this.#reader, meter)
  }

  concat(other: CelList, meter: Meter): CelValue {
    return new SchemaList(this.#behaviour.add(this.#elements, other, this.#reader, meter), this.#reader)
  }
}

/** The list that an array of an object is to rules. */
export function schemaList(data: readonly unknown[], reader: Reader): CelList {
  return new SchemaList(ofArray(data), reader)
}

function contains(list: CelList, value: CelValue, meter: Meter): CelVerdict {
  let failed: CelVerdict = false
  for (const element of elementsOf(list)) {
    meter.work(1)
    const equal = equalByLeft(element, value, meter)
    if (equal === true) return true
    if (typeof equal !== 'boolean' && failed === false) failed = equal
  }
  return failed
}

interface Behaviour {
  equals(list: CelList, other: CelList, reader: Reader, meter: Meter): CelVerdict
  add(elements: Elements, other: CelList, reader: Reader, meter: Meter): Elements
}

function ofArray(data: readonly unknown[]): Elements {
  return { size: data.length, get: (index) => data[index], all: () => data }
}

const atomic: Behaviour = {
  equals(list, other, _reader, meter) {
    for (let index = 0; index < list.size; index++) {
      meter.work(1)
      const equal = equalByLeft(list.at(index), other.at(index), meter)
      if (equal !== true) return equal
    }
    return true
  },
  add(elements, other, _reader, meter) {
    return {
      size: elements.size + other.size,
      get: (index) =>
        index < elements.size ? elements.get(index) : plainData(other.at(index - elements.size)),
      all() {
        meter.work(elements.size + other.size)
        return [...elements.all(), ...Array.from(elementsOf(other), plainData)]
      },
    }
  },
}

const set: Behaviour = {
  equals({ data = [] }, other, _reader, meter) {
    meter.work(data.length)
    const keys = new Set(data.map(scalarKey))
    for (const element of elementsOf(other)) if (!keys.has(valueKey(element))) return false
    return true
  },
  add(elements, other, _reader, meter) {
    meter.work(elements.size + other.size)
    const all = [...elements.all()]
    const keys = new Set(all.map(scalarKey))
    for (const element of elementsOf(other)) {
      const key = valueKey(element)
      if (!keys.has(key)) all.push(plainData(element))
      keys.add(key)
    }
    return ofArray(all)
  },
}

const map: Behaviour = {
  equals({ data = [] }, other, { node, items, read }, meter) {
    meter.work(data.length)
    const known = new Map(data.map((element) => [elementKey(element, node.escapedKeys), element]))
    for (const element of elementsOf(other)) {
      if (isFailure(element)) return false
      const key = elementKey(plainData(element), node.escapedKeys)
      if (!known.has(key)) return false
      const equal = equalByLeft(read(known.get(key), items), element, meter)
      if (equal !== true) return equal
    }
    return true
  },
  add(elements, other, { node }, meter) {
    meter.work(elements.size + other.size)
    const all = [...elements.all()]
    const positions = new Map(all.map((element, index) => [elementKey(element, node.escapedKeys), index]))
    for (const value of elementsOf(other)) {
      const element = plainData(value)
      const position = positions.get(elementKey(element, node.escapedKeys))
      if (position === undefined) all.push(element)
      else all[position] = element
    }
    return ofArray(all)
  },
}

function behaviourOf(node: SchemaNode): Behaviour {
  const type = node.schema['x-kubernetes-list-type']
  if (type === 'map') return map
  return type === 'set' ? set : atomic
}
