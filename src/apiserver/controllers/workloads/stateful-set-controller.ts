import { type DeepReadonly, deepEqual } from '../../../base/index.js'
import type { ControllerRevision, StatefulSet } from '../../../kinds/apps/v1.js'
import type { Pod } from '../../../kinds/core/v1.js'
import type { ApiObject } from '../../api-object.js'
import { ApiFailure } from '../../failure.js'
import {
  hasEnded,
  isActive,
  isAvailable,
  isReady,
  nextAvailableMs,
  podOf,
  templateHash,
} from './pod-template.js'
import {
  controllerKeys,
  controllerReference,
  countField,
  createRunningController,
  type RunningController,
  readAs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type StoredSet = DeepReadonly<StatefulSet>
type StoredPod = DeepReadonly<Pod>

const component = 'statefulset-controller'
const revisionLabel = 'controller-revision-hash'
const podNameLabel = 'statefulset.kubernetes.io/pod-name'
const podIndexLabel = 'apps.kubernetes.io/pod-index'

/** Keeps pods with names and volumes of their own, one after the other. */
export function createStatefulSetController(tools: WorkloadTools): RunningController {
  const { system, index, events, nature } = tools

  /** The name of the revision of the template as it is now; it is kept as an object. */
  async function currentRevision(set: StoredSet): Promise<string> {
    const { namespace, name, uid } = set.metadata
    const revisions = index
      .controlledBy(uid, 'controllerrevisions.apps')
      .map((object) => readAs<ControllerRevision>(object))
    const data = { spec: { template: structuredClone(set.spec?.template) } }
    const known = revisions.find((revision) => deepEqual(revision.data, data))
    if (known !== undefined) return known.metadata.name
    const hash = templateHash(set.spec?.template ?? {}, 0)
    const draft: ApiObject = {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: { ...set.spec?.template.metadata?.labels, [revisionLabel]: hash },
        // The reference was made for this very form.
        ownerReferences: [controllerReference(set)] as NonNullable<ApiObject['metadata']['ownerReferences']>,
      },
      data,
      revision: Math.max(0, ...revisions.map(({ revision }) => Number(revision))) + 1,
    }
    await ignoring(409, system.create('controllerrevisions.apps', draft))
    return `${name}-${hash}`
  }

  async function createPod(set: StoredSet, ordinal: number, revision: string): Promise<void> {
    const { name: setName } = set.metadata
    const name = `${setName}-${ordinal}`
    await createClaims(set, name)
    const pod = podOf(templateOf(set, revision), set, {
      name,
      labels: { [revisionLabel]: revision, [podNameLabel]: name, [podIndexLabel]: String(ordinal) },
    })
    const volumes = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => ({
      name: metadata.name,
      persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
    }))
    const spec = pod['spec'] as { volumes?: object[]; hostname?: string; subdomain?: string }
    pod['spec'] = {
      ...spec,
      hostname: name,
      ...(set.spec?.serviceName !== undefined && { subdomain: set.spec.serviceName }),
      volumes: [...volumes, ...(spec.volumes ?? [])],
    }
    await system.create('pods', pod)
    const message = `create Pod ${name} in StatefulSet ${setName} successful`
    await events.write(set, { component, type: 'Normal', reason: 'SuccessfulCreate', message })
  }

  async function createClaims(set: StoredSet, podName: string): Promise<void> {
    const { namespace } = set.metadata
    for (const template of set.spec?.volumeClaimTemplates ?? []) {
      const name = `${template.metadata.name}-${podName}`
      if (system.get('persistentvolumeclaims', namespace, name) !== undefined) continue
      await ignoring(
        409,
        system.create('persistentvolumeclaims', {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: {
            name,
            namespace,
            labels: { ...template.metadata.labels, ...set.spec?.selector.matchLabels },
          },
          spec: structuredClone(template.spec ?? {}),
        }),
      )
    }
  }

  async function deletePod(set: StoredSet, pod: StoredPod): Promise<void> {
    const { namespace, name, uid } = pod.metadata
    await system.delete('pods', namespace, name, { uid })
    const message = `delete Pod ${name} in StatefulSet ${set.metadata.name} successful`
    await events.write(set, { component, type: 'Normal', reason: 'SuccessfulDelete', message })
  }

  /** One step towards what is wanted, in the order of ordinals; the change that follows brings the next. */
  async function step(set: StoredSet, pods: ReadonlyMap<number, StoredPod>, target: Target): Promise<void> {
    const isParallel = set.spec?.podManagementPolicy === 'Parallel'
    const minReady = set.spec?.minReadySeconds ?? 0
    const works = (pod: StoredPod): boolean => isAvailable(pod, minReady, nature.clock.now())
    const start = set.spec?.ordinals?.start ?? 0
    const end = start + (set.spec?.replicas ?? 1)
    for (let ordinal = start; ordinal < end; ordinal++) {
      const pod = pods.get(ordinal)
      if (pod !== undefined && hasEnded(pod) && pod.metadata.deletionTimestamp === undefined) {
        await deletePod(set, pod)
        if (!isParallel) return
      } else if (pod === undefined) {
        await createPod(set, ordinal, target.revisionFor(ordinal))
        if (!isParallel) return
      } else if (!isParallel && (!isActive(pod) || !works(pod))) return
    }
    const surplus = Array.from(pods.keys()).filter((ordinal) => ordinal < start || ordinal >= end)
    for (const ordinal of surplus.toSorted((left, right) => right - left)) {
      const pod = pods.get(ordinal)
      if (pod !== undefined && pod.metadata.deletionTimestamp === undefined) await deletePod(set, pod)
      if (!isParallel) return
    }
    if (set.spec?.updateStrategy?.type === 'OnDelete') return
    for (let ordinal = end - 1; ordinal >= start + target.partition; ordinal--) {
      const pod = pods.get(ordinal)
      if (pod === undefined || !isActive(pod)) return
      if (pod.metadata.labels?.[revisionLabel] !== target.update) return deletePod(set, pod)
      if (!works(pod)) return
    }
  }

  async function sync(namespace: string, name: string): Promise<number | undefined> {
    const set = readAs<StatefulSet>(system.get('statefulsets.apps', namespace, name))
    if (set === undefined) return undefined
    const update = await currentRevision(set)
    const current = set.status?.currentRevision ?? update
    const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0
    const start = set.spec?.ordinals?.start ?? 0
    const target: Target = {
      update,
      partition,
      revisionFor: (ordinal) => (ordinal - start < partition ? current : update),
    }
    if (set.metadata.deletionTimestamp === undefined) await step(set, podsOf(set), target)
    await tell(set, current, update)
    return nextAvailableMs(podsOf(set).values(), set.spec?.minReadySeconds ?? 0, nature.clock.now())
  }

  function podsOf(set: StoredSet): Map<number, StoredPod> {
    const prefix = `${set.metadata.name}-`
    return new Map(
      index.controlledBy(set.metadata.uid, 'pods').flatMap((object) => {
        const pod = readAs<Pod>(object)
        const ordinal = pod.metadata.name.startsWith(prefix)
          ? Number(pod.metadata.name.slice(prefix.length))
          : Number.NaN
        return Number.isInteger(ordinal) ? [[ordinal, pod] as [number, StoredPod]] : []
      }),
    )
  }

  async function tell(set: StoredSet, before: string, update: string): Promise<void> {
    const pods = Array.from(podsOf(set).values())
    const minReady = set.spec?.minReadySeconds ?? 0
    const wanted = set.spec?.replicas ?? 1
    const updated = pods.filter((pod) => isActive(pod) && pod.metadata.labels?.[revisionLabel] === update)
    const isDone = updated.length === wanted && pods.length === wanted && updated.every((pod) => isReady(pod))
    const current = isDone ? update : before
    const ofCurrent = pods.filter((pod) => isActive(pod) && pod.metadata.labels?.[revisionLabel] === current)
    await writeStatus(tools, 'statefulsets.apps', set, {
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      ...countField('readyReplicas', pods.filter((pod) => isActive(pod) && isReady(pod)).length),
      availableReplicas: pods.filter((pod) => isActive(pod) && isAvailable(pod, minReady, nature.clock.now()))
        .length,
      ...countField('currentReplicas', ofCurrent.length),
      ...countField('updatedReplicas', updated.length),
      currentRevision: current,
      updateRevision: update,
      collisionCount: 0,
    })
  }

  function templateOf(set: StoredSet, revision: string): NonNullable<StoredSet['spec']>['template'] {
    const kept = readAs<ControllerRevision>(
      system.get('controllerrevisions.apps', set.metadata.namespace, revision),
    )
    // It was written above, from a template.
    const data = kept?.data as
      | { spec?: { template?: NonNullable<StoredSet['spec']>['template'] } }
      | undefined
    return data?.spec?.template ?? set.spec?.template ?? {}
  }

  return createRunningController(tools, {
    name: 'The StatefulSet controller',
    resource: 'statefulsets.apps',
    *related(event) {
      if (event.resource === 'pods') yield* controllerKeys(event, 'StatefulSet')
    },
    sync,
  })
}

interface Target {
  /** The revision of the template as it is now. */
  readonly update: string
  /** Ordinals below it stay on the revision that they have. */
  readonly partition: number
  revisionFor(ordinal: number): string
}

async function ignoring(code: number, write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status.code === code)) throw error
  }
}
