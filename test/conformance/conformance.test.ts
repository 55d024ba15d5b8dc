// The embedded API server judged by the real one: each case is a conversation that is held with both, at the same time,
// and what they said must be the same. One difference more or less than known-differences.ts tells is a failure.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { allCases } from './all-cases.js'
import type { Case } from './case.js'
import { firstDifference } from './difference.js'
import { knownDifferences } from './known-differences.js'
import { openServers, type Servers } from './open-servers.js'
import { runCase } from './run-case.js'

let servers: Servers

beforeAll(async () => {
  servers = await openServers(inject('realKubeconfig'))
})

afterAll(async () => {
  await servers.close()
})

/** Throws what differs, unless that is known; and what is known, unless it differs. */
async function assertAsKnown(each: Case): Promise<void> {
  const [real, embedded] = await Promise.all([runCase(each, servers.real), runCase(each, servers.embedded)])
  const difference = firstDifference({ name: 'real', steps: real }, { name: 'embedded', steps: embedded })
  const reason = knownDifferences[each.id]
  if (difference !== undefined && reason === undefined) throw new Error(difference)
  if (difference === undefined && reason !== undefined)
    throw new Error(`No longer differs; remove it from known-differences.ts: ${reason}`)
}

test('every known difference is about a case that exists', () => {
  const ids = new Set(allCases.map(({ id }) => id))
  expect(Object.keys(knownDifferences).filter((id) => !ids.has(id))).toEqual([])
})

test('no two cases have the same name', () => {
  const ids = allCases.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

const areas = [...new Set(allCases.map(({ area }) => area))]
const casesOf = (area: string): [string, Case][] =>
  allCases.filter((each) => each.area === area).map((each) => [each.name, each])

describe.concurrent.for(areas)('%s', (area) => {
  test.concurrent.for(casesOf(area))('%s', async ([, each]) => {
    await assertAsKnown(each)
  })
})
