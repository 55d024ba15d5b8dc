import { union } from './field-set.js'
import { type Manager, type Managers, managerId } from './managers.js'
import { compareTexts } from './path-element.js'

/** How many managers that update an object are told apart. Those that apply are not counted. */
const maxUpdateManagers = 10

/** Joins the oldest of too many managers that update into one for each version, called `ancient-changes`. In place. */
export function capManagers(managers: Managers): void {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update')
  let surplus = updaters.length - maxUpdateManagers
  if (surplus <= 0) return
  updaters.sort(([leftId, left], [rightId, right]) => {
    return compareTexts(left.time ?? '', right.time ?? '') || compareTexts(leftId, rightId)
  })
  const firsts = new Map<string, readonly [id: string, manager: Manager]>()
  for (const [id, manager] of updaters) {
    if (surplus <= 0) return
    const first = firsts.get(manager.apiVersion)
    if (first === undefined) {
      firsts.set(manager.apiVersion, [id, manager])
      continue
    }
    const bucket: Manager = { ...manager, name: 'ancient-changes', subresource: '' }
    const bucketId = managerId(bucket)
    const known = managers.get(bucketId)
    if (known === undefined) managers.delete(first[0])
    managers.set(bucketId, { ...bucket, set: union(manager.set, (known ?? first[1]).set) })
    if (id !== bucketId) managers.delete(id)
    surplus--
  }
}
