import type { StructuralSchema, ValidationRule } from '../structural-schema.js'

/**
 * What Kubernetes knows about a field and no schema library does, as plain metadata: pass it to Zod's `.meta()` or
 * Valibot's `metadata()`. Spread several into one: `.meta({ ...listMap('name'), ...cel('size(self) > 0') })`.
 *
 * @module
 */

/** What else to say about a CEL rule. */
export type RuleDetails = Omit<ValidationRule, 'rule'>

/**
 * A CEL rule that the API server checks on this value (`self`): `cel('self.min <= self.max', { message: '...' })`.
 * For several rules pass a list.
 */
export function cel(
  rule: string | readonly ValidationRule[],
  details: RuleDetails = {},
): { 'x-kubernetes-validations': readonly ValidationRule[] } {
  return { 'x-kubernetes-validations': typeof rule === 'string' ? [{ rule, ...details }] : rule }
}

/** A list whose items are told apart by these fields: several writers may own different items of it. */
export function listMap(...keys: readonly [string, ...string[]]): {
  'x-kubernetes-list-type': 'map'
  'x-kubernetes-list-map-keys': readonly string[]
} {
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }
}

/** A list of unique scalars: several writers may own different items of it. */
export function listSet(): { 'x-kubernetes-list-type': 'set' } {
  return { 'x-kubernetes-list-type': 'set' }
}

/** A list or an object that is only ever replaced as a whole. */
export function atomic(): { 'x-kubernetes-list-type': 'atomic'; 'x-kubernetes-map-type': 'atomic' } {
  // Which of the two applies is decided by the type of the value.
  return { 'x-kubernetes-list-type': 'atomic', 'x-kubernetes-map-type': 'atomic' }
}

/** An integer or a string: `80` or `"http"`. A union of the two is recognized without it. */
export function intOrString(): { 'x-kubernetes-int-or-string': true } {
  return { 'x-kubernetes-int-or-string': true }
}

/** Fields that the schema does not name are kept. Needed for `z.any()`; `z.looseObject()` implies it. */
export function preserveUnknownFields(): { 'x-kubernetes-preserve-unknown-fields': true } {
  return { 'x-kubernetes-preserve-unknown-fields': true }
}

/** The value is a whole Kubernetes object of any kind: its apiVersion, kind and metadata are checked. */
export function embeddedResource(): {
  'x-kubernetes-embedded-resource': true
  'x-kubernetes-preserve-unknown-fields': true
} {
  return { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
}

const decimal = String.raw`(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)`
const quantityPattern = `^[+-]?${decimal}(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?${decimal})?$`

/** A resource quantity (`500m`, `2Gi`, `4`), for a union of integer and string. */
export function quantity(): { 'x-kubernetes-int-or-string': true; pattern: string } {
  return { 'x-kubernetes-int-or-string': true, pattern: quantityPattern }
}

/** The schema of a resource quantity, for schemas written with `structural()`. */
export const quantitySchema: StructuralSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: quantityPattern,
  'x-kubernetes-int-or-string': true,
}
