import { getOwn, isPlainObject } from '../../base/index.js'
import type { FieldError } from '../field-error.js'
import type { ScalePaths } from '../kind/version-definition.js'
import { invalid } from './field-errors.js'
import { goPrint, goTypeName } from './go-text.js'
import { goKindOf } from './go-value.js'

const maxReplicas = 2 ** 31 - 1

/** What the scale subresource has against the fields that it reads. */
export function scaleErrors(object: unknown, scale: ScalePaths, part: 'all' | 'status'): FieldError[] {
  const errors: FieldError[] = []
  if (part === 'all') errors.push(...replicaErrors(object, scale.specReplicasPath))
  errors.push(...replicaErrors(object, scale.statusReplicasPath))
  if (scale.labelSelectorPath !== undefined) errors.push(...selectorErrors(object, scale.labelSelectorPath))
  return errors
}

function replicaErrors(object: unknown, path: string): FieldError[] {
  const { value, problem } = readPath(object, path, 'int64')
  if (problem !== undefined) return [invalid(path, 0, problem)]
  if (typeof value !== 'number' && typeof value !== 'bigint') return []
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')]
  if (value > maxReplicas) return [invalid(path, value, `should be less than or equal to ${maxReplicas}`)]
  return []
}

function selectorErrors(object: unknown, path: string): FieldError[] {
  const { problem } = readPath(object, path, 'string')
  return problem === undefined ? [] : [invalid(path, '', problem)]
}

interface Reading {
  readonly value?: unknown
  readonly problem?: string
}

function readPath(object: unknown, path: string, wanted: 'int64' | 'string'): Reading {
  const names = path.replace(/^\./, '').split('.')
  let value: unknown = object
  for (const [index, name] of names.entries()) {
    if (value === null || value === undefined) return {}
    if (!isPlainObject(value))
      return { problem: accessProblem(names.slice(0, index + 1), value, 'map[string]interface{}') }
    value = getOwn(value, name)
    if (value === undefined) return {}
  }
  const isRight = goKindOf(value) === (wanted === 'int64' ? 'int' : 'string')
  return isRight ? { value } : { problem: accessProblem(names, value, wanted) }
}

function accessProblem(names: readonly string[], value: unknown, wanted: string): string {
  const found = `${goPrint(value)} is of the type ${goTypeName(value)}`
  return `.${names.join('.')} accessor error: ${found}, expected ${wanted}`
}
