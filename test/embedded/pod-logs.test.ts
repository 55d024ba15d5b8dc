import { Pod } from 'kubewright/kinds/core/v1'
import { describe, expect, test } from 'vitest'
import { createEmbeddedRig, type EmbeddedRig } from './embedded-rig.js'

const key = { namespace: 'default', name: 'talker' }
const line = 'container main of image nginx runs as a simulation'

async function createTalker(rig: EmbeddedRig): Promise<void> {
  await rig.cluster.client.create(Pod, {
    metadata: key,
    spec: { containers: [{ name: 'main', image: 'nginx' }] },
  })
  await rig.settle()
}

/** Follows until the end; tells what was read, and whether the end was reached. */
function follow({ cluster }: EmbeddedRig, options: { signal?: AbortSignal } = {}) {
  const lines: string[] = []
  const state = { lines, hasEnded: false, failure: undefined as unknown }
  const reading = (async () => {
    for await (const each of cluster.client.followLogs(key, options)) lines.push(each)
  })()
    .catch((error: unknown) => {
      state.failure = error
    })
    .finally(() => {
      state.hasEnded = true
    })
  return { state, reading }
}

describe('whoever follows the log of a simulated container', () => {
  test('waits while it runs, and is done when its pod is deleted', async () => {
    const rig = await createEmbeddedRig()
    await createTalker(rig)
    const { state, reading } = follow(rig)
    await rig.pass(60_000)
    expect(state).toEqual({ lines: [line], hasEnded: false, failure: undefined })
    await rig.cluster.client.delete(Pod, key, { gracePeriodSeconds: 0 })
    await reading
    expect(state).toEqual({ lines: [line], hasEnded: true, failure: undefined })
  })

  test('is done when it ends', async () => {
    const rig = await createEmbeddedRig()
    await createTalker(rig)
    const { state, reading } = follow(rig)
    await rig.settle()
    expect(state.hasEnded).toBe(false)
    const pod = await rig.cluster.client.get(Pod, key)
    await rig.cluster.client.updateStatus(Pod, {
      ...pod,
      status: {
        ...pod.status,
        containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => ({
          ...status,
          state: { terminated: { exitCode: 1 } },
        })),
      },
    })
    await reading
    expect(state).toEqual({ lines: [line], hasEnded: true, failure: undefined })
  })

  test('may leave', async () => {
    const rig = await createEmbeddedRig()
    await createTalker(rig)
    const leaving = new AbortController()
    const { state, reading } = follow(rig, { signal: leaving.signal })
    await rig.settle()
    leaving.abort()
    await reading
    expect(state.lines).toEqual([line])
  })

  test('is done when the server stops', async () => {
    const rig = await createEmbeddedRig()
    await createTalker(rig)
    const { state, reading } = follow(rig)
    await rig.settle()
    await rig.cluster.stop()
    await reading
    expect(state.lines).toEqual([line])
  })
})
