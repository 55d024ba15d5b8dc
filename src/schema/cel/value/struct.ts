import { Meter } from '../plan/meter.js'
import { equalByLeft } from './equality.js'
import type { CelType } from './type.js'
import { type CelOpaque, type CelValue, type CelVerdict, isFailure, ofKind } from './value.js'

/** An object that a program has made: `Object.spec{replicas: 3}`. */
export class Struct implements CelOpaque {
  readonly kind = 'opaque'
  readonly type: CelType
  readonly fields: ReadonlyMap<string, CelValue>
  readonly nativeText: string

  constructor(type: CelType, fields: ReadonlyMap<string, CelValue>) {
    this.type = type
    this.fields = fields
    this.nativeText = type.name
  }

  equals(other: CelValue): CelVerdict {
    if (!(other instanceof Struct) || other.type.name !== this.type.name) return false
    if (other.fields.size !== this.fields.size) return false
    const meter = new Meter(Number.POSITIVE_INFINITY)
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name)
      const verdict = theirs !== undefined && equalByLeft(value, theirs, meter)
      if (verdict !== true) return verdict
    }
    return true
  }
}

/**
 * Objects whose type is not that of the place they stand at, in the server's words: in the field `spec` of an `Object`
 * stands an `Object.spec`. Lists and maps between them have no name.
 */
export function misplacedStructs(value: CelValue, place?: string): string[] {
  if (value instanceof Struct) {
    const { name } = value.type
    const expected = place ?? name
    // The value of an operation stands for itself.
    const isOperation = name === 'JSONPatch'
    const wrong =
      name === expected
        ? []
        : [
            `unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`,
          ]
    const inside = [...value.fields].flatMap(([field, each]) =>
      misplacedStructs(each, isOperation ? undefined : `${expected}.${field}`),
    )
    return [...wrong, ...inside]
  }
  const list = ofKind(value, 'list')
  if (list !== undefined && list.data === undefined)
    return Array.from({ length: list.size }, (_, index) => list.at(index)).flatMap((each) =>
      misplacedStructs(each, place),
    )
  const map = ofKind(value, 'map')
  if (map === undefined || map.data !== undefined) return []
  return [...map.keys()].flatMap((key) => {
    const each = map.find(key)
    return each === undefined || isFailure(each) ? [] : misplacedStructs(each, place)
  })
}
