import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../testing/index.js'
import type { AdmissionPlugin } from './admission/admission.js'
import { createTestServer, fooResource, type TestServer, type TestServerOptions } from './test-server.js'
import { textResponse } from './text-response.js'

const foos = '/apis/example.com/v1/namespaces/default/foos'
const foo = (name: string): object => ({ apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name } })
const builtin = fooResource({ group: 'own.k8s.io', isCustom: false })
const own = '/apis/own.k8s.io/v1/namespaces/default/foos'

function serve(options: Partial<TestServerOptions> = {}): TestServer {
  return createTestServer({ resources: () => [fooResource(), builtin], ...options })
}

describe('paths', () => {
  const notFound = 'the server could not find the requested resource'
  const notAllowed = 'the server does not allow this method on the requested resource'
  // As kube-apiserver 1.36 answers for deployments and for a custom resource.
  test.each([
    ['GET', '/apis/own.k8s.io/v9/foos', 404, notFound],
    ['GET', '/apis/own.k8s.io/v1/bars', 404, notFound],
    ['GET', '/apis/own.k8s.io/v1/foos/x', 404, notFound],
    ['GET', `${own}/x/bar`, 404, notFound],
    ['GET', `${own}/x/status/bar`, 404, notFound],
    ['PATCH', own, 405, notAllowed],
    ['POST', `${own}/x`, 405, notAllowed],
    ['POST', `${own}/x/status`, 405, notAllowed],
    ['POST', '/apis/own.k8s.io/v1/foos', 405, notAllowed],
    ['DELETE', '/apis/own.k8s.io/v1/foos', 405, notAllowed],
    ['GET', `${own}/..`, 400, 'Name parameter invalid: "..": may not be \'..\''],
    ['GET', `${own}/a%25b`, 400, 'Name parameter invalid: "a%b": may not contain \'%\''],
    ['GET', `${foos}/x/bar`, 404, 'foos.example.com "x" not found'],
    ['POST', `${foos}/x/status`, 405, 'create is not supported on resources of kind "foos.example.com"'],
    ['PUT', foos, 400, 'name must be provided'],
    [
      'PATCH',
      foos,
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    ],
  ] as const)('%s %s is answered with %i', async (method, path, status, message) => {
    const answer = await serve().send(method, path, method === 'GET' ? undefined : {})
    expect([answer.status, answer.body['message']]).toEqual([status, message])
  })

  test.each([
    ['GET', '/nothing'],
    ['GET', '/apis/other.example.com/v1/foos'],
    ['GET', '/apis/example.com/v2/foos'],
    ['GET', '/apis/example.com/v1/bars'],
    ['POST', '/apis/example.com/v1/foos'],
    ['GET', '//api/v1/pods'],
  ] as const)('%s %s was never heard of', async (method, path) => {
    const { status, text, headers } = await serve().send(method, path)
    expect([status, text]).toEqual([404, '404 page not found\n'])
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })

  test('what is not a resource goes to the handler with the longest path', async () => {
    const server = serve({
      paths: {
        '/openapi': async () => textResponse(200, 'short'),
        '/openapi/v3': async ({ path }) => textResponse(200, path),
        '/gone': async () => undefined,
      },
    })
    expect((await server.send('GET', '/openapi/v3/apis')).text).toBe('/openapi/v3/apis\n')
    expect((await server.send('GET', '/openapi/v2')).text).toBe('short\n')
    expect((await server.send('GET', '/openapiv2')).status).toBe(404)
    expect((await server.send('GET', '/gone')).status).toBe(404)
  })

  test('HEAD has the headers of GET and no body, for custom resources', async () => {
    const server = serve()
    const head = await server.send('HEAD', foos)
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await server.send('HEAD', own)).status).toBe(405)
  })

  test('a deprecated version says so in every answer', async () => {
    const resource = fooResource()
    const versions = resource.versions.map((version) => ({ ...version, deprecationWarning: 'use v2' }))
    const server = createTestServer({ resources: () => [{ ...resource, versions }] })
    expect((await server.send('GET', foos)).warnings).toEqual(['299 - "use v2"'])
    expect((await server.send('GET', `${foos}/nope`)).warnings).toEqual(['299 - "use v2"'])
  })
})

describe('who asks', () => {
  test('somebody whose credentials are nobody’s is not let in', async () => {
    const response = await serve().router({ method: 'GET', path: foos, headers: {} }, undefined)
    expect(response.status).toBe(401)
  })

  test('who may not is told what, and in which namespace', async () => {
    const server = serve({ authorizer: () => ({ isAllowed: false, reason: '' }) })
    const user = { name: 'x', groups: [] }
    expect((await server.send('GET', foos, undefined, { user })).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'foos.example.com is forbidden: User "x" cannot list resource "foos" in API group "example.com" in the namespace "default"',
      details: { group: 'example.com', kind: 'foos' },
    })
    expect((await server.send('GET', '/version', undefined, { user })).body['message']).toBe(
      'forbidden: User "x" cannot get path "/version"',
    )
    expect((await server.send('GET', '/healthz', undefined, { user })).status).toBe(404)
  })
})

describe('every answer', () => {
  test('has an audit id, the client’s own if it gave one, and is not to be cached', async () => {
    const server = serve()
    const own = await server.send('GET', foos, undefined, { headers: { 'audit-id': 'mine' } })
    expect(own.headers).toMatchObject({ 'audit-id': 'mine', 'cache-control': 'no-cache, private' })
    expect((await server.send('GET', foos)).headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('that the server stumbles over is a 500, and the next one is answered', async () => {
    const broken: AdmissionPlugin = {
      name: 'Broken',
      handles: () => {
        throw new TypeError('a bug')
      },
      validate: () => {},
    }
    const server = serve({ plugins: [broken] })
    expect((await server.send('POST', foos, foo('a'))).body).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: 'Internal error occurred: a bug',
    })
    expect((await server.send('GET', foos)).status).toBe(200)
  })

  test('that takes too long is a 504, and what comes too late is not written', async () => {
    const clock = createFakeClock()
    let release = (): void => {}
    const slow: AdmissionPlugin = {
      name: 'Slow',
      handles: () => true,
      validate: () =>
        new Promise((resolve) => {
          release = resolve
        }),
    }
    const server = serve({ clock, plugins: [slow] })
    const pending = server.send('POST', foos, foo('a'))
    await clock.advance(34_000)
    expect((await pending).body).toMatchObject({ code: 504, reason: 'Timeout' })
    release()
    await clock.advance(1)
    expect(server.store.count('foos.example.com')).toBe(0)
  })

  test('to a request that was aborted is none: the call rejects', async () => {
    const abort = new AbortController()
    abort.abort(new Error('gone'))
    const failing = createTestServer({
      resources: () => [fooResource()],
      authorizer: () => {
        throw new Error('late')
      },
    })
    await expect(
      failing.router(
        { method: 'GET', path: foos, headers: {}, signal: abort.signal },
        { name: 'x', groups: [] },
      ),
    ).rejects.toThrow('gone')
  })

  test('too large a body is a 413', async () => {
    const { status, body } = await serve().send('POST', foos, 'x'.repeat(3 * 1024 * 1024 + 1))
    expect([status, body['message']]).toEqual([413, 'Request entity too large: limit is 3145728'])
  })
})
