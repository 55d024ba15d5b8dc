import type { Client } from '../../client/index.js'
import { isNotFound } from '../../objects/index.js'
import type { ClusterUser } from '../cluster.js'
import { ControlPlaneStartError } from '../cluster-errors.js'
import type { Component } from './component.js'
import type { ControlPlaneSettings } from './control-plane-options.js'
import { describeEnd, type FailureWatch } from './failure-watch.js'
import { areNodesReady, createNodes } from './fake-nodes.js'
import { controllerManagerArguments, kwokArguments, schedulerArguments } from './program-arguments.js'
import { logFileOf, readLogTails } from './program-logs.js'
import type { Supervisor } from './supervisor.js'
import { waitUntil } from './wait-until.js'

export interface WorkloadPrograms {
  readonly settings: ControlPlaneSettings
  readonly supervisor: Supervisor
  readonly failures: FailureWatch
  readonly binaries: Readonly<Record<Component, string>>
  readonly client: Client
  /** Writes the kubeconfig that a component reads. */
  writeKubeconfig(component: Component, user: ClusterUser): Promise<unknown>
}

interface Workload {
  readonly component: Component
  readonly user: ClusterUser
  readonly args: readonly string[]
}

const controllerManager: Workload = {
  component: 'kube-controller-manager',
  user: { name: 'system:kube-controller-manager' },
  args: controllerManagerArguments,
}
const scheduler: Workload = {
  component: 'kube-scheduler',
  user: { name: 'system:kube-scheduler' },
  args: schedulerArguments,
}
const kwok: Workload = {
  component: 'kwok',
  user: { name: 'kwok', groups: ['system:masters'] },
  args: kwokArguments,
}

/** Starts what turns objects into running pods, and resolves when it does. */
export async function startWorkloadPrograms(programs: WorkloadPrograms): Promise<void> {
  const { settings, supervisor, client } = programs
  const { components, nodes, clock, signal } = settings
  const workloads = [
    ...(components.includes('kube-controller-manager') ? [controllerManager] : []),
    ...(components.includes('kube-scheduler') ? [scheduler] : []),
    ...(nodes > 0 ? [kwok] : []),
  ]
  const ended: string[] = []
  for (const workload of workloads) await startOne(programs, workload, ended)
  await createNodes(client, nodes, signal)

  const fail = async (problem: string): Promise<never> => {
    throw new ControlPlaneStartError(problem, await readLogTails(supervisor.folder))
  }
  const waiting = {
    clock,
    deadlineMs: clock.monotonic() + settings.startTimeoutMs,
    ...(signal === undefined ? {} : { signal }),
  }
  const isReady = await waitUntil(waiting, async () => {
    if (ended.length > 0) await fail(ended.join(' and '))
    if (workloads.includes(controllerManager) && !(await hasDefaultServiceAccount(client, signal)))
      return false
    return nodes === 0 || (await areNodesReady(client, nodes, signal))
  })
  if (!isReady) await fail(`the nodes were not ready within ${settings.startTimeoutMs / 1000} s`)
}

async function startOne(programs: WorkloadPrograms, workload: Workload, ended: string[]): Promise<void> {
  const { component, user, args } = workload
  programs.settings.onProgress({ kind: 'starting', component })
  await programs.writeKubeconfig(component, user)
  const program = await programs.supervisor.start({
    file: programs.binaries[component],
    args,
    log: logFileOf(component),
  })
  programs.failures.add(component, program)
  void program.ended.then((end) => ended.push(`${component} ended ${describeEnd(end)}`))
}

/** The controller manager makes it: until then no pod can be created. */
async function hasDefaultServiceAccount(client: Client, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const response = await client.request({
      method: 'GET',
      path: '/api/v1/namespaces/default/serviceaccounts/default',
      ...(signal === undefined ? {} : { signal }),
    })
    for await (const _ of response.body) continue
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
