// Sequences of operations that nobody thought of, sent to both servers: every answer, the events of a watch that was open
// all the time, and what is there in the end must be the same.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Case } from './case.js'
import type { Conversation } from './conversation.js'
import { firstDifference } from './difference.js'
import { openServers, type Servers } from './open-servers.js'
import { type Operation, operation, requestOf } from './operations.js'
import { runCase } from './run-case.js'

// Others, and more: KUBEWRIGHT_DIFFERENTIAL_SEED=7 KUBEWRIGHT_DIFFERENTIAL_RUNS=500.
const seed = Number(process.env['KUBEWRIGHT_DIFFERENTIAL_SEED'] ?? 20_260_301)
const numRuns = Number(process.env['KUBEWRIGHT_DIFFERENTIAL_RUNS'] ?? 40)

let servers: Servers

beforeAll(async () => {
  servers = await openServers(inject('realKubeconfig'))
})

afterAll(async () => {
  await servers.close()
})

/** Sends the operations, one after the other. */
function caseOf(operations: readonly Operation[]): Case {
  return {
    id: 'random',
    area: 'random',
    name: 'random',
    anyOrderOfCauses: true,
    run: (t) => perform(t, operations),
  }
}

async function perform(t: Conversation, operations: readonly Operation[]): Promise<void> {
  const versions = new Map<string, string[]>()
  const uids = new Map<string, string>()
  const url = (rest: string): string => `${t.url('widgets')}${rest}`
  const watch = await t.watch(url('?labelSelector=%21end'))
  for (const one of operations) {
    const answer = await t.send(requestOf(one, { url, apiVersion: `${t.group}/v1`, versions, uids }))
    if (answer.at('kind') !== 'Widget') continue
    versions.set(answer.name, [...(versions.get(answer.name) ?? []), answer.version])
    uids.set(answer.name, answer.uid)
  }
  await t.get(url(''))
  await t.post(url(''), { apiVersion: `${t.group}/v1`, kind: 'Widget', metadata: { name: 'end' } })
  await watch.upTo('end')
}

test(`any sequence of operations has the same outcome on both servers (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 14 }), async (operations) => {
      const each = caseOf(operations)
      const [real, embedded] = await Promise.all([
        runCase(each, servers.real),
        runCase(each, servers.embedded),
      ])
      expect(
        firstDifference({ name: 'real', steps: real }, { name: 'embedded', steps: embedded }),
      ).toBeUndefined()
    }),
    { seed, numRuns, endOnFailure: process.env['CI'] === 'true' },
  )
})
