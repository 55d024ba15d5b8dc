import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { TransportRequest } from '../objects/index.js'
import { createApiServer } from './api-server.js'

const collections = {
  'clusterroles.rbac.authorization.k8s.io': '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  'clusterrolebindings.rbac.authorization.k8s.io': '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  'roles.rbac.authorization.k8s.io': '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/roles',
  'rolebindings.rbac.authorization.k8s.io': '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/rolebindings',
  services: '/api/v1/namespaces/NS/services',
  'priorityclasses.scheduling.k8s.io': '/apis/scheduling.k8s.io/v1/priorityclasses',
}

/** What every object has of its own. */
const masked = (json: string): string =>
  json
    .replace(/"uid":"[^"]*"/, '"uid":""')
    .replace(/"resourceVersion":"\d+"/, '"resourceVersion":""')
    .replaceAll(/"(creationTimestamp|time)":"[^"]*"/g, '"$1":""')
    .trim()

test('the first objects are what requests would have made of them', async () => {
  const server = await createApiServer({ simulation: false, controllers: false })
  await server.listen()
  const transport = server.transport()
  const send = async (
    method: TransportRequest['method'],
    path: string,
    object?: unknown,
  ): Promise<{ readonly status: number; readonly body: string }> => {
    const headers = { 'content-type': 'application/json', 'user-agent': 'kube-apiserver/v1.36.3' }
    const body = object === undefined ? {} : { body: JSON.stringify(object) }
    const answer = await transport({ method, path, headers, ...body })
    return { status: answer.status, body: await text(answer.body) }
  }
  const first = Object.entries(collections).flatMap(([resource, path]) =>
    Array.from(server.store.scan(resource), ({ object, json }) => ({ path, object, json: json.toString() })),
  )
  expect(first.length).toBeGreaterThan(130)
  for (const { path, object, json } of first) {
    const { name = '', namespace = '', labels, annotations } = object.metadata
    const collection = path.replace('NS', namespace)
    const metadata = { name, ...(labels && { labels }), ...(annotations && { annotations }) }
    expect((await send('DELETE', `${collection}/${name}`)).status).toBe(200)
    // A server that asks for its address leaves these to be filled in.
    const asked = JSON.parse(json, (key, value) =>
      key === 'clusterIPs' || key === 'ipFamilies' ? undefined : value,
    )
    const { body } = await send('POST', collection, { ...asked, metadata })
    expect(JSON.parse(masked(json))).toEqual(JSON.parse(masked(body)))
  }

  const namespace = server.store.get('namespaces', 'default')?.json.toString() ?? ''
  const { body } = await send('POST', '/api/v1/namespaces', { metadata: { name: 'other' } })
  expect(JSON.parse(masked(namespace))).toEqual(JSON.parse(masked(body).replaceAll('"other"', '"default"')))
  await server.stop()
})

test('a server that starts on the objects of an earlier one leaves them as they are', async () => {
  const first = await createApiServer({ simulation: false, controllers: false })
  const { store } = first
  const before = store.get('clusterroles.rbac.authorization.k8s.io', 'view')
  const second = await createApiServer({ store, simulation: false, controllers: false })
  expect(store.get('clusterroles.rbac.authorization.k8s.io', 'view')).toBe(before)
  await second.stop()
  await first.stop()
})
