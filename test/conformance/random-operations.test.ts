// Sequences of operations that nobody thought of, sent to both servers: every answer, the events of a watch that was open
// all the time, and what is there in the end must be the same.
import fc from 'fast-check'
import { eventually } from 'kubewright/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Case } from './case.js'
import type { Conversation } from './conversation.js'
import { at, listAt, textAt } from './data.js'
import { firstDifference } from './difference.js'
import { exchange, exchangeUntil } from './exchange.js'
import { openServers, type Servers } from './open-servers.js'
import { type Operation, operation, requestOf } from './operations.js'
import type { Rig } from './rig.js'
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
  const url = (rest: string): string => `${t.url('widgets')}${rest}`
  const watch = await t.watch(url('?labelSelector=%21end'))
  for (const one of operations) {
    const answer = await t.send(requestOf(one, { url, apiVersion: `${t.group}/v1`, versions }))
    if (answer.at('kind') !== 'Widget') continue
    versions.set(answer.name, [...(versions.get(answer.name) ?? []), answer.version])
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

/** Config maps that own each other, and the deletion of one of them. */
interface Family {
  /** For each member its finalizers and its owners, which came before it. */
  readonly members: readonly {
    readonly owners: readonly number[]
    readonly isHeld: boolean
    readonly blocks: boolean
  }[]
  readonly deleted: number
  readonly policy: 'Background' | 'Foreground' | 'Orphan'
}

const family: fc.Arbitrary<Family> = fc.record({
  members: fc.array(
    fc.record({
      owners: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
      isHeld: fc.nat(5).map((n) => n === 0),
      blocks: fc.boolean(),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  deleted: fc.nat(2),
  policy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
})

/** What remains of a family, as it is at the moment. */
async function remains(rig: Rig, namespace: string): Promise<unknown> {
  const path = `/api/v1/namespaces/${namespace}/configmaps?labelSelector=member`
  const { body } = await exchange(rig.server, { method: 'GET', path })
  return listAt(body, 'items').map((item) => ({
    name: textAt(item, 'metadata.name'),
    owners: listAt(item, 'metadata.ownerReferences').map((owner) => textAt(owner, 'name')),
    finalizers: at(item, 'metadata.finalizers') ?? [],
    isDying: at(item, 'metadata.deletionTimestamp') !== undefined,
  }))
}

/** An orphan is collected only after the collector has heard of all that came before it. */
async function knownToCollector(rig: Rig, path: string): Promise<void> {
  const uid = '00000000-0000-4000-8000-000000000000'
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid }]
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'orphan', ownerReferences } }
  await exchange(rig.server, { method: 'POST', path, headers: { 'content-type': 'application/json' }, body })
  const request = { method: 'GET', path: `${path}/orphan` }
  await exchangeUntil(rig.server, request, ({ status }) => status === 404, { timeoutMs: 30_000 })
}

async function bringToLife(rig: Rig, { members, deleted, policy }: Family): Promise<string> {
  const namespace = await rig.createNamespace(rig.newTag())
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const headers = { 'content-type': 'application/json' }
  const uids: string[] = []
  for (const [index, { owners, isHeld, blocks }] of members.entries()) {
    const metadata = {
      name: `m${index}`,
      labels: { member: 'yes' },
      finalizers: isHeld ? ['example.com/held'] : [],
      ownerReferences: owners.flatMap((owner) => {
        const uid = uids[owner]
        if (uid === undefined) return []
        // The real collector looks at an owner that nobody blocks and at its dependents at the same time: either may win.
        const blockOwnerDeletion = blocks || policy === 'Foreground'
        return [{ apiVersion: 'v1', kind: 'ConfigMap', name: `m${owner}`, uid, blockOwnerDeletion }]
      }),
    }
    const created = await exchange(rig.server, {
      method: 'POST',
      path,
      headers,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    })
    uids.push(created.uid)
  }
  await knownToCollector(rig, path)
  const one = `${path}/m${deleted % members.length}`
  await exchange(rig.server, { method: 'DELETE', path: one, headers, body: { propagationPolicy: policy } })
  return namespace
}

test(`the same remains of any family of objects when one of them is deleted (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(family, async (each) => {
      const [real, embedded] = await Promise.all([
        bringToLife(servers.real, each),
        bringToLife(servers.embedded, each),
      ])
      await eventually(
        async () =>
          expect(await remains(servers.embedded, embedded)).toEqual(await remains(servers.real, real)),
        { timeoutMs: 15_000 },
      )
    }),
    { seed, numRuns, endOnFailure: true },
  )
})
