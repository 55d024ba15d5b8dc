import type { Binding, Pod } from '../../../kinds/core/v1.js'
import { formatFieldErrors } from '../../../schema/index.js'
import { ApiFailure, badRequest, conflict } from '../../failure.js'
import type { Answer, Call, Handler } from '../../resource.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, notSupported, required } from '../field-errors.js'
import type { BuiltinOptions } from '../kind-rules.js'
import { setPodCondition } from '../pod/pod-conditions.js'

/** Binds a pod to a node: what a scheduler does. `pods/binding`, and `bindings` where the body alone names the pod. */
export function createBindingHandler({ writer }: BuiltinOptions): Handler {
  return async (call): Promise<Answer> => {
    if (writer === undefined || call.body === undefined) throw badRequest('not a Binding object')
    const binding = viewOf<Binding>(call.body)
    const name = binding.metadata?.name ?? ''
    if (call.info.subresource !== '' && name !== call.info.name)
      throw badRequest('name in URL does not match name in Binding object')
    const errors = bindingErrors(binding)
    // The real server forgets to say what it is: a plain error is an internal one.
    if (errors.length > 0) throw new ApiFailure({ code: 500, reason: '', message: formatFieldErrors(errors) })
    const { namespace } = call.info
    const { user, isDryRun } = call
    await writer.change({ resource: 'pods', namespace, name, user, isDryRun }, (draft) => {
      checkPreconditions(binding, viewOf<Pod>(draft), name)
      bind(draftOf<Pod>(draft), binding, call)
    })
    return { object: success() }
  }
}

/** The answer to something that was done. */
export function success(): {
  apiVersion: string
  kind: string
  metadata: object
  status: string
  code: number
} {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
}

function bindingErrors({ target }: View<Binding>): FieldError[] {
  const kind = target?.kind ?? ''
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...((target?.name ?? '') === '' ? [required('target.name')] : []),
  ]
}

const subject = { group: '', resource: 'pods/binding' }

function checkPreconditions({ metadata }: View<Binding>, pod: View<Pod>, name: string): void {
  const uid = metadata?.uid ?? ''
  const version = metadata?.resourceVersion ?? ''
  const key = `/registry/pods/${pod.metadata?.namespace ?? ''}/${name}`
  const mismatch = (what: string, expected: string, found: string): ApiFailure =>
    conflict(
      { group: '', resource: 'pods' },
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${expected}, ${what} in object meta: ${found}`,
    )
  if (uid !== '' && uid !== pod.metadata?.uid) throw mismatch('UID', uid, pod.metadata?.uid ?? '')
  if (version !== '' && version !== pod.metadata?.resourceVersion)
    throw mismatch('ResourceVersion', version, pod.metadata?.resourceVersion ?? '')
}

function bind(pod: ReturnType<typeof draftOf<Pod>>, binding: View<Binding>, call: Call): void {
  const name = pod.metadata?.name ?? ''
  const spec = (pod.spec ??= {})
  if (pod.metadata?.deletionTimestamp !== undefined)
    throw conflict(subject, name, `pod ${name} is being deleted, cannot be assigned to a host`)
  if ((spec.nodeName ?? '') !== '')
    throw conflict(subject, name, `pod ${name} is already assigned to node "${spec.nodeName ?? ''}"`)
  if ((spec.schedulingGates ?? []).length > 0)
    throw conflict(subject, name, `pod ${name} has non-empty .spec.schedulingGates`)
  spec.nodeName = binding.target?.name ?? ''
  const status = (pod.status ??= {})
  delete status.nominatedNodeName
  const metadata = (pod.metadata ??= {})
  for (const field of ['annotations', 'labels'] as const) {
    const given = binding.metadata?.[field]
    if (given !== undefined && Object.keys(given).length > 0)
      metadata[field] = { ...metadata[field], ...given }
  }
  setPodCondition(status, { type: 'PodScheduled', status: 'True' }, call.nature.timestamp())
}
