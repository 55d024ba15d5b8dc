import type { ManagedFieldsEntry } from '../../objects/index.js'
import { difference, hasField, setOf } from '../apply/field-set.js'
import { decodeManagers, encodeManagers, type Manager, type Managers, managerId } from '../apply/managers.js'
import { fieldElement } from '../apply/path-element.js'

const scaleVersion = 'autoscaling/v1'
const inScale = ['spec', 'replicas'].map(fieldElement)

/** Where an object has its replicas. */
export interface ReplicasPlace {
  readonly path: readonly string[]
  /** Of the request. */
  readonly apiVersion: string
  /** Versions of the object, all of which have their replicas there. */
  knowsVersion(apiVersion: string): boolean
}

type Entries = readonly ManagedFieldsEntry[] | undefined

/** Who owns the replicas of an object, as owners of its Scale. */
export function managersOfScale(parentEntries: unknown, place: ReplicasPlace): Entries {
  const path = place.path.map(fieldElement)
  const managers: Managers = new Map()
  for (const manager of decodeManagers(parentEntries).values()) {
    if (!place.knowsVersion(manager.apiVersion) || !hasField(manager.set, path)) continue
    const asScale: Manager = { ...manager, apiVersion: scaleVersion, set: setOf([inScale]) }
    managers.set(managerId(asScale), asScale)
  }
  return encodeManagers(managers)
}

/**
 * The owners of the object after its Scale has these: whoever lost the replicas there loses them here. The server takes
 * one who updates for somebody else in a Scale, because of the version: he has the replicas in an entry of their own then.
 */
export function managersOfParent(
  parentEntries: unknown,
  scaleEntries: unknown,
  place: ReplicasPlace,
): Entries {
  const path = place.path.map(fieldElement)
  const replicas = setOf([path])
  const scaleManagers = decodeManagers(scaleEntries)
  const parentManagers = decodeManagers(parentEntries)
  const managers: Managers = new Map()
  for (const [id, manager] of parentManagers) {
    if (!place.knowsVersion(manager.apiVersion)) continue
    if (!hasField(manager.set, path) || scaleManagers.delete(id)) {
      managers.set(id, manager)
      continue
    }
    const rest = difference(manager.set, replicas)
    if (rest.size > 0) managers.set(id, { ...manager, set: rest })
  }
  for (const [id, manager] of scaleManagers) {
    if (!hasField(manager.set, inScale)) continue
    // The time of somebody new is forgotten.
    const time = parentManagers.get(id)?.time
    managers.set(id, { ...manager, apiVersion: place.apiVersion, set: replicas, time })
  }
  return encodeManagers(managers)
}
