import { type DeepReadonly, parseUtcTime } from '../../base/index.js'
import type { Container } from '../../kinds/core/v1.js'
import type { LabelSelector } from '../../kinds/meta/v1.js'
import { formatLabelSelector, LabelSelectorError } from '../../objects/index.js'
import type { StoredApiObject } from '../api-object.js'
import { humanDuration } from './human-duration.js'

/** How the objects of one kind become the cells of a row; `now` is in milliseconds since 1970. */
export type Cells<T = StoredApiObject> = (object: DeepReadonly<T>, now: number) => readonly unknown[]

interface WithMetadata {
  readonly metadata: { readonly name?: string | undefined; readonly creationTimestamp?: string | undefined }
}

/** How long ago a time was, `<unknown>` without one. */
export function since(time: string | undefined, now: number): string {
  const at = time === undefined ? undefined : parseUtcTime(time)
  return at === undefined ? '<unknown>' : humanDuration(now - at)
}

/** How long the object has been there. */
export function ageOf(object: WithMetadata, now: number): string {
  return since(object.metadata.creationTimestamp, now)
}

/** An object may have been given only a generateName when it is shown by a dry run. */
export function nameOf(object: WithMetadata): string {
  return object.metadata.name ?? ''
}

/** The names and the images of containers, one cell each. */
export function containerCells(containers: DeepReadonly<Container[]> | undefined): [string, string] {
  const all = containers ?? []
  return [all.map(({ name }) => name).join(','), all.map(({ image }) => image ?? '').join(',')]
}

/** `a=b,c=d` in the order of keys. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(labels ?? {}).toSorted(([left], [right]) => compareTexts(left, right))
  return entries.length === 0 ? '<none>' : entries.map(([key, value]) => `${key}=${value}`).join(',')
}

/** The written form of a selector; `ifInvalid` when the server could not have parsed it. */
export function selectorText(selector: DeepReadonly<LabelSelector> | undefined, ifInvalid: string): string {
  if (selector === undefined) return ''
  try {
    // The operators of a stored selector are texts to the type checker; formatting refuses the unknown ones.
    return formatLabelSelector(selector as Parameters<typeof formatLabelSelector>[0])
  } catch (error) {
    if (error instanceof LabelSelectorError) return ifInvalid
    throw error
  }
}

/** As {@link selectorText}, with words for an empty and for an invalid one. */
export function selectorCell(selector: DeepReadonly<LabelSelector> | undefined): string {
  return selectorText(selector, '<error>') || '<none>'
}

/** The first of the values, and how many were left out. */
export function shortList(values: readonly string[], max: number): string {
  const shown = values.slice(0, max).join(',')
  return values.length > max ? `${shown} + ${values.length - max} more...` : shown
}

/** By code unit, as the server sorts names, which are ASCII. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
