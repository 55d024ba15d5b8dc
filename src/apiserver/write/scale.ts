import { deepCopy } from '../../base/index.js'
import { apiVersionOf } from '../../objects/index.js'
import { invalid as invalidField } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { type FieldManagerContext, trackUpdate } from '../apply/field-manager.js'
import { applyCanonicalForm } from '../builtin/canonical-form.js'
import { schemaOf } from '../builtin/schema-of.js'
import { invalid } from '../failure.js'
import type { ExpectedBody } from '../request/decode-body.js'
import { optionsAs, type WriteOptions } from '../request/write-options.js'
import type { Resource, ScaleProjection } from '../resource.js'
import { checkName, dropRepeatedOwners, ensureNamespace } from './object-metadata.js'
import { createPatcher, type PatchRequest } from './patch.js'
import { admitUpdate } from './replace-body.js'
import { managersOfParent, managersOfScale, type ReplicasPlace } from './scale-managers.js'
import type { UpdatePlan } from './update.js'
import { apiVersionFor, fieldManagerContext, type WriteCall, type WriteParts } from './write-call.js'

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const

/** What the bodies of requests for a Scale are. */
export function expectedScale({ isCustom }: Pick<Resource, 'isCustom'>): ExpectedBody {
  return {
    ...scaleKind,
    schema: schemaOf('autoscaling', 'v1', 'Scale'),
    isCustom: false,
    ...(isCustom && {
      refusal: 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"',
    }),
  }
}

/** The Scale of an object, in the form of the real server. */
export function readScale(scale: ScaleProjection, object: ApiObject | StoredApiObject): ApiObject {
  return inCanonicalForm(scale.read(object))
}

function inCanonicalForm(scale: ApiObject): ApiObject {
  applyCanonicalForm(schemaOf('autoscaling', 'v1', 'Scale'), scale)
  return scale
}

/** The plan of an update of an object through its Scale: by a whole one, or by a patch of it. */
export function scalePlan(
  parts: WriteParts,
  call: WriteCall,
  scale: ScaleProjection,
  change:
    | { readonly type: 'body'; readonly body: ApiObject; readonly options: WriteOptions }
    | { readonly type: 'patch'; readonly patch: PatchRequest },
): UpdatePlan {
  const { options } = change.type === 'body' ? change : change.patch
  const optionsOf = (operation: 'CREATE' | 'UPDATE'): ApiObject =>
    optionsAs(operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', options)
  if (change.type === 'body') {
    ensureNamespace(change.body, call)
    checkName(change.body, call)
    dropRepeatedOwners(change.body, call, false)
  }
  const patcher = change.type === 'patch' ? createPatcher(call, change.patch) : undefined
  const isApply = change.type === 'patch' && change.patch.type === 'application/apply-patch+yaml'
  const place = replicasPlace(call, scale)
  return {
    createsMissing: false,
    uid: change.type === 'body' ? (change.body.metadata.uid ?? '') : '',
    options: optionsOf,
    admissionKind: scaleKind,
    admissionView: (object) => readScale(scale, object),
    async next(old) {
      if (old === undefined) throw new RangeError('a Scale never creates')
      const before = inCanonicalForm(scale.readToUpdate?.(old) ?? scale.read(old))
      setManagers(before, managersOfScale(old.metadata.managedFields, place))
      const context = scaleContext(parts, call)
      const after =
        change.type === 'body' ? deepCopy(change.body) : ((await patcher?.(before, context)) ?? before)
      inCanonicalForm(after)
      if (!isApply) await trackUpdate(before, after, context)
      ensureNamespace(after, call)
      checkName(after, call)
      await admitUpdate(parts, call, after, { old: before, options: optionsOf, kind: scaleKind })
      checkScale(call, after)
      const draft = deepCopy(old)
      scale.write(draft, after)
      // Every read of the real server does that; here, what is stored has its defaults.
      if (call.resource.isCustom) call.strategy.applyDefaults(draft)
      const version = after.metadata.resourceVersion ?? ''
      if (version !== '') draft.metadata.resourceVersion = version
      setManagers(draft, managersOfParent(old.metadata.managedFields, after.metadata.managedFields, place))
      return draft
    },
  }
}

function setManagers(object: ApiObject, entries: ReturnType<typeof managersOfScale>): void {
  if (entries === undefined) delete object.metadata.managedFields
  else object.metadata.managedFields = [...entries]
}

/** Custom resources are checked as a whole. */
function checkScale({ resource, info }: WriteCall, { spec }: ApiObject): void {
  const replicas = typeof spec === 'object' && spec !== null && 'replicas' in spec ? Number(spec.replicas) : 0
  if (resource.isCustom || replicas >= 0) return
  throw invalid({ group: scaleKind.group, resource: scaleKind.kind }, info.name, [
    invalidField('spec.replicas', replicas, 'must be greater than or equal to 0'),
  ])
}

function replicasPlace(call: WriteCall, { replicasPath }: ScaleProjection): ReplicasPlace {
  const { group, versions } = call.resource
  const known = new Set(versions.map(({ name }) => apiVersionOf({ group, version: name })))
  return {
    path: replicasPath,
    apiVersion: apiVersionFor(call),
    knowsVersion: (apiVersion) => known.has(apiVersion),
  }
}

function scaleContext(parts: WriteParts, call: WriteCall): FieldManagerContext {
  const apiVersion = apiVersionOf(scaleKind)
  return {
    ...fieldManagerContext(parts, call),
    apiVersion,
    kind: scaleKind.kind,
    schemaOf: (wanted) => (wanted === apiVersion ? schemaOf('autoscaling', 'v1', 'Scale') : undefined),
    convert: async (object) => object,
    resetFields: [],
    // The server wants to convert it as one of the custom resources, which it is not.
    ...(call.resource.isCustom && {
      unusable: `request to convert CR to an invalid group/version: ${apiVersion}`,
    }),
  }
}
