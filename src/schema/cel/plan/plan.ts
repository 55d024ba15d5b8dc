import type { CelValue } from '../value/value.js'
import type { Meter } from './meter.js'

/** The state of one run: the variables, each in the slot that the planner gave it, and the meter. */
export interface Frame {
  readonly meter: Meter
  /** `undefined` where a variable has no value: `oldSelf` of an object that is new. */
  readonly slots: (CelValue | undefined)[]
  /** What computes the start of an accumulator when it is first read. It may never be. */
  readonly pending: (Evaluate | undefined)[]
}

/** Computes a value. Throws only what stops the whole run. */
export type Evaluate = (frame: Frame) => CelValue

/** A piece of a program, ready to run. */
export interface Plan {
  readonly run: Evaluate
  /** Present when the value is known before any run. */
  readonly constant?: { readonly value: CelValue }
  /** Present when the piece is a path into data, which selections extend instead of wrapping it. */
  readonly attribute?: Attribute
}

/** A path into data: a variable or any value, and the selections applied to it. */
export interface Attribute {
  /** The server does not charge a condition for itself, only for the branch that it takes. */
  readonly isConditional: boolean
  resolve(frame: Frame): CelValue
  add(qualifier: Qualifier): void
}

/** One selection of a path: `.field`, `[index]`, `.?field`, or the test of `has(x.field)`. */
export interface Qualifier {
  readonly optional: boolean
  /** The part selected, or a failure. */
  select(frame: Frame, from: CelValue): CelValue
  /** The part selected, `undefined` if there is none, or a failure. */
  selectIfPresent(frame: Frame, from: CelValue): CelValue | undefined
}

/** A value that is known before any run; it costs nothing. */
export function constantPlan(value: CelValue): Plan {
  return { run: () => value, constant: { value } }
}

/** A path as a piece of program: reading it costs 1 beyond its selections. */
export function attributePlan(attribute: Attribute): Plan {
  const run: Evaluate = (frame) => {
    const value = attribute.resolve(frame)
    if (!attribute.isConditional) frame.meter.charge(1)
    return value
  }
  return { run, attribute }
}
