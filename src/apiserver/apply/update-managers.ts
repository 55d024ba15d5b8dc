import { capManagers } from './cap-managers.js'
import type { FieldManagerContext } from './field-manager-context.js'
import { difference, emptySet, setOf, union } from './field-set.js'
import { type Manager, type Managers, managerId } from './managers.js'
import { fieldElement } from './path-element.js'
import { createUpdater, type TypedObject, type Updater } from './updater.js'

type Identity = Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>

/** As what the writer of a request is written down. */
export function identityOf(context: FieldManagerContext, operation: 'Apply' | 'Update'): Identity {
  const { manager, apiVersion, subresource } = context
  return { name: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource }
}

export function updaterFor(context: FieldManagerContext): Updater {
  return createUpdater(context, setOf(context.resetFields.map((path) => path.map(fieldElement))))
}

interface Update {
  readonly before: TypedObject
  readonly after: TypedObject
  readonly managers: Managers
}

/** The owners after an update by the manager of the context: it owns what has changed. */
export async function updateManagers(
  { before, after, managers }: Update,
  context: FieldManagerContext,
): Promise<Managers> {
  const identity = identityOf(context, 'Update')
  // While the update is worked out its manager is nobody, or it would not lose what it changes and keep its time.
  const self: Manager = { ...identity, name: '\0nobody', set: emptySet, time: context.timestamp }
  const updated = await updaterFor(context).update({ live: before, updated: after, managers, self })
  const selfId = managerId(self)
  stripFields(updated, selfId)
  const change = updated.get(selfId)
  if (change !== undefined) {
    updated.delete(selfId)
    const id = managerId(identity)
    const set = union(change.set, updated.get(id)?.set ?? emptySet)
    updated.set(id, { ...change, name: identity.name, set })
  }
  capManagers(updated)
  return updated
}

const serverFields = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]

/** What identifies an object and what only the server sets: nobody owns it. */
const ownerless = setOf(
  [['apiVersion'], ['kind'], ['metadata'], ...serverFields.map((field) => ['metadata', field])].map((path) =>
    path.map(fieldElement),
  ),
)

/** Takes from one manager what nobody owns. In place. */
export function stripFields(managers: Managers, id: string): void {
  const manager = managers.get(id)
  if (manager === undefined) return
  const set = difference(manager.set, ownerless)
  if (set.size === 0) managers.delete(id)
  else managers.set(id, { ...manager, set })
}
