import { getOwn, isPlainObject, setOwn } from '../../base/index.js'
import type { ApiSchema } from '../api-schema.js'
import { jsonTypeName } from '../json-type-name.js'
import { embeddedField } from './embedded-fields.js'
import { normalizeBase64 } from './go-bytes.js'
import { GoDecodeError } from './go-decode-error.js'
import { normalizeQuantity } from './go-quantity.js'
import { normalizeTime } from './go-time.js'
import { conversionKind, conversionProblem, goTypeOf, structName, typedItem, zeroOf } from './go-types.js'
import { type JsonSource, sourceOf } from './json-source.js'
import { StrictErrors } from './strict-errors.js'

export interface Decoded {
  readonly value: unknown
  /** What strict decoding would refuse, in order: `unknown field "spec.x"`. */
  readonly strictErrors: readonly string[]
}

/** Far beyond any object; JSONSchemaProps contains itself, and each level is a call. */
const maxTypedDepth = 1000

/**
 * Decodes plain data into the type that a schema of a built-in kind describes, as Go does: fields that the type does not
 * have are gone, nulls are absent, times, quantities and bytes have their canonical form. Works in place where it can.
 * Throws {@link GoDecodeError} with Go's words for a value of another type.
 */
export function decodeTyped(source: JsonSource, schema: ApiSchema): Decoded {
  return new Decoding(source, 'json').run(schema)
}

/** The same for what a strategic merge patch made, which the server converts without a text between, in other words. */
export function convertTyped(value: unknown, schema: ApiSchema): Decoded {
  return new Decoding(sourceOf(value), 'converter').run(schema)
}

class Decoding {
  readonly #source: JsonSource
  readonly #dialect: 'json' | 'converter'
  readonly #strict = new StrictErrors()
  /** The Go struct that the current field belongs to, and the names of the fields down to it. */
  #struct = ''
  readonly #fields: string[] = []
  /** The first mismatch. Go goes on behind one, because what a type decodes itself fails at once and goes first. */
  #mismatch: string | undefined
  #depth = 0

  constructor(source: JsonSource, dialect: 'json' | 'converter') {
    this.#source = source
    this.#dialect = dialect
  }

  run(schema: ApiSchema): Decoded {
    const value = this.#decode(this.#source.value, schema, undefined)
    if (this.#mismatch !== undefined) throw new GoDecodeError(this.#mismatch)
    return { value, strictErrors: this.#strict.texts }
  }

  /** `literal` is how a number is written in the text, where that is not what it looks like. */
  #decode(value: unknown, schema: ApiSchema, literal: string | undefined): unknown {
    if (value === null || value === undefined) return undefined
    if (isRaw(schema)) return value
    if (schema.format === 'quantity') return this.#text(value, schema, literal)
    if (schema['x-kubernetes-int-or-string'] === true)
      return typeof value === 'string' ? value : this.#integer(value, 'int32', literal, true)
    switch (schema.type) {
      case 'string':
        return this.#text(value, schema, literal)
      case 'integer':
        return this.#integer(value, goTypeOf(schema), literal, false)
      case 'number':
        return typeof value === 'number' || typeof value === 'bigint'
          ? value
          : this.#mismatched(value, goTypeOf(schema))
      case 'boolean':
        return typeof value === 'boolean' ? value : this.#mismatched(value, 'bool')
      case 'array':
        return Array.isArray(value) ? this.#list(value, schema) : this.#mismatched(value, goTypeOf(schema))
      case 'object':
        if (!isPlainObject(value)) return this.#notAnObject(value, schema)
        return schema.properties === undefined && typeof schema.additionalProperties === 'object'
          ? this.#map(value, typedItem(schema.additionalProperties, schema.goValue, 'map[string]'))
          : this.#members(value, schema)
      case undefined:
        return value
    }
  }

  #notAnObject(value: unknown, schema: ApiSchema): undefined {
    if (this.#dialect === 'converter' && schema.properties !== undefined) {
      const found = Array.isArray(value) ? 'slice' : conversionKind(value)
      throw new GoDecodeError(`cannot restore struct from: ${found}`)
    }
    return this.#mismatched(value, goTypeOf(schema))
  }

