import { isPlainObject, stringifyJson } from '../../../base/index.js'
import type { FieldError, FieldErrorReason } from '../../field-error.js'
import { formatGeneral } from '../value/double.js'
import { byteLength, quoteText, trimSpace } from '../value/text.js'
import { type CelValue, isFailure, noValue, optionalOf } from '../value/value.js'
import { isForgiven, oldElementsByKey, type Ratchet, ratchetIndex, ratchetKey } from './correlation.js'
import type { FieldPath } from './field-path.js'
import type { CompiledRule } from './rule.js'
import { schemaValue } from './schema-value.js'
import type { Validator } from './validator.js'

// What all rules on one object may cost together, in the server's units.
const objectBudget = 10_000_000
const longestMessage = 5 * 1024

/** A part of an object with its past, and where it is. */
interface Subject {
  readonly value: unknown
  readonly old: unknown
  readonly path: FieldPath
  readonly ratchet: Ratchet
}

/** Evaluates rules in the server's order and collects what is broken. */
export class Evaluation {
  readonly errors: FieldError[] = []
  #budget = objectBudget

  get #isOver(): boolean {
    return this.#budget < 0
  }

  /** Applies a validator to a value and everything in it, until the budget is spent. */
  visit(validator: Validator, subject: Subject): void {
    const { value } = subject
    if (value === null || value === undefined || this.#isOver) return
    if (validator.rules.length > 0) this.#applyRules(validator, subject)
    if (this.#isOver) return
    if (Array.isArray(value)) this.#visitArray(validator, value, subject)
    else if (isPlainObject(value)) this.#visitMap(validator, value, subject)
  }

  #visitArray(validator: Validator, values: readonly unknown[], { old, path, ratchet }: Subject): void {
    const { items } = validator
    if (items === undefined) return
    const oldElement = oldElementsByKey(validator.node, old)
    for (const [index, value] of values.entries()) {
      if (this.#isOver) return
      this.visit(items, {
        value,
        old: oldElement(value),
        path: path.key(index),
        ratchet: ratchetIndex(ratchet, index),
      })
    }
  }

  #visitMap(validator: Validator, values: Record<string, unknown>, subject: Subject): void {
    const { path, ratchet } = subject
    const old = isPlainObject(subject.old) ? subject.old : {}
    const { additional, properties } = validator
    for (const name of Object.keys(values)) {
      const member = {
        value: values[name],
        old: Object.hasOwn(old, name) ? old[name] : undefined,
        ratchet: ratchetKey(ratchet, name),
      }
      if (additional !== undefined) this.visit(additional, { ...member, path: path.key(name) })
      const property = properties.get(name)
      if (property !== undefined) this.visit(property, { ...member, path: path.child(name) })
      if (this.#isOver) return
    }
  }

  #applyRules(validator: Validator, subject: Subject): void {
    const { path } = subject
    const type = validator.node.schema.type ?? ''
    if (this.#budget <= 0) return this.#outOfBudget(path, type)
    const node = validator.isResourceRoot ? validator.node.asResource() : validator.node
    const self = schemaValue(subject.value, node)
    const hasOld = subject.old !== null && subject.old !== undefined
    const oldSelf = validator.usesOldSelf && hasOld ? schemaValue(subject.old, node) : undefined
    for (const rule of validator.rules) {
      if (rule.program.usesOldSelf && !hasOld && !rule.optionalOldSelf) continue
      const past = rule.optionalOldSelf ? (oldSelf === undefined ? noValue : optionalOf(oldSelf)) : oldSelf
      this.#applyRule(rule, { type, subject, self, past })
      if (this.#isOver) return
    }
  }

  #applyRule(
    rule: CompiledRule,
    {
      type,
      subject,
      self,
      past,
    }: { type: string; subject: Subject; self: CelValue; past: CelValue | undefined },
  ): void {
    const { path } = subject
    if (rule.problem !== undefined) {
      this.#add(path, 'FieldValueInvalid', quoteText(type), `rule compile error: ${rule.problem}`)
      return
    }
    const result = rule.program.run(self, past)
    if (result.cost > this.#budget) return this.#outOfBudget(path, type)
    this.#budget -= result.cost
    const invalid = (detail: string): void => this.#add(path, 'FieldValueInvalid', quoteText(type), detail)
    if (result.kind === 'exceeded') {
      this.#budget = -1
      return invalid(
        `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule.title}`,
      )
    }
    const verdict = result.value
    if (verdict === true) return
    if (isFailure(verdict)) {
      return invalid(
        verdict.message.startsWith('no such overload')
          ? `'${verdict.message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule.title}`
          : `${verdict.message} evaluating rule: ${rule.title}`,
      )
    }
    this.#reportBroken(rule, type, subject, { self, past })
  }

  #reportBroken(
    rule: CompiledRule,
    type: string,
    subject: Subject,
    { self, past }: { self: CelValue; past: CelValue | undefined },
  ): void {
    const path = rule.fieldPath === '' ? subject.path : subject.path.child(rule.fieldPath)
    const forgiven = !rule.program.usesOldSelf && isForgiven(subject.ratchet)
    const message = rule.message === undefined ? { text: undefined } : this.#message(rule.message, self, past)
    if ('stop' in message) {
      this.#budget = -1
      if (!forgiven) this.#add(path, 'FieldValueInvalid', quoteText(type), message.stop)
      return
    }
    if (forgiven) return
    const shown = type === 'object' || type === 'array' ? undefined : showValue(subject.value)
    this.#add(path, rule.reason ?? 'FieldValueInvalid', shown, message.text ?? rule.detail)
  }

  /** What a message expression says; nothing when it fails or says nothing that can be shown. */
  #message(
    { source, program }: NonNullable<CompiledRule['message']>,
    self: CelValue,
    past: CelValue | undefined,
  ): { text: string | undefined } | { stop: string } {
    const result = program.run(self, past)
    if (result.cost > this.#budget)
      return {
        stop: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      }
    if (result.kind === 'exceeded')
      return {
        stop: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoteText(source)}`,
      }
    this.#budget -= result.cost
    if (typeof result.value !== 'string') return { text: undefined }
    const text = trimSpace(result.value)
    const usable = text !== '' && !text.includes('\n') && byteLength(text) <= longestMessage
    return { text: usable ? text : undefined }
  }

  #outOfBudget(path: FieldPath, type: string): void {
    this.#budget = -1
    this.#add(
      path,
      'FieldValueInvalid',
      quoteText(type),
      'validation failed due to running out of cost budget, no further validation rules will be run',
    )
  }

  #add(path: FieldPath, reason: FieldErrorReason, value: string | undefined, detail: string): void {
    this.errors.push({ reason, field: path.toString(), message: errorMessage(reason, value, detail) })
  }
}

function errorMessage(reason: FieldErrorReason, value: string | undefined, detail: string): string {
  const withValue = (title: string): string => (value === undefined ? title : `${title}: ${value}`)
  switch (reason) {
    case 'FieldValueForbidden':
      return `Forbidden: ${detail}`
    case 'FieldValueRequired':
      return `Required value: ${detail}`
    case 'FieldValueDuplicate':
      return withValue('Duplicate value')
    default:
      return `${withValue('Invalid value')}: ${detail}`
  }
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'number' && !Number.isInteger(value)) return formatGeneral(value)
  return typeof value === 'bigint' ? value.toString() : stringifyJson(value)
}
