import { createHash } from 'node:crypto'
import {
  defineController,
  defineKind,
  defineOperator,
  installKinds,
  type RunRecord,
  setControllerReference,
  settled,
} from 'kubewright'
import { ConfigMap } from 'kubewright/kinds/core/v1'
import { assembleOperator, parseOperatorFlags } from 'kubewright/operator'
import { type ControlPlaneCluster, createCluster, type EmbeddedCluster } from 'kubewright/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'

const Task = defineKind({
  group: 'restart.example.com',
  version: 'v1',
  kind: 'Task',
  spec: z.object({ text: z.string() }),
  status: z.object({ digest: z.string().optional() }),
})
const count = 1_000

let cluster: ControlPlaneCluster | EmbeddedCluster

beforeAll(async () => {
  const kind = inject('clusterKind')
  cluster = await (kind === 'embedded' ? createCluster({ kind }) : createCluster({ kind }))
})
afterAll(() => cluster.stop())

test('an API server that is killed and restarted in the middle of 1,000 objects loses nothing and repeats nothing', async () => {
  const created = new Map<string, number>()
  const runs: RunRecord[] = []
  const running = new Set<string>()
  let overlapped = false

  const controller = defineController({
    for: Task,
    owns: [ConfigMap],
    workers: 10,
    async reconcile(task, { cache, client }) {
      const { namespace, name } = task.metadata
      const key = { namespace, name }
      if (running.has(name)) overlapped = true
      running.add(name)
      try {
        if (cache.get(ConfigMap, key) === undefined) {
          const digest = createHash('sha256').update(task.spec.text).digest('hex')
          const draft = { metadata: { ...key }, data: { digest } }
          setControllerReference(task, draft)
          const made = await client.create(ConfigMap, draft)
          created.set(made.metadata.uid, (created.get(made.metadata.uid) ?? 0) + 1)
        }
        const digest = cache.get(ConfigMap, key)?.data?.['digest'] ?? ''
        if (task.status?.digest !== digest) {
          await client.patchStatus(Task, key, { merge: { status: { digest } } })
        }
        return settled()
      } finally {
        running.delete(name)
      }
    },
  })
  const operator = defineOperator({ name: 'restart-test', kinds: [Task], controllers: [controller] })
  const flags = parseOperatorFlags([], false)
  if (flags === 'help') throw new Error('no flag asks for help')
  const { client } = cluster
  await installKinds(client, [Task])
  const stop = new AbortController()
  const assembled = await assembleOperator(operator, {
    config: cluster.config,
    flags,
    onRun: (run) => runs.push(run),
  })
  const ended = assembled.run(stop.signal)

  const names = Array.from({ length: count }, (_, index) => `task-${index}`)
  const create = async (name: string): Promise<void> => {
    await client.create(Task, { metadata: { namespace: 'default', name }, spec: { text: name } })
  }
  for (let at = 0; at < count / 2; at += 20) await Promise.all(names.slice(at, at + 20).map(create))
  await expect.poll(() => runs.length, { timeout: 60_000 }).toBeGreaterThan(100)
  await cluster.apiserver.kill()
  await cluster.apiserver.start()
  for (let at = count / 2; at < count; at += 20) await Promise.all(names.slice(at, at + 20).map(create))

  const settledTasks = async (): Promise<number> => {
    const { items } = await client.listAll(Task, { namespace: 'default' })
    return items.filter(({ status }) => status?.digest !== undefined && status.digest !== '').length
  }
  await expect.poll(settledTasks, { timeout: 150_000, interval: 1_000 }).toBe(count)
  const maps = await client.listAll(ConfigMap, { namespace: 'default' })
  const owned = maps.items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'Task')
  expect(owned).toHaveLength(count)
  expect([...created.values()].filter((times) => times > 1)).toEqual([])
  expect(overlapped).toBe(false)
  stop.abort()
  await ended
})
