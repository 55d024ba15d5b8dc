import { getOwn, isPlainObject, setOwn } from '../../base/index.js'
import { goPrint, goTypeName } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { ApiFailure, badRequest, internalError } from '../failure.js'
import type { ScaleProjection } from '../resource.js'
import type { CrdScale } from './definition.js'

/** Stands for replicas that were never set, while a Scale is updated. The server uses the same number. */
const neverSet = -2_147_483_648

/** Reads a Scale where the paths of a CRD say, and writes it back. */
export function customScale(paths: CrdScale): ScaleProjection {
  const replicasPath = namesIn(paths.specReplicasPath)
  const statusPath = namesIn(paths.statusReplicasPath)
  const selectorPath =
    (paths.labelSelectorPath ?? '') === '' ? undefined : namesIn(paths.labelSelectorPath ?? '')
  const scaleOf = (object: StoredApiObject, unset: number): ApiObject => {
    const { metadata } = object
    const selector = selectorPath === undefined ? undefined : textAt(object, selectorPath)
    return {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: {
        ...(metadata.name !== undefined && { name: metadata.name }),
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        ...(metadata.uid !== undefined && { uid: metadata.uid }),
        ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
        ...(metadata.creationTimestamp !== undefined && { creationTimestamp: metadata.creationTimestamp }),
      },
      spec: { replicas: integerAt(object, replicasPath) ?? unset },
      status: {
        replicas: integerAt(object, statusPath) ?? 0,
        ...(selector !== undefined && selector !== '' && { selector }),
      },
    }
  }
  return {
    replicasPath,
    read: (object) => scaleOf(object, 0),
    readToUpdate: (object) => scaleOf(object, neverSet),
    checkReadable(object) {
      if (integerAt(object, replicasPath) === undefined)
        throw internalError(
          `the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`,
        )
    },
    write(draft, scale) {
      const spec = isPlainObject(scale['spec']) ? scale['spec'] : {}
      const replicas = getOwn(spec, 'replicas') ?? 0
      if (replicas === neverSet)
        throw badRequest(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} cannot be empty`)
      setAt(draft, replicasPath, replicas)
    },
  }
}

function namesIn(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.')
}

function failure(message: string): ApiFailure {
  return new ApiFailure({ code: 500, reason: '', message })
}

function valueAt(object: ApiObject | StoredApiObject, names: readonly string[]): unknown {
  let value: unknown = object
  for (const [index, name] of names.entries()) {
    if (value === undefined || value === null) return undefined
    if (!isPlainObject(value))
      throw failure(
        `.${names.join('.')} accessor error: ${goPrint(value)} is of the type ${goTypeName(value)}, expected map[string]interface{}`,
      )
    value = getOwn(value, name)
    if (index === names.length - 1) return value ?? undefined
  }
  return undefined
}

function integerAt(object: ApiObject | StoredApiObject, names: readonly string[]): number | undefined {
  const value = valueAt(object, names)
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value)) return value | 0
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value))
  throw wrongType(value, names, 'int64')
}

function textAt(object: ApiObject | StoredApiObject, names: readonly string[]): string | undefined {
  const value = valueAt(object, names)
  if (value === undefined || typeof value === 'string') return value
  throw wrongType(value, names, 'string')
}

function wrongType(value: unknown, names: readonly string[], wanted: string): ApiFailure {
  return failure(
    `.${names.join('.')} accessor error: ${goPrint(value)} is of the type ${goTypeName(value)}, expected ${wanted}`,
  )
}

function setAt(draft: ApiObject, names: readonly string[], value: unknown): void {
  let at: Record<string, unknown> = draft
  for (const name of names.slice(0, -1)) {
    const next = getOwn(at, name)
    if (isPlainObject(next)) at = next
    else if (next === undefined) {
      const made: Record<string, unknown> = {}
      setOwn(at, name, made)
      at = made
    } else throw failure(`value cannot be set because .${names.join('.')} is not a map[string]interface{}`)
  }
  setOwn(at, names.at(-1) ?? '', value)
}
