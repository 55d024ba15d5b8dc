import type { SharedCache } from '../../src/cache/index.js'
import type { Client } from '../../src/client/index.js'
import {
  type Controller,
  type ControllerDefinition,
  type ControllerEnvironment,
  createController,
  type RunRecord,
} from '../../src/controller/index.js'
import type { ApiServer } from './api-server.js'
import type { Rig, RunningWork } from './rig.js'

/** A controller at work, with its cache, and everything that happened in it. */
export interface ControlledWidgets extends RunningWork {
  readonly controller: Controller
  readonly cache: SharedCache
  readonly runs: RunRecord[]
  /** How many runs have ended. */
  count(name?: string): number
}

/** Cache and controller, in the order in which a manager stops them: the controller first. */
export function control(
  rig: Rig,
  definition: ControllerDefinition,
  overrides: Partial<ControllerEnvironment> & { readonly client?: Client; readonly resyncMs?: number } = {},
): ControlledWidgets {
  const { client = rig.client, resyncMs, ...environment } = overrides
  const { clock, log } = rig
  const { cache } = rig.startCache({ client, ...(resyncMs !== undefined && { resyncMs }) })
  const runs: RunRecord[] = []
  const controller = createController(definition, {
    client,
    cache,
    events: { normal: () => {}, warning: () => {} },
    log,
    clock,
    onRun: (run) => runs.push(run),
    ...environment,
  })
  const running = rig.start((signal) => controller.run(signal))
  return {
    ...running,
    controller,
    cache,
    runs,
    count: (name) => runs.filter(({ key }) => name === undefined || key === `default/${name}`).length,
  }
}

/** Invariant (iii): fails when two runs of one object overlap. Wrap a reconcile in it. */
export function exclusively<A extends { metadata: { name: string } }, B extends unknown[], R>(
  reconcile: (object: A, ...rest: B) => Promise<R> | R,
): (object: A, ...rest: B) => Promise<R> {
  const running = new Set<string>()
  return async (object, ...rest) => {
    const { name } = object.metadata
    if (running.has(name)) throw new Error(`Two runs of ${name} at once.`)
    running.add(name)
    try {
      return await reconcile(object, ...rest)
    } finally {
      running.delete(name)
    }
  }
}

/** A promise and its handle. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export function createGate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

export function addWidgets(server: ApiServer, names: Iterable<string>): void {
  for (const name of names) server.store.create('widgets', { metadata: { name }, spec: { size: 1 } })
}

export function resize(server: ApiServer, name: string, size: number): void {
  server.store.edit('widgets', `default/${name}`, (widget) => {
    widget['spec'] = { size }
  })
}