  #text(value: unknown, schema: ApiSchema, literal: string | undefined): unknown {
    switch (schema.format) {
      case 'quantity':
        return normalizeQuantity(typeof value === 'number' ? (literal ?? String(value)) : value)
      case 'byte':
        return this.#bytes(value)
      case 'date-time':
        if (typeof value !== 'string') throw this.#hard(value, 'string')
        return normalizeTime(value, schema.goType === 'MicroTime' ? 'micro' : 'seconds')
      default:
        return typeof value === 'string' ? value : this.#mismatched(value, goTypeOf(schema))
    }
  }

  #bytes(value: unknown): unknown {
    if (Array.isArray(value)) return Buffer.from(value.map(Number)).toString('base64')
    if (typeof value !== 'string') return this.#mismatched(value, '[]uint8')
    const bytes = normalizeBase64(value)
    if ('value' in bytes) return bytes.value
    this.#mismatch ??= `illegal base64 data at input byte ${bytes.illegalAt}`
    return undefined
  }

  #integer(value: unknown, type: string, literal: string | undefined, isOwnDecoder: boolean): unknown {
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    const fits =
      literal === undefined &&
      isNumber &&
      (typeof value === 'bigint' || Number.isInteger(value)) &&
      (type !== 'int32'
        ? typeof value === 'number' || BigInt.asIntN(64, value) === value
        : Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31)
    if (fits) return value
    const found = isNumber ? `number ${literal ?? String(value)}` : undefined
    if (isOwnDecoder) throw this.#hard(value, type, found)
    return this.#mismatched(value, type, found)
  }

  #list(list: unknown[], schema: ApiSchema): unknown {
    if (schema.items === undefined) return list
    const items = typedItem(schema.items, schema.goValue, '[]')
    const literals = this.#source.literals.get(list)
    for (let index = 0; index < list.length; index++) {
      this.#strict.enterItem(index)
      list[index] = this.#decode(list[index], items, literals?.get(String(index))) ?? zeroOf(items)
      this.#strict.leave()
    }
    return list
  }

  #map(map: Record<string, unknown>, schema: ApiSchema): unknown {
    const literals = this.#source.literals.get(map)
    this.#reportRepeats(map)
    for (const key of Object.keys(map)) {
      this.#strict.enterField(key)
      const member = getOwn(map, key)
      setOwn(map, key, this.#decode(member, schema, literals?.get(key)) ?? zeroOf(schema))
      this.#strict.leave()
    }
    return map
  }

  #members(object: Record<string, unknown>, schema: ApiSchema): unknown {
    const properties = schema.properties ?? {}
    const literals = this.#source.literals.get(object)
    const struct = structName(schema)
    const outerStruct = this.#struct
    const keys = this.#source.repeatedKeys.get(object) ?? Object.keys(object)
    const seen = keys.length === Object.keys(object).length ? undefined : new Set<string>()
    // Deleting from an object makes it slow for ever; where something must go, a new one is made.
    const result: Record<string, unknown> = {}
    let isSame = true
    this.#depth++
    if (this.#depth > maxTypedDepth) throw new GoDecodeError('exceeded max depth')
    for (const key of keys) {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (property === undefined) {
        this.#strict.add('unknown', key)
        isSame = false
        continue
      }
      if (seen?.has(key) === true) {
        this.#strict.add('duplicate', key)
        continue
      }
      seen?.add(key)
      this.#struct = struct
      const embedded = embeddedField(struct, key)
      if (embedded !== undefined) this.#fields.push(embedded)
      this.#fields.push(key)
      this.#strict.enterField(key)
      const before = getOwn(object, key)
      let member: unknown
      for (const earlier of this.#source.earlierValues.get(object)?.get(key) ?? [])
        member = decodedOnto(member, this.#decode(earlier, property, undefined), property)
      member = decodedOnto(member, this.#decode(before, property, literals?.get(key)), property)
      this.#strict.leave()
      this.#fields.pop()
      if (embedded !== undefined) this.#fields.pop()
      this.#struct = outerStruct
      if (member === undefined) isSame = false
      else {
        setOwn(result, key, member)
        if (member !== before) isSame = false
      }
    }
    this.#depth--
    return isSame ? object : result
  }

  #reportRepeats(map: object): void {
    const keys = this.#source.repeatedKeys.get(map)
    if (keys === undefined) return
    const seen = new Set<string>()
    for (const key of keys) {
      if (seen.has(key)) this.#strict.add('duplicate', key)
      seen.add(key)
    }
  }

  #mismatched(value: unknown, type: string, found?: string): undefined {
    if (this.#dialect === 'converter') throw new GoDecodeError(conversionProblem(value, type))
    this.#mismatch ??= this.#hard(value, type, found).message
    return undefined
  }

  /** For types that decode themselves: nothing that comes later is looked at. */
  #hard(value: unknown, type: string, found = jsonTypeName(value)): GoDecodeError {
    const isNamed = this.#fields.length > 0 && this.#dialect === 'json'
    const target = isNamed ? `struct field ${this.#struct}.${this.#fields.join('.')}` : 'value'
    return new GoDecodeError(`json: cannot unmarshal ${found} into Go ${target} of type ${type}`)
  }
}

/** What is said twice is decoded twice into the same place in Go: of structures and maps, more is added. */
function decodedOnto(before: unknown, value: unknown, schema: ApiSchema): unknown {
  if (!isPlainObject(before) || !isPlainObject(value) || isRaw(schema)) return value
  const { properties = {} } = schema
  const result = { ...before }
  for (const [key, member] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    setOwn(result, key, property === undefined ? member : decodedOnto(getOwn(before, key), member, property))
  }
  return result
}

/** Kept as it is: the type decodes itself, and takes everything. */
function isRaw(schema: ApiSchema): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true
  return (
    schema.type === 'object' &&
    schema.properties === undefined &&
    typeof schema.additionalProperties !== 'object'
  )
}
