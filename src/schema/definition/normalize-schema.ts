import { getOwn, isPlainObject, setOwn } from '../../base/index.js'
import { guardDepth } from '../validator/depth.js'
import { goJson } from '../validator/go-text.js'
import { goKindOf } from '../validator/go-value.js'
import type { RuleProps, SchemaProps } from './schema-props.js'

/** A schema that is not even one in form; the message is what Go says when it decodes it. */
export class SchemaDecodeError extends Error {
  override readonly name = 'SchemaDecodeError'
}

/** What a keyword holds. Go leaves out what is empty, unless it has a pointer to it. */
type Form =
  | 'text'
  | 'given-text'
  | 'flag'
  | 'given-flag'
  | 'number'
  | 'integer'
  | 'texts'
  | 'values'
  | 'any'
  | 'docs'
  | 'schema'
  | 'schema-or-list'
  | 'schema-or-flag'
  | 'schemas'
  | 'schema-map'
  | 'dependencies'
  | 'rules'

const keywords: Readonly<Record<keyof SchemaProps, Form>> = {
  id: 'text',
  $schema: 'text',
  $ref: 'given-text',
  description: 'text',
  type: 'text',
  format: 'text',
  title: 'text',
  default: 'any',
  maximum: 'number',
  exclusiveMaximum: 'flag',
  minimum: 'number',
  exclusiveMinimum: 'flag',
  maxLength: 'integer',
  minLength: 'integer',
  pattern: 'text',
  maxItems: 'integer',
  minItems: 'integer',
  uniqueItems: 'flag',
  multipleOf: 'number',
  enum: 'values',
  maxProperties: 'integer',
  minProperties: 'integer',
  required: 'texts',
  items: 'schema-or-list',
  allOf: 'schemas',
  oneOf: 'schemas',
  anyOf: 'schemas',
  not: 'schema',
  properties: 'schema-map',
  additionalProperties: 'schema-or-flag',
  patternProperties: 'schema-map',
  dependencies: 'dependencies',
  additionalItems: 'schema-or-flag',
  definitions: 'schema-map',
  externalDocs: 'docs',
  example: 'any',
  nullable: 'flag',
  'x-kubernetes-preserve-unknown-fields': 'given-flag',
  'x-kubernetes-embedded-resource': 'flag',
  'x-kubernetes-int-or-string': 'flag',
  'x-kubernetes-list-map-keys': 'texts',
  'x-kubernetes-list-type': 'given-text',
  'x-kubernetes-map-type': 'given-text',
  'x-kubernetes-validations': 'rules',
}

/**
 * A decoded schema in the form that the server stores and returns: without keywords that it does not know, without
 * what is empty or null. A copy down to defaults, enums and examples, which are shared. `path` is where it stands, as
 * Go names places: fields only.
 *
 * @throws SchemaDecodeError, NestingTooDeepError
 */
export function normalizeSchema(schema: unknown, path: string, depth = 0): SchemaProps {
  guardDepth(depth)
  const result: Record<string, unknown> = {}
  if (!isPlainObject(schema)) throw mismatch(schema, 'v1.JSONSchemaProps', path)
  for (const [keyword, form] of Object.entries(keywords)) {
    const value = getOwn(schema, keyword)
    if (value === undefined || value === null) continue
    const kept = keep(form, value, { path: `${path}.${keyword}`, depth: depth + 1 })
    if (kept !== undefined) result[keyword] = kept
  }
  return result
}

interface Place {
  readonly path: string
  readonly depth: number
}

