import { describe, expect, test } from 'vitest'
import { ConfigMap } from '../kinds/core/v1.js'
import { isExpired, type Transport } from '../objects/index.js'
import type { Client } from './client.js'
import { createClient } from './create-client.js'

interface Server {
  readonly client: Client
  readonly queries: Record<string, string>[]
}

/** A server with so many objects. A continue token is the index to go on from; from `expiresAt` on it has expired. */
function serverOf(count: number, expiresAt = Number.POSITIVE_INFINITY): Server {
  const queries: Record<string, string>[] = []
  const transport: Transport = (request) => {
    const query = Object.fromEntries(new URL(request.path, 'http://host').searchParams)
    queries.push(query)
    const start = Number(query['continue'] ?? 0)
    const isGone = query['continue'] !== undefined && start >= expiresAt
    const end = query['limit'] === undefined ? count : Math.min(count, start + Number(query['limit']))
    const items = Array.from({ length: end - start }, (_, index) => ({
      metadata: { name: `c${start + index}` },
    }))
    const answer = isGone
      ? { kind: 'Status', code: 410, reason: 'Expired', metadata: { continue: 'inconsistent' } }
      : {
          metadata: { resourceVersion: '7', ...(end < count && { continue: String(end) }) },
          items,
        }
    return Promise.resolve({
      status: isGone ? 410 : 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from(JSON.stringify(answer))
      })(),
    })
  }
  return { client: createClient({ transport }), queries }
}

describe('listAll', () => {
  test('follows the pages to the end', async () => {
    const { client, queries } = serverOf(1_100)
    const list = await client.listAll(ConfigMap)
    expect(list.items.map((item) => item.metadata.name)).toEqual(
      Array.from({ length: 1_100 }, (_, i) => `c${i}`),
    )
    expect(list.metadata).toEqual({ resourceVersion: '7' })
    expect(queries).toEqual([
      { limit: '500' },
      { limit: '500', continue: '500' },
      { limit: '500', continue: '1000' },
    ])
  })

  test('does not send the version together with a token, which the server refuses', async () => {
    const { client, queries } = serverOf(3)
    await client.listAll(ConfigMap, { pageSize: 2, resourceVersion: '7', resourceVersionMatch: 'Exact' })
    expect(queries).toEqual([
      { limit: '2', resourceVersion: '7', resourceVersionMatch: 'Exact' },
      { limit: '2', continue: '2' },
    ])
  })

  test('drops what it has and lists once in one piece when the snapshot expires', async () => {
    const { client, queries } = serverOf(10, 4)
    const list = await client.listAll(ConfigMap, { pageSize: 2, namespace: 'default' })
    expect(list.items).toHaveLength(10)
    expect(new Set(list.items.map((item) => item.metadata.name)).size).toBe(10)
    expect(queries).toEqual([
      { limit: '2' },
      { limit: '2', continue: '2' },
      { limit: '2', continue: '4' },
      {},
    ])
  })

  test('of nothing is an empty list', async () => {
    expect((await serverOf(0).client.listAll(ConfigMap)).items).toEqual([])
  })
})

describe('pages', () => {
  test('come one by one', async () => {
    const sizes: number[] = []
    for await (const page of serverOf(5).client.pages(ConfigMap, { pageSize: 2 }))
      sizes.push(page.items.length)
    expect(sizes).toEqual([2, 2, 1])
  })

  test('end in an error when the snapshot expires, for they cannot be taken back', async () => {
    const reading = (async () => {
      for await (const _ of serverOf(10, 4).client.pages(ConfigMap, { pageSize: 2 }));
    })()
    await expect(reading).rejects.toSatisfy(isExpired)
  })

  test('that nobody asks for are not fetched', async () => {
    const { client, queries } = serverOf(10)
    for await (const _ of client.pages(ConfigMap, { pageSize: 2 })) break
    expect(queries).toHaveLength(1)
  })
})
