import { deepEqual } from '../base/index.js'
import type { CachedObject } from '../cache/index.js'
import type { KubeObject } from '../objects/index.js'

/** An event as a predicate sees it. Metadata is cheap to read; `.object` parses the whole. */
export type ObjectEvent<T extends KubeObject> =
  | { readonly type: 'add'; readonly object: CachedObject<T> }
  | { readonly type: 'update'; readonly old: CachedObject<T>; readonly object: CachedObject<T> }
  | { readonly type: 'delete'; readonly object: CachedObject<T> }

/** Whether an event is worth a run. One that throws lets the event through: a run too many is better than one too few. */
export type Predicate<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => boolean

/** Updates only when the spec changed: `metadata.generation` counts changes of everything but metadata and status. */
export function generationChanged<T extends KubeObject>(): Predicate<T> {
  return onUpdate((old, current) => old.metadata.generation !== current.metadata.generation)
}

/** Updates only when something changed at all: no resync, no echo of a new list. */
export function resourceVersionChanged<T extends KubeObject>(): Predicate<T> {
  return onUpdate((old, current) => old.resourceVersion !== current.resourceVersion)
}

export function labelsChanged<T extends KubeObject>(): Predicate<T> {
  return onUpdate((old, current) => !deepEqual(old.labels, current.labels))
}

export function annotationsChanged<T extends KubeObject>(): Predicate<T> {
  return onUpdate((old, current) => !deepEqual(old.metadata.annotations, current.metadata.annotations))
}

/** Let an event through when all of them do. */
export function allOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event))
}

/** Let an event through when one of them does. */
export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event))
}

export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event)
}

function onUpdate<T extends KubeObject>(
  changed: (old: CachedObject<T>, current: CachedObject<T>) => boolean,
): Predicate<T> {
  return (event) => event.type !== 'update' || changed(event.old, event.object)
}
