import { getOwn, isPlainObject } from '../../base/index.js'
import { goPrint } from '../../schema/internal.js'
import { goTypeOf } from '../patch/go-type-of.js'
import { goSyntax } from './go-syntax.js'
import { elementOf, UnidentifiableItem } from './list-element.js'
import { fieldElement, formatElement, type PathElement } from './path-element.js'
import { asList, asMap, keysOf, shapeOf } from './shape.js'
import type { Scalar, TypedList, TypedMap, TypedSchema } from './typed-schema.js'

/** A value does not fit its schema, in the words of the server. */
export class TypedValueError extends Error {
  override readonly name = 'TypedValueError'
}

interface Problem {
  path: string
  readonly text: string
}

interface Walk {
  readonly allowsDuplicates: boolean
  readonly problems: Problem[]
}

/**
 * Checks that a value has the shapes of its schema, that no field is undeclared, and that the items of associative lists
 * can be told apart, unless duplicates are allowed. Throws {@link TypedValueError}.
 */
export function validateTyped(value: unknown, schema: TypedSchema, allowsDuplicates: boolean): void {
  const walk: Walk = { allowsDuplicates, problems: [] }
  validateAt(walk, value, schema)
  if (walk.problems.length === 0) return
  const texts = walk.problems.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`))
  throw new TypedValueError(
    texts.length === 1 ? texts.join('') : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'),
  )
}

function validateAt(walk: Walk, value: unknown, schema: TypedSchema): void {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      if (schema.scalar !== undefined) validateScalar(walk, value, schema.scalar)
      return
    case 'list':
      if (schema.list !== undefined) validateList(walk, value, schema.list)
      return
    case 'map':
      if (schema.map !== undefined) validateMap(walk, value, schema.map)
      return
    default:
      report(walk, 'schema error: invalid atom: inlined')
  }
}

function validateScalar(walk: Walk, value: unknown, scalar: Scalar): void {
  if (value === null) return
  const type = typeof value
  switch (scalar) {
    case 'numeric':
      if (type !== 'number' && type !== 'bigint') {
        report(walk, `expected numeric (int or float), got ${goTypeOf(value)}`)
      }
      return
    case 'string':
      if (type !== 'string')
        report(walk, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`)
      return
    case 'boolean':
      if (type !== 'boolean') report(walk, `expected boolean, got &{${goPrint(value)}}`)
      return
    case 'untyped':
      if (type === 'object') report(walk, `expected any scalar, got &{${goPrint(value)}}`)
  }
}

function validateList(walk: Walk, value: unknown, list: TypedList): void {
  if (value === null) return
  const items = asList(value)
  if (items === undefined) {
    report(walk, `expected list, got &{${goPrint(value)}}`)
    return
  }
  const seen = new Set<PathElement>()
  for (const [index, item] of items.entries()) {
    let element: PathElement = `i:${index}`
    if (list.isAssociative) {
      try {
        element = elementOf(list, item)
      } catch (error) {
        if (!(error instanceof UnidentifiableItem)) throw error
        report(walk, `element ${index}: ${error.message}`)
        return
      }
      if (seen.has(element) && !walk.allowsDuplicates) {
        report(walk, `duplicate entries for key ${formatElement(element)}`)
      }
      seen.add(element)
    }
    const before = walk.problems.length
    validateAt(walk, item, list.items)
    if (walk.problems.length > before) locate(walk, before, element)
  }
}

function validateMap(walk: Walk, value: unknown, map: TypedMap): void {
  if (value === null) return
  const members = asMap(value)
  if (members === undefined) {
    report(walk, `expected map, got &{${goPrint(value)}}`)
    return
  }
  for (const key of keysOf(members)) {
    const schema = map.field(key) ?? map.others
    const before = walk.problems.length
    if (schema === undefined) report(walk, 'field not declared in schema')
    else validateAt(walk, members[key], schema)
    if (walk.problems.length > before) locate(walk, before, fieldElement(key))
    if (schema === undefined) return
  }
}

function report({ problems }: Walk, text: string): void {
  problems.push({ path: '', text })
}

/** Says where the problems are that have come up behind an element. Only these need a path: nearly all values are fine. */
function locate({ problems }: Walk, from: number, element: PathElement): void {
  for (const problem of problems.slice(from)) problem.path = formatElement(element) + problem.path
}

/** The object's name as errors give it: `default/app; apps/v1, Kind=Deployment`. */
export function describeObject(object: unknown): string {
  const metadata = memberOf(object, 'metadata')
  return `${textOf(metadata, 'namespace')}/${textOf(metadata, 'name')}; ${describeKind(object)}`
}

/** Its type as errors give it: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function describeKind(object: unknown): string {
  const parts = textOf(object, 'apiVersion').split('/')
  if (parts.length > 2) return '/, Kind='
  return `${parts.length === 2 ? '' : '/'}${parts.join('/')}, Kind=${textOf(object, 'kind')}`
}

function memberOf(object: unknown, key: string): unknown {
  return isPlainObject(object) ? getOwn(object, key) : undefined
}

function textOf(object: unknown, key: string): string {
  const value = memberOf(object, key)
  return typeof value === 'string' ? value : ''
}
