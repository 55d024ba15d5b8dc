import { deepEqual } from '../../../base/index.js'
import type { Meter } from '../plan/meter.js'
import { equalByLeft } from '../value/equality.js'
import { type CelMap, type CelValue, type CelVerdict, noSuchOverload, ofKind } from '../value/value.js'
import { escapeName, unescapeName } from './escaping.js'
import type { ReadData } from './schema-list.js'
import type { SchemaNode } from './schema-node.js'

type Data = Readonly<Record<string, unknown>>

/** An object or map of an object. Rules see the properties of its schema; of a property that is null they see nothing. */
export function schemaMap(data: Data, node: SchemaNode, read: ReadData): CelMap {
  const { properties, additional } = node
  const nodeOf = (key: string): SchemaNode | undefined =>
    properties === undefined ? additional : properties.get(key)
  const find = (key: CelValue): CelValue | undefined => {
    if (typeof key !== 'string') return noSuchOverload()
    const name = properties === undefined ? key : unescapeName(key)
    if (name === undefined || !Object.hasOwn(data, name)) return undefined
    const member = data[name]
    // A key with `undefined` is absent in JSON.
    if (member === undefined || (properties !== undefined && member === null)) return undefined
    const schema = nodeOf(name)
    return schema === undefined ? undefined : read(member, schema)
  }
  const map: CelMap = {
    kind: 'map',
    size: Object.keys(data).length,
    data,
    find,
    keys: () => visibleKeys(data, properties !== undefined, nodeOf),
    equals(other, meter) {
      const right = ofKind(other, 'map')
      if (right === undefined) return noSuchOverload()
      return right.size === map.size && equalMembers(map, right, { data, nodeOf }, meter)
    },
  }
  return map
}

function* visibleKeys(
  data: Data,
  isObject: boolean,
  nodeOf: (key: string) => SchemaNode | undefined,
): Generator<string> {
  for (const key of Object.keys(data)) {
    if (nodeOf(key) !== undefined) yield isObject ? (escapeName(key) ?? key) : key
  }
}

function equalMembers(
  map: CelMap,
  other: CelMap,
  { data, nodeOf }: { data: Data; nodeOf: (key: string) => SchemaNode | undefined },
  meter: Meter,
): CelVerdict {
  for (const key of Object.keys(data)) {
    meter.work(1)
    if (nodeOf(key) === undefined) {
      // Fields that the schema does not know are compared as plain data, where both have them.
      const theirs = other.data
      if (theirs === undefined) return noSuchOverload()
      if (Object.hasOwn(theirs, key) && !deepEqual(data[key], theirs[key])) return false
      continue
    }
    const mine = map.find(key)
    const theirs = other.find(key)
    if ((mine === undefined) !== (theirs === undefined)) return false
    if (mine === undefined || theirs === undefined) continue
    const equal = equalByLeft(mine, theirs, meter)
    if (equal !== true) return equal
  }
  return true
}
