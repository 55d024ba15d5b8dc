import type { LabelSelector } from '../../kinds/meta/v1.js'
import { goJson } from '../../schema/internal.js'
import type { View } from './draft.js'
import { isAbsent } from './value-rules.js'

/** A selector as it stands in messages: labels before expressions, which the order of keys would not give. */
export function shownSelector(selector: View<LabelSelector> | null | undefined): string {
  if (isAbsent(selector)) return 'null'
  const { matchLabels, matchExpressions } = selector
  const parts = [
    ...(isAbsent(matchLabels) ? [] : [`"matchLabels":${goJson(matchLabels)}`]),
    ...(isAbsent(matchExpressions) ? [] : [`"matchExpressions":${goJson(matchExpressions)}`]),
  ]
  return `{${parts.join(',')}}`
}