function keep(form: Form, value: unknown, place: Place): unknown {
  const { path, depth } = place
  const inner = (schema: unknown): SchemaProps => normalizeSchema(schema, path, depth)
  switch (form) {
    case 'any':
      return value
    case 'text':
      return textAt(value, path) || undefined
    case 'given-text':
      return textAt(value, path)
    case 'flag':
      return flagAt(value, path) || undefined
    case 'given-flag':
      return flagAt(value, path)
    case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return value
      throw mismatch(value, 'float64', path)
    case 'integer':
      if (goKindOf(value) === 'int') return value
      throw mismatch(value, 'int64', path)
    case 'texts':
      return filled(listAt(value, '[]string', path).map((item) => textAt(item, path)))
    case 'values':
      return filled(listAt(value, '[]v1.JSON', path))
    case 'docs':
      return docsAt(value, path)
    case 'schema':
      return inner(value)
    case 'schema-or-list':
      if (Array.isArray(value)) return value.map(inner)
      // Anything else is taken for nothing.
      return isPlainObject(value) ? inner(value) : undefined
    case 'schema-or-flag':
      if (typeof value === 'boolean') return value
      if (isPlainObject(value)) return inner(value)
      throw new SchemaDecodeError('boolean or JSON schema expected')
    case 'schemas':
      return filled(listAt(value, '[]v1.JSONSchemaProps', path).map(inner))
    case 'schema-map':
      return mapAt(value, path, inner)
    case 'dependencies':
      return mapAt(value, path, (each) =>
        Array.isArray(each) ? each.map(String) : isPlainObject(each) ? inner(each) : {},
      )
    case 'rules':
      return filled(listAt(value, 'v1.ValidationRules', path).map((rule) => ruleAt(rule, path)))
  }
}

function textAt(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  throw mismatch(value, 'string', path)
}

function flagAt(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  throw mismatch(value, 'bool', path)
}

function listAt(value: unknown, goType: string, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw mismatch(value, goType, path)
}

function mapAt(value: unknown, path: string, inner: (value: unknown) => unknown): object | undefined {
  if (!isPlainObject(value)) throw mismatch(value, 'map[string]v1.JSONSchemaProps', path)
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) setOwn(result, key, inner(member ?? {}))
  return Object.keys(result).length > 0 ? result : undefined
}

function docsAt(value: unknown, path: string): object {
  if (!isPlainObject(value)) throw mismatch(value, 'v1.ExternalDocumentation', path)
  const description = textAt(getOwn(value, 'description'), `${path}.description`)
  const url = textAt(getOwn(value, 'url'), `${path}.url`)
  return { ...(description !== '' && { description }), ...(url !== '' && { url }) }
}

function ruleAt(value: unknown, path: string): RuleProps {
  if (!isPlainObject(value)) throw mismatch(value, 'v1.ValidationRule', path)
  const text = (key: string): string => textAt(getOwn(value, key), `${path}.${key}`)
  const message = text('message')
  const messageExpression = text('messageExpression')
  const fieldPath = text('fieldPath')
  const reason = getOwn(value, 'reason') ?? undefined
  const optionalOldSelf = getOwn(value, 'optionalOldSelf') ?? undefined
  return {
    rule: text('rule'),
    ...(message !== '' && { message }),
    ...(messageExpression !== '' && { messageExpression }),
    ...(reason !== undefined && { reason: textAt(reason, `${path}.reason`) }),
    ...(fieldPath !== '' && { fieldPath }),
    ...(optionalOldSelf !== undefined && {
      optionalOldSelf: flagAt(optionalOldSelf, `${path}.optionalOldSelf`),
    }),
  }
}

function filled<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined
}

const words = {
  boolean: 'bool',
  string: 'string',
  int: 'number',
  float: 'number',
  array: 'array',
  object: 'object',
  null: 'null',
} as const

function mismatch(value: unknown, goType: string, path: string): SchemaDecodeError {
  const kind = goKindOf(value)
  // Go shows a number only where it is of the wrong kind of number.
  const found = kind === 'float' && goType === 'int64' ? `number ${goJson(value)}` : words[kind]
  return new SchemaDecodeError(
    `json: cannot unmarshal ${found} into Go struct field JSONSchemaProps.${path} of type ${goType}`,
  )
}
