import type { DeepReadonly } from '../../../base/index.js'
import type { PersistentVolumeClaim } from '../../../kinds/core/v1.js'
import {
  createRunningController,
  type RunningController,
  readAs,
  type WorkloadTools,
  writeStatus,
} from './workload.js'

type Claim = DeepReadonly<PersistentVolumeClaim>

/** Gives every claim a volume of its own, as a dynamic provisioner would: nothing is ever stored on it. */
export function createVolumeController(tools: WorkloadTools): RunningController {
  const { system } = tools

  async function sync(namespace: string, name: string): Promise<undefined> {
    const claim = readAs<PersistentVolumeClaim>(system.get('persistentvolumeclaims', namespace, name))
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return release(claim)
    if (claim.status?.phase === 'Bound') return
    const volume = claim.spec?.volumeName ?? `pvc-${claim.metadata.uid}`
    const capacity = { storage: claim.spec?.resources?.requests?.['storage'] ?? '1Gi' }
    if (system.get('persistentvolumes', '', volume) === undefined) {
      await system.create('persistentvolumes', {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: volume },
        spec: {
          capacity,
          accessModes: [...(claim.spec?.accessModes ?? ['ReadWriteOnce'])],
          persistentVolumeReclaimPolicy: 'Delete',
          ...(claim.spec?.storageClassName !== undefined && {
            storageClassName: claim.spec.storageClassName,
          }),
          claimRef: {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            namespace,
            name,
            uid: claim.metadata.uid,
          },
          hostPath: { path: `/simulated/${volume}` },
        },
      })
      await system.patch('persistentvolumes', '', volume, { status: { phase: 'Bound' } }, 'status')
    }
    const bound = await system.patch('persistentvolumeclaims', namespace, name, {
      spec: { volumeName: volume },
    })
    await writeStatus(tools, 'persistentvolumeclaims', bound, {
      phase: 'Bound',
      accessModes: [...(claim.spec?.accessModes ?? ['ReadWriteOnce'])],
      capacity,
    })
  }

  /** The finalizer that protects claims in use comes off when no pod uses it. */
  async function release(claim: Claim | undefined): Promise<undefined> {
    const finalizers = claim?.metadata.finalizers ?? []
    if (claim === undefined || !finalizers.includes(protection)) return
    const { namespace, name, uid } = claim.metadata
    const isUsed = system
      .list('pods', namespace)
      .some((pod) => JSON.stringify(pod['spec']).includes(`"claimName":${JSON.stringify(name)}`))
    if (isUsed) return
    const kept = finalizers.filter((each) => each !== protection)
    await system.patch('persistentvolumeclaims', namespace, name, {
      metadata: { uid, finalizers: kept.length === 0 ? null : kept },
    })
    const volume = claim.spec?.volumeName
    if (volume !== undefined && system.get('persistentvolumes', '', volume) !== undefined)
      await system.delete('persistentvolumes', '', volume)
  }

  return createRunningController(tools, {
    name: 'The volume controller',
    resource: 'persistentvolumeclaims',
    *related({ resource, type, current }) {
      if (resource !== 'pods' || type !== 'deleted') return
      const { namespace = '' } = current.object.metadata
      for (const { metadata } of system.list('persistentvolumeclaims', namespace))
        if (metadata.deletionTimestamp !== undefined) yield `${namespace}/${metadata.name ?? ''}`
    },
    sync,
  })
}

const protection = 'kubernetes.io/pvc-protection'
