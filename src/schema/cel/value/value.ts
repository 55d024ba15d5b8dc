import type { Meter } from '../plan/meter.js'
import type { CelType } from './type.js'

/**
 * A value of the language. JavaScript's own types stand for the CEL types that they can tell apart: `bigint` is an int,
 * `number` a double. Everything else carries its `kind`. A failure is a value too, because `||` and `&&` absorb it.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | CelUint
  | CelBytes
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelOptional
  | CelType
  | CelOpaque
  | CelPreserved
  | CelFailure

/** What a rule runs into at run time: `no such key: x`, `division by zero`. */
export interface CelFailure {
  readonly kind: 'failure'
  readonly message: string
}

interface CelUint {
  readonly kind: 'uint'
  readonly value: bigint
}

interface CelBytes {
  readonly kind: 'bytes'
  readonly bytes: Uint8Array
}

/** A moment: seconds since 1970, nanoseconds in it, and the zone offset it was written with (kept for `string()`). */
export interface CelTimestamp {
  readonly kind: 'timestamp'
  readonly seconds: number
  readonly nanos: number
  readonly offsetSeconds: number
}

/** A span of time. */
export interface CelDuration {
  readonly kind: 'duration'
  readonly nanos: bigint
}

/** Equality and membership may fail: a list in an object may hold data that its schema does not allow. */
export type CelVerdict = boolean | CelFailure

/** A list, whatever it is made of. */
export interface CelList {
  readonly kind: 'list'
  readonly size: number
  /** The element at an index that exists. */
  at(index: number): CelValue
  equals(other: CelValue, meter: Meter): CelVerdict
  contains(value: CelValue, meter: Meter): CelVerdict
  concat(other: CelList, meter: Meter): CelValue
  /** The plain data behind a list that came with an object. */
  readonly data?: readonly unknown[]
}

/** A map or an object, whatever it is made of. */
export interface CelMap {
  readonly kind: 'map'
  readonly size: number
  /** `undefined` when the key is absent. A key of the wrong type may be a failure. */
  find(key: CelValue): CelValue | undefined
  keys(): Iterable<CelValue>
  equals(other: CelValue, meter: Meter): CelVerdict
  /** The plain data behind a map that came with an object. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** `optional.none()` has no value. */
interface CelOptional {
  readonly kind: 'optional'
  readonly value?: CelValue
}

/** A value of a library type: a quantity, an address, a URL. Programs reach it only through functions. */
export interface CelOpaque {
  readonly kind: 'opaque'
  readonly type: CelType
  /** Sizes enter the cost of calls. Absent where the server's type has none. */
  readonly size?: number
  equals(other: CelValue): CelVerdict
  /** How the server prints the value when it cannot carry it through an optional: `(netip.Addr)10.0.0.1`. */
  readonly nativeText: string
}

/** Data under `x-kubernetes-preserve-unknown-fields`: nothing but equality is known of it. */
interface CelPreserved {
  readonly kind: 'preserved'
  readonly data: unknown
}

/** What a run goes on with instead of a value. */
export function failure(message: string): CelFailure {
  return { kind: 'failure', message }
}

/** What an operation says about operands that it has no meaning for. */
export function noSuchOverload(): CelFailure {
  return failure('no such overload')
}

/** An unsigned int. The caller has checked its range. */
export function uint(value: bigint): CelUint {
  return { kind: 'uint', value }
}

/** A sequence of bytes. */
export function bytes(value: Uint8Array): CelBytes {
  return { kind: 'bytes', bytes: value }
}

/** A span of time. The caller has checked its range. */
export function duration(nanos: bigint): CelDuration {
  return { kind: 'duration', nanos }
}

/** `optional.none()`. */
export const noValue: CelOptional = { kind: 'optional' }

/** `optional.of(value)`. */
export function optionalOf(value: CelValue): CelOptional {
  return { kind: 'optional', value }
}

type Tagged = Extract<CelValue, { readonly kind: string }>

/** The value as an object of that kind, or `undefined`. */
export function ofKind<K extends Tagged['kind']>(
  value: CelValue,
  kind: K,
): Extract<Tagged, { readonly kind: K }> | undefined {
  if (typeof value !== 'object' || value === null || value.kind !== kind) return undefined
  // The tag was compared in the line above.
  return value as Extract<Tagged, { readonly kind: K }>
}

/** Whether something went wrong. */
export function isFailure(value: CelValue): value is CelFailure {
  return typeof value === 'object' && value !== null && value.kind === 'failure'
}
