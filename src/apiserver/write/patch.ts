import { deepCopy, getOwn, isPlainObject, setOwn, stringifyJson } from '../../base/index.js'
import { compareCodePoints, goPrint, invalid as invalidField } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { applyServerSide, type FieldManagerContext, trackUpdate } from '../apply/field-manager.js'
import { type ApiFailure, badRequest, conflict, invalid, notFound } from '../failure.js'
import { applyJsonPatch } from '../patch/json-patch.js'
import { applyMergePatch } from '../patch/merge-patch.js'
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.js'
import { type RequestBody, textOfBody } from '../request/body.js'
import {
  type DecodedBody,
  decodeData,
  type ExpectedBody,
  objectOf,
  strictDecodingError,
} from '../request/decode-body.js'
import { convertTyped } from '../request/decode-typed.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import { sourceOf } from '../request/json-source.js'
import { readTypeMeta } from '../request/parse-body.js'
import { optionsAs, type WriteOptions } from '../request/write-options.js'
import { shapeDraft } from './decode-draft.js'
import { checkName, ensureNamespace } from './object-metadata.js'
import { type PatchBody, parsePatch } from './patch-body.js'
import type { PatchType } from './patch-types.js'
import { admitUpdate } from './replace-body.js'
import type { UpdatePlan } from './update.js'
import { fieldManagerContext, subjectOf, type WriteCall, type WriteParts } from './write-call.js'

export interface PatchRequest {
  readonly type: PatchType
  readonly body: RequestBody
  readonly options: WriteOptions
  readonly expected: ExpectedBody
}

/** The plan of an update by a patch. Throws nothing yet: a patch is looked at when it is known what it is for. */
export function patchPlan(parts: WriteParts, call: WriteCall, patch: PatchRequest): UpdatePlan {
  const { type, options } = patch
  const isApply = type === 'application/apply-patch+yaml'
  const optionsOf = (operation: 'CREATE' | 'UPDATE'): ApiObject =>
    optionsAs(operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', options)
  const patcher = createPatcher(call, patch)
  return {
    createsMissing: isApply && call.info.subresource === '',
    uid: '',
    options: optionsOf,
    async next(old) {
      const draft = await patcher(old, fieldManagerContext(parts, call))
      if (isApply) call.strategy.applyDefaults(draft)
      else {
        shapeDraft(call.strategy, draft)
        await trackUpdate(old, draft, fieldManagerContext(parts, call))
      }
      call.strategy.dropEmptyLists?.(draft)
      if (old === undefined && (draft.metadata.uid ?? '') !== '')
        throw conflict(
          subjectOf(call),
          call.info.name,
          `uid mismatch: the provided object specified uid ${draft.metadata.uid ?? ''}, and no existing object was found`,
        )
      ensureNamespace(draft, call)
      checkName(draft, call)
      await admitUpdate(parts, call, draft, { old, options: optionsOf })
      return draft
    },
  }
}

/** Makes the next state of an object, without defaults. Throws ApiFailure. */
type Patcher = (old: StoredApiObject | undefined, context: FieldManagerContext) => Promise<ApiObject>

/** A patcher for objects, or for their Scale. */
export function createPatcher(call: WriteCall, { type, body, options, expected }: PatchRequest): Patcher {
  let parsed: Promise<PatchBody> | undefined
  return async (old, context) => {
    if (old === undefined && type !== 'application/apply-patch+yaml')
      throw notFound(subjectOf(call), call.info.name)
    parsed ??= parsePatch(type, textOfBody(body), options.fieldValidation)
    const patch = await parsed
    switch (type) {
      case 'application/apply-patch+yaml': {
        // Whether it is an object at all, apply itself finds out.
        const merged = await applyServerSide(
          old,
          deepCopy(patch.value) as ApiObject,
          options.isForced,
          context,
        )
        judgeApply(patch, options, call)
        return merged
      }
      case 'application/json-patch+json':
        return decoded(applyJsonPatch(old, patch.value), patch, touchedBy(patch.value))
      case 'application/merge-patch+json':
        return decoded(applyMergePatch(old, patch.value), patch, patch.value)
      case 'application/strategic-merge-patch+json':
        return converted(applyStrategicMergePatch(old, patch.value, expected.schema ?? {}), patch)
    }
  }

  function decoded(patched: unknown, patch: PatchBody, touched: unknown): ApiObject {
    const shown = (): string =>
      stringifyJson(withSortedKeys(patched, expected.isCustom ? 'everything' : touched))
    try {
      if (expected.isCustom && readTypeMeta(patched).kind === '')
        throw new GoDecodeError(`Object 'Kind' is missing in '${shown()}'`)
      return judged(decodeData(sourceOf(deepCopy(patched)), expected), patch, shown)
    } catch (error) {
      throw error instanceof GoDecodeError ? unusable(shown(), error.message) : error
    }
  }

  function converted(patched: unknown, patch: PatchBody): ApiObject {
    const shown = (): string => goPrint(patch.value)
    try {
      return judged(convertObject(deepCopy(patched), expected), patch, shown)
    } catch (error) {
      throw error instanceof GoDecodeError ? unusable(shown(), error.message) : error
    }
  }

  function judged({ object, strictErrors }: DecodedBody, patch: PatchBody, shown: () => string): ApiObject {
    const errors = [...patch.strictErrors, ...strictErrors]
    if (errors.length === 0 || options.fieldValidation === 'Ignore') return object
    if (options.fieldValidation === 'Strict') throw unusable(shown(), strictDecodingError(errors))
    for (const text of errors) call.warn(text)
    return object
  }
}

/** Strategic merge leaves the kind what it is, whatever the patch says. */
function convertObject(patched: unknown, expected: ExpectedBody): DecodedBody {
  const { value, strictErrors } = convertTyped(patched, expected.schema ?? {})
  return { object: objectOf(value, expected), strictErrors }
}

function judgeApply({ strictErrors }: PatchBody, { fieldValidation }: WriteOptions, call: WriteCall): void {
  if (strictErrors.length === 0 || fieldValidation === 'Ignore') return
  if (fieldValidation === 'Warn') for (const text of strictErrors) call.warn(text)
  else
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${strictErrors.map((text) => `  ${text}`).join('\n')}`,
    )
}

/** 422 for a patch that makes no object of an object. */
function unusable(shown: string, why: string): ApiFailure {
  return invalid({ group: '', resource: '' }, '', [invalidField('patch', shown, why)])
}

/** As the server shows what came out of a patch: it has sorted the keys wherever the patch led it. */
function withSortedKeys(value: unknown, touched: unknown): unknown {
  const isEverything = touched === 'everything'
  if (Array.isArray(value)) return isEverything ? value.map((item) => withSortedKeys(item, touched)) : value
  if (!isPlainObject(value) || (!isEverything && !isPlainObject(touched))) return value
  const sorted: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort(compareCodePoints)) {
    const below = isPlainObject(touched) ? getOwn(touched, key) : touched
    setOwn(sorted, key, withSortedKeys(value[key], below))
  }
  return sorted
}

/** The places that the operations of a JSON patch name, as a tree. */
function touchedBy(operations: unknown): unknown {
  const root: Record<string, unknown> = {}
  for (const operation of Array.isArray(operations) ? operations : []) {
    const path: unknown = isPlainObject(operation) ? operation['path'] : undefined
    let at = root
    for (const part of typeof path === 'string' ? path.split('/').slice(1) : []) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      const known = getOwn(at, key)
      const next = isPlainObject(known) ? known : {}
      setOwn(at, key, next)
      at = next
    }
  }
  return root
}
