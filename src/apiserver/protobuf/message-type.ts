import { isPlainObject, setOwn } from '../../base/index.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import type { WireReader } from './wire-reader.js'
import type { WireType } from './wire-type.js'
import type { WireWriter } from './wire-writer.js'

/** A field of a message. */
export interface MessageField {
  /** In JSON. Empty for a struct whose fields stand among those of the message there. */
  readonly name: string
  /** What errors call it. */
  readonly goName: string
  readonly number: number
  readonly shape: 'single' | 'list' | 'map'
  /** A pointer in Go: it may be absent. Others are always written. */
  readonly isOptional: boolean
  /** Whether JSON has it whatever its value; else it is left out when it is empty. */
  readonly isAlways: boolean
  readonly type: WireType
}

interface Fields {
  readonly inOrder: readonly MessageField[]
  readonly byNumber: readonly (MessageField | undefined)[]
  /** Those that JSON always has. */
  readonly filled: readonly MessageField[]
}

function fieldsOf(inOrder: readonly MessageField[]): Fields {
  const byNumber: (MessageField | undefined)[] = []
  for (const field of inOrder) byNumber[field.number] = field
  return { inOrder, byNumber, filled: inOrder.filter(({ isAlways }) => isAlways) }
}

const nothing: Readonly<Record<string, unknown>> = Object.freeze({})

/** A message that is an object in JSON. Its fields are looked up when they are first needed: messages may contain themselves. */
export class MessageType implements WireType {
  readonly wire = 2
  readonly name: string
  readonly #load: () => readonly MessageField[]
  #loaded: Fields | undefined

  /** `load` gives the fields in the order of their numbers. */
  constructor(name: string, load: () => readonly MessageField[]) {
    this.name = name
    this.#load = load
  }

  get #fields(): Fields {
    this.#loaded ??= fieldsOf(this.#load())
    return this.#loaded
  }

  write(out: WireWriter, value: unknown): void {
    // Whatever object it is, its members are unknown; what is no plain object has none of the names.
    const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : nothing
    const { inOrder } = this.#fields
    for (let index = inOrder.length - 1; index >= 0; index--) {
      const field = inOrder[index]
      if (field === undefined) continue
      const member = field.name === '' ? object : object[field.name]
      if (member !== undefined || isAlwaysWritten(field)) writeField(out, field, member)
    }
  }

  read(input: WireReader, end: number, before: unknown): unknown {
    const target: Record<string, unknown> = isPlainObject(before) ? before : {}
    this.readInto(input, end, target)
    return target
  }

  readInto(input: WireReader, end: number, target: Record<string, unknown>): void {
    input.enter()
    const { byNumber } = this.#fields
    while (input.at < end) {
      input.tag(end, this.name)
      const field = byNumber[input.field]
      if (field === undefined) input.skip(end)
      else readField(input, end, field, target)
    }
    this.fill(target)
    input.leave()
  }

  /** Gives the fields that JSON always has, and that nothing was said about, their zero values. */
  fill(target: Record<string, unknown>): void {
    for (const { name, shape, type, isOptional } of this.#fields.filled) {
      if (name === '') {
        if (type instanceof MessageType) type.fill(target)
      } else if (target[name] === undefined)
        target[name] = shape === 'single' && !isOptional ? type.zero() : null
    }
  }

  zero(): Record<string, unknown> {
    const target = {}
    this.fill(target)
    return target
  }
}

function isAlwaysWritten({ shape, isOptional, type }: MessageField): boolean {
  return shape === 'single' && !isOptional && type.isNullable !== true
}

function writeField(out: WireWriter, field: MessageField, value: unknown): void {
  const { shape, type, number } = field
  if (shape === 'single') {
    if (value !== null || isAlwaysWritten(field)) writeValue(out, number, type, value)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index--) writeValue(out, number, type, value[index])
    return
  }
  if (shape === 'map') writeMap(out, field, value)
}

function writeValue(out: WireWriter, number: number, type: WireType, value: unknown): void {
  const before = out.length
  type.write(out, value)
  if (type.wire === 2) out.varint(out.length - before)
  out.varint((number << 3) | type.wire)
}

function writeMap(out: WireWriter, { number, type }: MessageField, map: object): void {
  const members = Object.entries(map)
  if (members.length > 1) members.sort(([left], [right]) => compareAsBytes(left, right))
  for (let index = members.length - 1; index >= 0; index--) {
    const [key = '', value] = members[index] ?? []
    const before = out.length
    if (type.isNullable !== true || (value !== undefined && value !== null)) writeValue(out, 2, type, value)
    const beforeKey = out.length
    out.text(key)
    out.varint(out.length - beforeKey)
    out.varint(0x0a)
    out.varint(out.length - before)
    out.varint((number << 3) | 2)
  }
}

/** The order of their bytes: UTF-16 puts what is beyond the first plane before its end. */
function compareAsBytes(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at)
    const other = right.charCodeAt(at)
    if (one === other) continue
    const isSurrogate = (one & 0xf800) === 0xd800
    if (isSurrogate === ((other & 0xf800) === 0xd800)) return one - other
    return isSurrogate ? 0x1_0000 - other : one - 0x1_0000
  }
  return left.length - right.length
}

type Target = Record<string, unknown>

function readField(input: WireReader, end: number, field: MessageField, target: Target): void {
  const { name, shape, type } = field
  const { wire } = input
  // Lists of numbers may be packed into one value.
  const isPacked = shape === 'list' && wire === 2 && type.wire !== 2
  if (!isPacked && wire !== (shape === 'map' ? 2 : type.wire))
    throw new GoDecodeError(`proto: wrong wireType = ${wire} for field ${field.goName}`)
  if (shape === 'map') return readEntry(input, input.span(end), field, target)
  if (shape === 'list') {
    const list = (target[name] ??= [])
    // Nothing else was put there.
    if (!Array.isArray(list)) return
    if (isPacked)
      for (const packed = input.span(end); input.at < packed; ) list.push(type.read(input, packed, undefined))
    else list.push(readValue(input, end, type))
    return
  }
  if (name === '') {
    if (type instanceof MessageType) type.readInto(input, input.span(end), target)
    return
  }
  const value = readValue(input, end, type, target[name])
  const isEmpty = value === '' || value === 0 || value === false || value === null
  if (!isEmpty || field.isOptional || field.isAlways) target[name] = value
  else if (target[name] !== undefined) delete target[name]
}

function readValue(input: WireReader, end: number, type: WireType, before?: unknown): unknown {
  return type.read(input, type.wire === 2 ? input.span(end) : end, before)
}

function readEntry(input: WireReader, end: number, field: MessageField, target: Target): void {
  const { type } = field
  let key = ''
  let value: unknown
  while (input.at < end) {
    input.tag(end, field.goName)
    if (input.field === 1) key = input.text(input.span(end))
    else if (input.field === 2) value = readValue(input, end, type)
    else input.skip(end)
  }
  const map = (target[field.name] ??= {})
  if (isPlainObject(map)) setOwn(map, key, value ?? (type.isNullable === true ? '' : type.zero()))
}
