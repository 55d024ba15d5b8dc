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

interface Source {
  readonly data: readonly unknown[]
  readonly node: SchemaNode
  readonly items: SchemaNode
  readonly read: ReadData
}

/**
 * A list of an object. Its type decides what `==` and `+` mean: elements are matched by position, as a set, or by
 * their keys.
 */
export function schemaList(
  data: readonly unknown[],
  node: SchemaNode,
  items: SchemaNode,
  read: ReadData,
): CelList {
  const source: Source = { data, node, items, read }
  const behaviour = behaviourOf(node)
  const list: CelList = {
    kind: 'list',
    size: data.length,
    data,
    at: (index) => read(data[index], items),
    contains: (value, meter) => contains(list, value, meter),
    equals(other, meter) {
      const right = ofKind(other, 'list')
      if (right === undefined) return noSuchOverload()
      meter.work(data.length)
      return right.size === data.length && behaviour.equals(source, right, meter)
    },
    concat(other, meter) {
      meter.work(data.length + other.size)
      return schemaList(behaviour.add(source, other), node, items, read)
    },
  }
  return list
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
  equals(source: Source, other: CelList, meter: Meter): CelVerdict
  add(source: Source, other: CelList): readonly unknown[]
}

const atomic: Behaviour = {
  equals({ data, items, read }, other, meter) {
    for (const [index, element] of data.entries()) {
      const equal = equalByLeft(read(element, items), other.at(index), meter)
      if (equal !== true) return equal
    }
    return true
  },
  add: ({ data }, other) => [...data, ...Array.from(elementsOf(other), plainData)],
}

const set: Behaviour = {
  equals({ data }, other) {
    const keys = new Set(data.map(scalarKey))
    for (const element of elementsOf(other)) if (!keys.has(valueKey(element))) return false
    return true
  },
  add({ data }, other) {
    const keys = new Set(data.map(scalarKey))
    const added: unknown[] = []
    for (const element of elementsOf(other)) {
      const key = valueKey(element)
      if (!keys.has(key)) added.push(plainData(element))
      keys.add(key)
    }
    return [...data, ...added]
  },
}

const map: Behaviour = {
  equals({ data, node, items, read }, other, meter) {
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
  add({ data, node }, other) {
    const elements = [...data]
    const positions = new Map(data.map((element, index) => [elementKey(element, node.escapedKeys), index]))
    for (const value of elementsOf(other)) {
      const element = plainData(value)
      const position = positions.get(elementKey(element, node.escapedKeys))
      if (position === undefined) elements.push(element)
      else elements[position] = element
    }
    return elements
  },
}

function behaviourOf(node: SchemaNode): Behaviour {
  const type = node.schema['x-kubernetes-list-type']
  if (type === 'map') return map
  return type === 'set' ? set : atomic
}
