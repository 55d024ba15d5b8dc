import { describe, expect, test } from 'vitest'
import { deepCopy, deepFreeze } from '../base/index.js'
import type { ApiObject } from './api-object.js'
import { createSystemClient } from './system-client.js'
import { createTestServer, fooResource, type TestServer } from './test-server.js'
import { createObjectWriter } from './write/object-writer.js'

const name = 'foos.example.com'
const user = { name: 'system:apiserver', groups: [] }
const foo = (more: object = {}): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name: 'a', namespace: 'default' },
  ...more,
})

function serve(): TestServer {
  return createTestServer({ resources: () => [fooResource()] })
}

describe('createSystemClient', () => {
  test('writes through the same verbs as everybody, as the manager that it is', async () => {
    const server = serve()
    const client = createSystemClient(server.parts, user, { manager: 'gc' })
    const created = await client.create(name, foo({ spec: { replicas: 1 } }))
    expect(created.metadata.managedFields).toMatchObject([{ manager: 'gc' }])
    const updated = await client.update(name, { ...deepCopy(created), spec: { replicas: 2 } })
    expect(updated.metadata.generation).toBe(2)
    await client.patch(name, 'default', 'a', { status: { ready: true } }, 'status')
    expect(client.get(name, 'default', 'a')).toMatchObject({ spec: { replicas: 2 }, status: { ready: true } })
    expect(client.list(name, 'default')).toHaveLength(1)
    expect(client.list(name, 'other')).toHaveLength(0)
    await client.delete(name, 'default', 'a', { uid: created.metadata.uid ?? '' })
    expect(client.get(name, 'default', 'a')).toBeUndefined()
  })

  test('rejects as the server answers', async () => {
    const client = createSystemClient(serve().parts, user)
    await expect(client.delete(name, 'default', 'a')).rejects.toMatchObject({ status: { code: 404 } })
    await expect(client.create('bars', foo())).rejects.toMatchObject({ status: { code: 404 } })
    await client.create(name, foo())
    await expect(client.create(name, foo())).rejects.toMatchObject({ status: { reason: 'AlreadyExists' } })
    await expect(client.delete(name, 'default', 'a', { resourceVersion: '1' })).rejects.toMatchObject({
      status: { code: 409 },
    })
  })

  test('tells changes as they happen, until it is told to stop', async () => {
    const client = createSystemClient(serve().parts, user)
    const seen: string[] = []
    const stop = client.onChange(({ type, key }) => seen.push(`${type} ${key}`))
    await client.create(name, foo())
    stop()
    await client.delete(name, 'default', 'a')
    expect(seen).toEqual(['added default/a'])
  })

  test('what it is given stays what it is, frozen or not', async () => {
    const client = createSystemClient(serve().parts, user)
    const created = await client.create(name, Object.freeze(foo()))
    await client.update(name, deepFreeze(deepCopy(created)) as ApiObject)
    expect([...client.resources()]).toEqual([
      { resource: name, isNamespaced: true, kind: 'Foo', group: 'example.com', versions: ['v1'] },
    ])
  })

  test('acts on an object through a subresource', async () => {
    const done: unknown[] = []
    const resource = fooResource()
    const subresources = new Map([
      [
        'poke',
        {
          type: 'action',
          group: 'example.com',
          version: 'v1',
          kind: 'Poke',
          verbs: {
            create: async ({ info, body }: { info: { name: string }; body: ApiObject | undefined }) => {
              done.push([info.name, body?.kind])
              return { object: foo() }
            },
          },
        },
      ] as const,
    ])
    const versions = resource.versions.map((version) => ({ ...version, subresources }))
    const server = createTestServer({ resources: () => [{ ...resource, versions }] })
    const client = createSystemClient(server.parts, user)
    await client.act(name, 'default', 'a', 'poke', { ...foo(), kind: 'Poke' })
    expect(done).toEqual([['a', 'Poke']])
  })
})

describe('createObjectWriter', () => {
  const target = { resource: name, namespace: 'default', name: 'a', user, isDryRun: false }

  test('changes what is stored, and nothing in a dry run or where nothing changes', async () => {
    const server = serve()
    const writer = createObjectWriter(server.parts, user)
    await createSystemClient(server.parts, user).create(name, foo({ spec: { replicas: 1 } }))
    const before = server.store.revision
    await writer.change(target, () => {})
    await writer.change({ ...target, isDryRun: true }, (draft) => {
      draft['spec'] = { replicas: 7 }
    })
    expect(server.store.revision).toBe(before)
    const changed = await writer.change(target, (draft) => {
      draft['spec'] = { replicas: 7 }
    })
    expect(changed).toMatchObject({
      spec: { replicas: 7 },
      metadata: { resourceVersion: String(before + 1) },
    })
    await writer.delete({ ...target, isDryRun: true }, {})
    expect(server.store.count(name)).toBe(1)
    await writer.delete(target, {})
    expect(server.store.count(name)).toBe(0)
    await expect(writer.change(target, () => {})).rejects.toMatchObject({ status: { code: 404 } })
  })
})
