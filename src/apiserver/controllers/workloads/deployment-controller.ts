import { type DeepReadonly, deepEqual } from '../../../base/index.js'
import type { Deployment, ReplicaSet } from '../../../kinds/apps/v1.js'
import type { ApiObject } from '../../api-object.js'
import { byCreation, limitsOf, type Plan, planRollout, planScaling, size } from './deployment-plan.js'
import { deploymentStatus, isComplete } from './deployment-status.js'
import { templateHash } from './pod-template.js'
import {
  controllerKeys,
  controllerReference,
  createRunningController,
  isUncontrolled,
  keyOf,
  type RunningController,
  readAs,
  selects,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredDeployment = DeepReadonly<Deployment>
type StoredSet = DeepReadonly<ReplicaSet>

const component = 'deployment-controller'
const hashLabel = 'pod-template-hash'
const annotation = {
  revision: 'deployment.kubernetes.io/revision',
  history: 'deployment.kubernetes.io/revision-history',
  desired: 'deployment.kubernetes.io/desired-replicas',
  max: 'deployment.kubernetes.io/max-replicas',
} as const
// The deployment's own bookkeeping, and that of its clients, is not handed down to its sets.
const notInherited: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  ...Object.values(annotation),
])

/** Rolls the template of each Deployment out, from one ReplicaSet to the next. */
export function createDeploymentController(tools: WorkloadTools): RunningController {
  const { system, index, events, nature } = tools

  async function setsOf(deployment: StoredDeployment): Promise<StoredSet[]> {
    const { namespace, uid } = deployment.metadata
    const sets = index.controlledBy(uid, 'replicasets.apps').map((object) => readAs<ReplicaSet>(object))
    // One that goes takes nobody in: it may just have let them go.
    const strangers =
      deployment.metadata.deletionTimestamp === undefined
        ? index.uncontrolled(namespace, 'replicasets.apps')
        : []
    for (const object of strangers) {
      const { metadata } = object
      if (metadata.deletionTimestamp !== undefined || !selects(deployment.spec?.selector, metadata.labels))
        continue
      const ownerReferences = [...(metadata.ownerReferences ?? []), controllerReference(deployment)]
      const adopted = await system.patch('replicasets.apps', namespace, metadata.name ?? '', {
        metadata: { uid: metadata.uid, ownerReferences },
      })
      sets.push(readAs<ReplicaSet>(adopted))
    }
    return sets.toSorted(byCreation)
  }

  async function createSet(deployment: StoredDeployment, old: readonly StoredSet[]): Promise<StoredSet> {
    const template = deployment.spec?.template ?? {}
    const hash = templateHash(template, deployment.status?.collisionCount ?? 0)
    const labels = { ...template.metadata?.labels, [hashLabel]: hash }
    const { namespace, name } = deployment.metadata
    const draft: ApiObject = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: annotationsFor(deployment, {}, String(lastRevision(old) + 1n)),
        // The reference was made for this very form.
        ownerReferences: [controllerReference(deployment)] as NonNullable<
          ApiObject['metadata']['ownerReferences']
        >,
      },
      spec: {
        replicas: 0,
        ...(deployment.spec?.minReadySeconds !== undefined && {
          minReadySeconds: deployment.spec.minReadySeconds,
        }),
        selector: {
          ...structuredClone(deployment.spec?.selector),
          matchLabels: { ...deployment.spec?.selector.matchLabels, [hashLabel]: hash },
        },
        template: {
          ...structuredClone(template),
          metadata: { ...structuredClone(template.metadata), labels },
        },
      },
    }
    return readAs<ReplicaSet>(await system.create('replicasets.apps', draft))
  }

  /** Its annotations follow the deployment, and its revision is the newest. */
  async function bringUpToDate(
    deployment: StoredDeployment,
    current: StoredSet,
    old: readonly StoredSet[],
  ): Promise<StoredSet> {
    const own = revisionOf(current)
    const next = lastRevision(old) + 1n
    const revision = own > next ? own : next
    const annotations = annotationsFor(deployment, current.metadata.annotations ?? {}, String(revision))
    if (own !== revision && own !== 0n) {
      const history = current.metadata.annotations?.[annotation.history]
      annotations[annotation.history] = history === undefined ? String(own) : `${history},${own}`
    }
    return setAnnotations(current, annotations)
  }

  async function setAnnotations(set: StoredSet, annotations: Record<string, string>): Promise<StoredSet> {
    const { namespace, name, uid, annotations: before = {} } = set.metadata
    if (deepEqual(before, annotations)) return set
    return readAs<ReplicaSet>(
      await system.patch('replicasets.apps', namespace, name, { metadata: { uid, annotations } }),
    )
  }

  function annotationsFor(
    deployment: StoredDeployment,
    before: Readonly<Record<string, string>>,
    revision: string,
  ): Record<string, string> {
    const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(
      ([key]) => !notInherited.has(key),
    )
    const replicas = deployment.spec?.replicas ?? 1
    return {
      ...before,
      ...Object.fromEntries(inherited),
      [annotation.desired]: String(replicas),
      [annotation.max]: String(replicas + limitsOf(deployment).maxSurge),
      [annotation.revision]: revision,
    }
  }

  async function carryOut(deployment: StoredDeployment, plan: Plan): Promise<void> {
    for (const [set, replicas] of plan) {
      const { namespace, name, uid } = set.metadata
      const desired = String(deployment.spec?.replicas ?? 1)
      await system.patch('replicasets.apps', namespace, name, {
        metadata: { uid, annotations: { [annotation.desired]: desired } },
        spec: { replicas },
      })
      const direction = replicas > size(set) ? 'up' : 'down'
      await events.write(deployment, {
        component,
        type: 'Normal',
        reason: 'ScalingReplicaSet',
        message: `Scaled ${direction} replica set ${name} from ${size(set)} to ${replicas}`,
      })
    }
  }

  async function cleanUp(deployment: StoredDeployment, old: readonly StoredSet[]): Promise<void> {
    const limit = deployment.spec?.revisionHistoryLimit ?? 10
    const done = old.filter(
      (set) =>
        size(set) === 0 &&
        (set.status?.replicas ?? 0) === 0 &&
        set.metadata.deletionTimestamp === undefined &&
        (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0),
    )
    for (const { metadata } of done.slice(0, Math.max(0, done.length - limit)))
      await system.delete('replicasets.apps', metadata.namespace, metadata.name, { uid: metadata.uid })
  }

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const deployment = readAs<Deployment>(system.get('deployments.apps', namespace, name))
    if (deployment === undefined) return undefined
    const sets = await setsOf(deployment)
    let current = sets.find((set) => isOfTemplate(set, deployment))
    const old = sets.filter((set) => set !== current)
    if (deployment.metadata.deletionTimestamp === undefined && deployment.spec?.paused !== true) {
      current =
        current === undefined
          ? await createSet(deployment, old)
          : await bringUpToDate(deployment, current, old)
      await copyRevision(deployment, current)
      const isScaling = sets.some((set) => {
        const desired = set.metadata.annotations?.[annotation.desired]
        // A set that was taken in has never been told a number: that is no change of it.
        return size(set) > 0 && desired !== undefined && desired !== String(deployment.spec?.replicas ?? 1)
      })
      const plan =
        isScaling && old.some((set) => size(set) > 0)
          ? planScaling(deployment, [current, ...old])
          : planRollout(deployment, { current, old })
      await carryOut(deployment, plan)
    } else if (deployment.metadata.deletionTimestamp === undefined) {
      await carryOut(deployment, planScaling(deployment, current === undefined ? old : [current, ...old]))
    }
    const now = await setsOf(deployment)
    const newest = now.find((set) => set.metadata.uid === current?.metadata.uid)
    const { status, againMs } = deploymentStatus(deployment, { current: newest, all: now, nature })
    if (isComplete(deployment, status))
      await cleanUp(
        deployment,
        now.filter((set) => set !== newest),
      )
    await writeStatus(tools, 'deployments.apps', deployment, status)
    return againMs
  }

  async function copyRevision(deployment: StoredDeployment, current: StoredSet): Promise<void> {
    const revision = current.metadata.annotations?.[annotation.revision]
    const { namespace, name, uid, annotations } = deployment.metadata
    if (revision === undefined || annotations?.[annotation.revision] === revision) return
    // Through the status: the annotation is bookkeeping, and no new generation.
    await system.patch(
      'deployments.apps',
      namespace,
      name,
      { metadata: { uid, annotations: { [annotation.revision]: revision } } },
      'status',
    )
  }

  return createRunningController(tools, {
    name: 'The Deployment controller',
    resource: 'deployments.apps',
    *related(event) {
      if (event.resource !== 'replicasets.apps') return
      yield* controllerKeys(event, 'Deployment')
      if (!isUncontrolled(event)) return
      const { metadata } = event.current.object
      // One that nobody owns may fit a deployment of its namespace.
      for (const object of system.list('deployments.apps', metadata.namespace))
        if (selects(readAs<Deployment>(object).spec?.selector, metadata.labels)) yield keyOf(object)
    },
    sync,
  })

  function lastRevision(sets: readonly StoredSet[]): bigint {
    return sets.map(revisionOf).reduce((last, each) => (each > last ? each : last), 0n)
  }

  /** Revisions have 64 bits, and a set that is taken in may have any. */
  function revisionOf({ metadata }: StoredSet): bigint {
    const text = metadata.annotations?.[annotation.revision] ?? ''
    return /^\d{1,19}$/.test(text) ? BigInt(text) : 0n
  }

  /** Whether a set was made from the template as it is now. The hash is a label that only the set has. */
  function isOfTemplate(set: StoredSet, deployment: StoredDeployment): boolean {
    const template = set.spec?.template
    const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {}
    const wanted = deployment.spec?.template
    const { labels: wantedLabels = {}, ...wantedMetadata } = wanted?.metadata ?? {}
    const { labels: _labels, ...metadata } = template?.metadata ?? {}
    return (
      deepEqual(labels, wantedLabels) &&
      deepEqual(metadata, wantedMetadata) &&
      deepEqual(template?.spec, wanted?.spec)
    )
  }
}
