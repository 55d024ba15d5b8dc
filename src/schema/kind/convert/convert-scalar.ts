import { stringFormatCheck } from '../../validator/formats/string-formats.js'
import type { Converter, Draft, Typed } from './converter.js'
import { type JsonSchema, numberOf, stringOf } from './json-schema.js'

/** Adds the keywords for strings. */
export function convertString({ schema, path }: Typed, draft: Draft, converter: Converter): void {
  copyNumbers(schema, draft, ['minLength', 'maxLength'])
  const pattern = stringOf(schema, 'pattern')
  if (pattern !== undefined) draft.pattern = pattern
  const format = stringOf(schema, 'format')
  if (format === undefined) return
  if (format === 'duration' && pattern?.startsWith('^P') === true) {
    delete draft.pattern
    converter.problems.add(
      path,
      'Durations of the API server are those of Go (1h30m), not of ISO 8601. Use z.string().meta({ format: "duration" }).',
    )
  } else if (stringFormatCheck(format) !== undefined) {
    draft.format = format
    // Zod's expression for host names looks ahead at their length, which RE2 cannot. The format checks it too.
    if (format === 'hostname' && pattern?.startsWith('^(?=') === true) delete draft.pattern
  } else if (pattern === undefined && !hasPatternInside(schema)) {
    converter.problems.add(
      path,
      `The API server does not check format "${format}": every string would pass. Use a pattern (z.string().regex(...)) or one of its own formats, such as date-time, email, uri, uuid, ipv4, cidr.`,
    )
  }
  // With a pattern beside it, an unknown format is a name for that pattern: the server would only warn about it.
}

// Several patterns are spread over an allOf.
function hasPatternInside(schema: JsonSchema): boolean {
  return JSON.stringify(schema['allOf'] ?? []).includes('"pattern"')
}

const int32Bounds = { min: -(2 ** 31), max: 2 ** 31 - 1 }
const float32Max = 3.4028234663852886e38

/** Adds the keywords for integers. Bounds that only repeat the range of a machine type become its format. */
export function convertInteger(typed: Typed, draft: Draft, converter: Converter): void {
  copyBounds(typed.schema, draft)
  copyFactor(typed, draft, converter)
  const format = stringOf(typed.schema, 'format')
  if (format === 'int32' || format === 'int64') draft.format = format
  if (draft.minimum !== undefined && !Number.isInteger(draft.minimum)) {
    draft.minimum = Math.ceil(draft.minimum)
    delete draft.exclusiveMinimum
  }
  if (draft.maximum !== undefined && !Number.isInteger(draft.maximum)) {
    draft.maximum = Math.floor(draft.maximum)
    delete draft.exclusiveMaximum
  }
  if (draft.minimum === int32Bounds.min || draft.maximum === int32Bounds.max) draft.format ??= 'int32'
  const isInt32 = draft.format === 'int32'
  const lowest = isInt32 ? int32Bounds.min : Number.MIN_SAFE_INTEGER
  const highest = isInt32 ? int32Bounds.max : Number.MAX_SAFE_INTEGER
  if (draft.minimum !== undefined && draft.minimum <= lowest) delete draft.minimum
  if (draft.maximum !== undefined && draft.maximum >= highest) delete draft.maximum
  draft.format ??= 'int64'
}

/** Adds the keywords for numbers with a fraction. */
export function convertNumber(typed: Typed, draft: Draft, converter: Converter): void {
  copyBounds(typed.schema, draft)
  copyFactor(typed, draft, converter)
  const format = stringOf(typed.schema, 'format')
  if (format === 'float' || format === 'double') draft.format = format
  if (draft.maximum === float32Max || draft.minimum === -float32Max) draft.format ??= 'float'
  if (draft.maximum !== undefined && draft.maximum >= float32Max) delete draft.maximum
  if (draft.minimum !== undefined && draft.minimum <= -float32Max) delete draft.minimum
}

export function copyNumbers(
  schema: JsonSchema,
  draft: Draft,
  keywords: readonly (
    | 'minLength'
    | 'maxLength'
    | 'minItems'
    | 'maxItems'
    | 'minProperties'
    | 'maxProperties'
  )[],
): void {
  for (const keyword of keywords) {
    const value = numberOf(schema, keyword)
    if (value !== undefined) draft[keyword] = value
  }
}

/** OpenAPI 3.0 marks a bound as exclusive; later drafts have exclusive bounds of their own. */
function copyBounds(schema: JsonSchema, draft: Draft): void {
  const minimum = numberOf(schema, 'minimum')
  const above = numberOf(schema, 'exclusiveMinimum')
  if (above !== undefined && (minimum === undefined || above >= minimum)) {
    draft.minimum = above
    draft.exclusiveMinimum = true
  } else if (minimum !== undefined) {
    draft.minimum = minimum
    if (schema['exclusiveMinimum'] === true) draft.exclusiveMinimum = true
  }
  const maximum = numberOf(schema, 'maximum')
  const below = numberOf(schema, 'exclusiveMaximum')
  if (below !== undefined && (maximum === undefined || below <= maximum)) {
    draft.maximum = below
    draft.exclusiveMaximum = true
  } else if (maximum !== undefined) {
    draft.maximum = maximum
    if (schema['exclusiveMaximum'] === true) draft.exclusiveMaximum = true
  }
}

function copyFactor({ schema, path }: Typed, draft: Draft, converter: Converter): void {
  const factor = numberOf(schema, 'multipleOf')
  if (factor === undefined) return
  draft.multipleOf = factor
  if (Number.isInteger(factor) && factor > 0) return
  converter.problems.add(
    path,
    `The API server refuses every whole number for a multipleOf of ${factor}. Use a whole factor above 0, or count in a smaller unit.`,
  )
}
