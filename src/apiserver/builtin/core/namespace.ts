import type { Namespace } from '../../../kinds/core/v1.js'
import { labelKeyErrors } from '../../../objects/index.js'
import type { ApiObject } from '../../api-object.js'
import { draftOf, viewOf } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, invalid, invalidFor } from '../field-errors.js'
import { keepAllBut } from '../generic-strategy.js'
import type { KindRules } from '../kind-rules.js'
import { labelName } from '../name-rules.js'

const nameLabel = 'kubernetes.io/metadata.name'

export const namespaceRules: KindRules = {
  nameProblems: labelName,
  defaults(draft) {
    labelByName(draft)
    const { status } = draftOf<Namespace>(draft)
    if (status !== undefined) status.phase ??= 'Active'
  },
  prepareForCreate(draft) {
    const namespace = draftOf<Namespace>(draft)
    // The name may have been generated after the defaults were set.
    labelByName(draft)
    namespace.status = { phase: 'Active' }
    const spec = (namespace.spec ??= {})
    const finalizers = spec.finalizers ?? []
    spec.finalizers = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes']
  },
  prepareForUpdate(draft, old) {
    const spec = (draftOf<Namespace>(draft).spec ??= {})
    const { finalizers } = viewOf<Namespace>(old).spec ?? {}
    if (finalizers === undefined) delete spec.finalizers
    else spec.finalizers = [...finalizers]
  },
  validateCreate: (object) =>
    (viewOf<Namespace>(object).spec?.finalizers ?? []).flatMap((name) =>
      validateFinalizer(name, 'spec.finalizers'),
    ),
  validateUpdate: () => [],
  validateStatusUpdate(object) {
    const { metadata, status } = viewOf<Namespace>(object)
    const phase = status?.phase ?? ''
    const isDeleted = metadata?.deletionTimestamp !== undefined
    const expected = isDeleted ? 'Terminating' : 'Active'
    return phase === expected
      ? []
      : [
          invalid(
            'status.Phase',
            phase,
            `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleted ? 'not ' : ''}empty`,
          ),
        ]
  },
  // Its content holds it, as long as whoever empties it has not said that it is empty.
  isFinalized: (object) => (viewOf<Namespace>(object).spec?.finalizers ?? []).length === 0,
  beginDeletion(draft) {
    const namespace = draftOf<Namespace>(draft)
    namespace.status = { ...namespace.status, phase: 'Terminating' }
  },
  selectableFields: { 'status.phase': (object) => viewOf<Namespace>(object).status?.phase ?? '' },
  subresources: (_options, strategy) => ({
    finalize: {
      type: 'part',
      verbs: ['update'],
      strategy: {
        ...strategy,
        prepareForUpdate: (draft, old) => keepAllBut(draft, old, new Set(['spec'])),
        validateUpdate: (object) =>
          validateEach(viewOf<Namespace>(object).spec?.finalizers, 'spec.finalizers', validateFinalizer),
        resetFields: [['status']],
      },
    },
  }),
}

function labelByName({ metadata }: ApiObject): void {
  if ((metadata.name ?? '') !== '') metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name ?? '' }
}

function validateFinalizer(name: string, path: string): FieldError[] {
  const isStandard = ['kubernetes', 'orphan', 'foregroundDeletion'].includes(name)
  return [
    ...invalidFor(path, name, labelKeyErrors(name)),
    ...(name.includes('/') || isStandard
      ? []
      : [invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified')]),
  ]
}
