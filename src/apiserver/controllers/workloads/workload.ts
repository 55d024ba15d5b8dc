import { type DeepReadonly, deepEqual, parseUtcTime } from '../../../base/index.js'
import type { LabelSelector } from '../../../kinds/meta/v1.js'
import {
  matchesLabels,
  parseLabelSelector,
  type LabelSelector as SelectorInput,
} from '../../../objects/index.js'
import type { Logger } from '../../../observe/index.js'
import type { ApiObject, GroupResource, StoredApiObject } from '../../api-object.js'
import type { Nature, SystemClient } from '../../cluster-state.js'
import { ApiFailure } from '../../failure.js'
import type { StoreEvent } from '../../store/store.js'
import { WorkQueue } from '../work-queue.js'
import type { ControlledIndex } from './controlled-index.js'
import type { EventWriter } from './event-writer.js'

/** What all controllers of workloads work with. */
export interface WorkloadTools {
  readonly system: SystemClient
  readonly nature: Nature
  readonly log: Logger
  readonly index: ControlledIndex
  readonly events: EventWriter
}

/** A controller that runs. */
export interface RunningController {
  /** Looks at everything that is there. To be called once, at the start. */
  begin(): void
  note(event: StoreEvent): void
  stop(): void
}

export interface KeyedController {
  readonly name: string
  /** Whose objects it brings into order. */
  readonly resource: GroupResource
  /** Keys (`namespace/name`) of what else has to be looked at after a change. */
  related?(event: StoreEvent): Iterable<string>
  /** Returns the milliseconds after which it wants to look again, if time alone will change something. */
  sync(namespace: string, name: string): Promise<number | undefined>
}

/** Runs a controller whose work is one object at a time. */
export function createRunningController(
  { system, nature, log }: WorkloadTools,
  controller: KeyedController,
): RunningController {
  const queue = new WorkQueue({
    name: controller.name,
    nature,
    log,
    async work(key) {
      const slash = key.indexOf('/')
      try {
        const againMs = await controller.sync(key.slice(0, Math.max(0, slash)), key.slice(slash + 1))
        if (againMs !== undefined) queue.addAfter(key, againMs)
      } catch (error) {
        // It has gone, or its namespace is going.
        if (!(error instanceof ApiFailure && [403, 404].includes(error.status.code))) throw error
      }
    },
  })
  return {
    begin: () => {
      for (const object of system.list(controller.resource)) queue.add(keyOf(object))
    },
    note: (event) => {
      if (event.resource === controller.resource) queue.add(event.key)
      for (const key of controller.related?.(event) ?? []) queue.add(key)
    },
    stop: () => queue.stop(),
  }
}

export function keyOf({ metadata }: DeepReadonly<{ metadata: ApiObject['metadata'] }>): string {
  const { namespace = '', name = '' } = metadata
  return namespace === '' ? name : `${namespace}/${name}`
}

/** An object of a built-in kind, whose shape its strategy has checked before it was stored. */
export function readAs<T>(object: StoredApiObject): DeepReadonly<T>
export function readAs<T>(object: StoredApiObject | undefined): DeepReadonly<T> | undefined
export function readAs<T>(object: StoredApiObject | undefined): DeepReadonly<T> | undefined {
  return object as DeepReadonly<T> | undefined
}

/** The keys of the controllers of a kind that own an object, before or after a change. */
export function* controllerKeys(event: StoreEvent, kind: string): Iterable<string> {
  for (const state of [event.previous, event.current]) {
    const metadata = state?.object.metadata
    const owner = metadata?.ownerReferences?.find((each) => each.controller === true && each.kind === kind)
    if (owner !== undefined) yield `${metadata?.namespace ?? ''}/${owner.name}`
  }
}

export function controllerReference(owner: DeepReadonly<Owner>): object {
  const { apiVersion, kind, metadata } = owner
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

export interface Owner {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; uid: string }
}

/** Whether a selector of a stored object, whose operators its strategy has checked, selects these labels. */
export function selects(
  selector: DeepReadonly<LabelSelector> | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return selector !== undefined && matchesLabels(parseLabelSelector(selector as SelectorInput), labels ?? {})
}

/** Writes the status of an object, unless it is so already. */
export async function writeStatus(
  { system }: WorkloadTools,
  resource: GroupResource,
  object: DeepReadonly<{ metadata: ApiObject['metadata']; status?: unknown }>,
  status: object,
): Promise<void> {
  const { namespace = '', name = '', uid } = object.metadata
  const current = system.get(resource, namespace, name)
  if (current === undefined || current.metadata.uid !== uid || deepEqual(current['status'] ?? {}, status))
    return
  await system.update(resource, { ...(current as ApiObject), status }, 'status')
}

/** A field with a number, or nothing for zero: how the API writes numbers that need not be there. */
export function countField<K extends string>(field: K, count: number): { [P in K]?: number } {
  return count === 0 ? {} : ({ [field]: count } as { [P in K]: number })
}

/** Whether it may be taken in by a controller that it fits: it is there, and nobody controls it. */
export function isUncontrolled({ type, current }: StoreEvent): boolean {
  const { ownerReferences } = current.object.metadata
  return type !== 'deleted' && ownerReferences?.some(({ controller }) => controller === true) !== true
}

/** The first of some times to wait; nothing where there is none, or it is over. */
export function soonestMs(waits: readonly (number | undefined)[]): number | undefined {
  const positive = waits.filter((wait) => wait !== undefined).filter((wait) => wait > 0)
  return positive.length === 0 ? undefined : Math.min(...positive)
}

/** The time that a stored object names, in milliseconds; NaN when it names none. */
export function timeMs(text: string | null | undefined): number {
  return text === undefined || text === null ? Number.NaN : (parseUtcTime(text) ?? Number.NaN)
}
