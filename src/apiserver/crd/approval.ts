import type { FieldError } from '../../schema/index.js'
import { goQuote, invalid, required } from '../../schema/internal.js'
import type { Crd } from './definition.js'

/** Names in these groups belong to the Kubernetes community: whoever uses one must say who has approved it. */
export const approvalAnnotation = 'api-approved.kubernetes.io'

/** Whether a CRD was approved, and the sentence that says so. */
export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'missing' | 'invalid'
  readonly reason: string
}

const proposal = 'see https://github.com/kubernetes/enhancements/pull/1111'

export function isProtectedGroup(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)
}

export function approvalOf(crd: Crd): Approval {
  const text = annotationOf(crd)
  if (text === '')
    return {
      state: 'missing',
      reason: `protected groups must have approval annotation ${goQuote(approvalAnnotation)}, ${proposal}`,
    }
  if (text.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(text)}` }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/.test(text))
    return { state: 'approved', reason: `approved in ${text}` }
  return {
    state: 'invalid',
    reason: `protected groups must have approval annotation ${goQuote(approvalAnnotation)} with either a URL or a reason starting with "unapproved", ${proposal}`,
  }
}

function annotationOf({ metadata }: Crd): string {
  const { annotations = {} } = metadata
  return Object.hasOwn(annotations, approvalAnnotation) ? (annotations[approvalAnnotation] ?? '') : ''
}

/** What stands against a CRD in a protected group. What was there before is left in peace. */
export function approvalErrors(crd: Crd, old: Crd | undefined): FieldError[] {
  if (!isProtectedGroup(crd.spec.group)) return []
  const { state, reason } = approvalOf(crd)
  if (state === 'approved' || state === 'bypassed') return []
  if (old !== undefined && approvalOf(old).state === state) return []
  const path = `metadata.annotations[${approvalAnnotation}]`
  return [state === 'missing' ? required(path, reason) : invalid(path, annotationOf(crd), reason)]
}
