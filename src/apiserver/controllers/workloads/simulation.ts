import type { Logger } from '../../../observe/index.js'
import type { GroupResource } from '../../api-object.js'
import type { Nature, SystemClient } from '../../cluster-state.js'
import { ControlledIndex } from './controlled-index.js'
import { createCronJobController } from './cron-job-controller.js'
import { createDaemonSetController } from './daemon-set-controller.js'
import { createDeploymentController } from './deployment-controller.js'
import { createDisruptionController } from './disruption-controller.js'
import { createEndpointsController } from './endpoints-controller.js'
import { EventWriter } from './event-writer.js'
import { createJobController } from './job-controller.js'
import { createKubelet } from './kubelet.js'
import type { DecideFate } from './pod-fate.js'
import { createReplicaSetController } from './replica-set-controller.js'
import { createScheduler } from './scheduler.js'
import { simulatedNode } from './simulated-nodes.js'
import { createStatefulSetController } from './stateful-set-controller.js'
import { createVolumeController } from './volume-controller.js'
import type { RunningController, WorkloadTools } from './workload.js'

/** How the parts of a cluster that the server plays itself behave. */
export interface SimulationOptions {
  /** Simulated nodes: one unless said otherwise. */
  readonly nodes?: number
  /** From the arrival of a pod at its node to the running of its containers, in milliseconds: 0. */
  readonly podStartMs?: number
  /** How long containers run that end: 0. */
  readonly podRunMs?: number
  /** From the deletion of a pod to its end, at most its grace period: 0. */
  readonly podStopMs?: number
  /** Decides what becomes of a pod. Undefined leaves it to the annotation `kubewright.dev/fate`, else to what is usual. */
  readonly podFate?: DecideFate
}

export interface Simulation {
  /** Registers the nodes and looks at everything that is there. */
  begin(): Promise<void>
  stop(): void
}

/** What is looked up by its controller. */
const controlled: readonly GroupResource[] = [
  'pods',
  'replicasets.apps',
  'jobs.batch',
  'controllerrevisions.apps',
  'endpointslices.discovery.k8s.io',
]

/** Plays the part of kube-controller-manager (workloads), the scheduler and the kubelets. */
export function createSimulation(
  parts: { readonly system: SystemClient; readonly nature: Nature; readonly log: Logger },
  options: SimulationOptions,
): Simulation {
  const { system, nature } = parts
  const index = new ControlledIndex(system, controlled)
  const tools: WorkloadTools = { ...parts, index, events: new EventWriter(system, nature) }
  const controllers: readonly RunningController[] = [
    createDeploymentController(tools),
    createReplicaSetController(tools),
    createReplicaSetController(tools, 'ReplicationController'),
    createStatefulSetController(tools),
    createDaemonSetController(tools),
    createJobController(tools),
    createCronJobController(tools),
    createVolumeController(tools),
    createScheduler(tools),
    createKubelet(tools, {
      startMs: options.podStartMs ?? 0,
      runMs: options.podRunMs ?? 0,
      stopMs: options.podStopMs ?? 0,
      decideFate: options.podFate,
    }),
    createEndpointsController(tools),
    createDisruptionController(tools),
  ]
  // One subscription for all: each of them must find the index up to date.
  const unsubscribe = system.onChange((event) => {
    index.note(event)
    for (const controller of controllers) controller.note(event)
  })
  return {
    async begin() {
      for (const resource of controlled)
        for (const object of system.list(resource)) index.noteStored(resource, object)
      for (let node = 0; node < (options.nodes ?? 1); node++) {
        const name = `node-${node + 1}`
        if (system.get('nodes', '', name) !== undefined) continue
        const draft = simulatedNode(name, node, nature.timestamp())
        await system.create('nodes', draft)
        await system.patch('nodes', '', name, { status: draft['status'] }, 'status')
        // Every node is born with the taint of one that is not ready.
        await system.patch('nodes', '', name, { spec: { taints: null } })
      }
      for (const controller of controllers) controller.begin()
    },
    stop() {
      unsubscribe()
      for (const controller of controllers) controller.stop()
    },
  }
}
