/**
 * What Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs have in common: a selector and a template.
 *
 * @module
 */
import type { PodTemplateSpec } from '../../kinds/core/v1.js'
import type { LabelSelector } from '../../kinds/meta/v1.js'
import {
  type LabelRequirement,
  LabelSelectorError,
  matchesLabels,
  parseLabelSelector,
} from '../../objects/index.js'
import type { View } from './draft.js'
import { type FieldError, forbidden, invalid, invalidAs, notSupported, required } from './field-errors.js'
import { validateLabelSelector } from './label-selector-rules.js'
import { validatePodTemplate } from './pod/pod-template.js'
import { shownSelector } from './shown-selector.js'
import { isAbsent, validateImmutable } from './value-rules.js'

type Selector = View<LabelSelector> | null | undefined
type Template = View<PodTemplateSpec>

/** The terms of a selector; nothing when it is none that could be used. An absent one is no term: ask before. */
export function selectorTerms(selector: Selector): readonly LabelRequirement[] | undefined {
  try {
    // A view is the same data with fewer promises; what is wrong with it is thrown.
    return parseLabelSelector((selector ?? {}) as Parameters<typeof parseLabelSelector>[0])
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined
    throw error
  }
}

function isEmptySelector({ matchLabels, matchExpressions }: View<LabelSelector>): boolean {
  return Object.keys(matchLabels ?? {}).length + (matchExpressions ?? []).length === 0
}

/** A selector that must be there and select something. `kind` is the word of the message. */
export function validateRequiredSelector(selector: Selector, kind: string, path: string): FieldError[] {
  if (isAbsent(selector)) return [required(path)]
  return [...validateLabelSelector(selector, path), ...validateNotEmpty(selector, kind, path)]
}

/** For selectors that may be absent. */
export function validateNotEmpty(selector: Selector, kind: string, path: string): FieldError[] {
  if (isAbsent(selector) || !isEmptySelector(selector)) return []
  return [invalidAs(path, shownSelector(selector), `empty selector is invalid for ${kind}`)]
}

/** The pods of a template must be selected. An absent selector selects none, an empty one is reported elsewhere. */
export function validateSelected(selector: Selector, template: Template, path: string): FieldError[] {
  if (!isAbsent(selector)) {
    if (isEmptySelector(selector)) return []
    const terms = selectorTerms(selector)
    if (terms === undefined || matchesLabels(terms, labelsOf(template))) return []
  }
  return [
    invalid(
      `${path}.metadata.labels`,
      template.metadata?.labels ?? null,
      '`selector` does not match template `labels`',
    ),
  ]
}

function labelsOf(template: Template): Readonly<Record<string, string>> {
  // A view allows for undefined members, which decoded data does not have.
  return (template.metadata?.labels ?? {}) as Readonly<Record<string, string>>
}

/** The selector is set once and for all. */
export function validateSameSelector(selector: Selector, old: Selector): FieldError[] {
  return validateImmutable(selector, old, 'spec.selector').length === 0
    ? []
    : [invalidAs('spec.selector', shownSelector(selector), 'field is immutable')]
}

/** The template of pods that run for ever. */
export function validateServiceTemplate(template: Template, path: string): FieldError[] {
  return [...validatePodTemplate(template, path), ...validateRunsForEver(template, 'ReplicaSet', path)]
}

/** What the pods of everything but a Job may not say. */
export function validateRunsForEver(template: Template, kind: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {}
  if (restartPolicy !== 'Always')
    errors.push(notSupported(`${path}.spec.restartPolicy`, restartPolicy ?? '', ['Always']))
  if (!isAbsent(activeDeadlineSeconds))
    errors.push(
      forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`),
    )
  return errors
}
