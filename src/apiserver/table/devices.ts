import type { DeepReadonly } from '../../base/index.js'
import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '../../kinds/resource.k8s.io/v1.js'
import { ageOf, type Cells, nameOf } from './cell-text.js'

export const deviceClassCells: Cells<DeviceClass | ResourceClaimTemplate> = (object, now) => [
  nameOf(object),
  ageOf(object, now),
]

export const resourceClaimCells: Cells<ResourceClaim> = (object, now) => [
  nameOf(object),
  claimState(object),
  ageOf(object, now),
]

function claimState({ metadata, status }: DeepReadonly<ResourceClaim>): string {
  const isDeleted = metadata.deletionTimestamp !== undefined
  const isAllocated = status?.allocation !== undefined
  return [
    ...(isDeleted ? ['deleted'] : []),
    ...(isAllocated ? ['allocated'] : isDeleted ? [] : ['pending']),
    ...(isAllocated && (status.reservedFor ?? []).length > 0 ? ['reserved'] : []),
  ].join(',')
}

export const resourceSliceCells: Cells<ResourceSlice> = (object, now) => [
  nameOf(object),
  object.spec.nodeName ?? '',
  object.spec.driver,
  object.spec.pool.name,
  ageOf(object, now),
]
