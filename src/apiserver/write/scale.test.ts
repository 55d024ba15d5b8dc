import { describe, expect, test } from 'vitest'
import { isPlainObject } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ScaleProjection, Subresource } from '../resource.js'
import { createTestServer, fooResource, type TestServer } from '../test-server.js'

const foos = '/apis/example.com/v1/namespaces/default/foos'
const merge = { contentType: 'application/merge-patch+json' }

const replicasIn = (object: ApiObject | StoredApiObject): unknown =>
  isPlainObject(object['spec']) ? object['spec']['replicas'] : undefined

const scale: ScaleProjection = {
  replicasPath: ['spec', 'replicas'],
  read: (object) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {
      name: object.metadata.name ?? '',
      namespace: object.metadata.namespace ?? '',
      uid: object.metadata.uid ?? '',
      resourceVersion: object.metadata.resourceVersion ?? '',
      creationTimestamp: object.metadata.creationTimestamp ?? '',
    },
    spec: { replicas: replicasIn(object) },
    status: { replicas: 7 },
  }),
  write(draft, changed) {
    draft['spec'] = { ...(isPlainObject(draft['spec']) && draft['spec']), replicas: replicasIn(changed) }
  },
}

async function serve(isCustom: boolean): Promise<TestServer> {
  const resource = fooResource({ isCustom, strategy: { allowsUnconditionalUpdate: true } })
  const subresources = new Map<string, Subresource>([['scale', { type: 'scale', scale }]])
  // The fields of a built-in kind are those of its schema: this one has them all.
  const other = isCustom ? {} : { schema: { 'x-kubernetes-preserve-unknown-fields': true } as const }
  const server = createTestServer({
    resources: () => [
      { ...resource, versions: resource.versions.map((version) => ({ ...version, ...other, subresources })) },
    ],
  })
  await server.send('POST', foos, {
    apiVersion: 'example.com/v1',
    kind: 'Foo',
    metadata: { name: 'a' },
    spec: { replicas: 1, text: 'x' },
  })
  return server
}

describe('the Scale of an object', () => {
  test('is read, replaced and patched, and changes nothing but the replicas', async () => {
    const server = await serve(true)
    expect((await server.send('GET', `${foos}/a/scale`)).body).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', resourceVersion: '2' },
      spec: { replicas: 1 },
      status: { replicas: 7 },
    })
    const put = await server.send('PUT', `${foos}/a/scale`, {
      metadata: { name: 'a' },
      spec: { replicas: 3 },
    })
    expect([put.status, put.body['spec']]).toEqual([200, { replicas: 3 }])
    const patched = await server.send('PATCH', `${foos}/a/scale`, { spec: { replicas: 4 } }, merge)
    expect(patched.body['spec']).toEqual({ replicas: 4 })
    expect((await server.send('GET', `${foos}/a`)).body['spec']).toEqual({ replicas: 4, text: 'x' })
  })

  test('takes the ownership of the replicas from those who had it, and gives it to who scales', async () => {
    const server = await serve(true)
    await server.send('PATCH', `${foos}/a/scale?fieldManager=scaler`, { spec: { replicas: 2 } }, merge)
    const { body } = await server.send('GET', `${foos}/a`)
    const owned = body.metadata.managedFields?.map(
      ({ manager, subresource, apiVersion, time, fieldsV1 }) => ({
        manager,
        subresource,
        apiVersion,
        hasTime: time !== undefined,
        fieldsV1,
      }),
    )
    expect(owned).toEqual([
      {
        manager: 'scaler',
        subresource: 'scale',
        apiVersion: 'example.com/v1',
        hasTime: false,
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
      {
        manager: 'tester',
        subresource: undefined,
        apiVersion: 'example.com/v1',
        hasTime: true,
        fieldsV1: { 'f:spec': { '.': {}, 'f:text': {} } },
      },
    ])
  })

  test('based on an old version is a conflict', async () => {
    const server = await serve(true)
    const stale = { metadata: { name: 'a', resourceVersion: '1' }, spec: { replicas: 3 } }
    expect((await server.send('PUT', `${foos}/a/scale`, stale)).status).toBe(409)
  })

  test('of another type is refused in the words of the server', async () => {
    const server = await serve(true)
    const { status, body } = await server.send('PATCH', `${foos}/a/scale`, { spec: { replicas: 'x' } }, merge)
    expect(status).toBe(422)
    expect(body['message']).toMatch(
      /^ "" is invalid: patch: Invalid value: .*: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32$/,
    )
  })

  test('of a built-in kind is never negative', async () => {
    const server = await serve(false)
    const { body } = await server.send('PATCH', `${foos}/a/scale`, { spec: { replicas: -1 } }, merge)
    expect(body['message']).toBe(
      'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    )
  })

  test('of what is not there is a 404 of the object', async () => {
    const server = await serve(true)
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { metadata: { name: 'b' }, spec: {} }],
    ] as const)
      expect((await server.send(method, `${foos}/b/scale`, body)).body['message']).toBe(
        'foos.example.com "b" not found',
      )
  })
})
