import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isKubewrightError } from '../base/index.js'
import { buildRequest, type RequestTarget } from './request.js'
import { deleteBody, listQuery, watchQuery, writeQuery } from './request-parameters.js'

const foos = { group: 'example.com', version: 'v1alpha1', plural: 'foos', scope: 'Namespaced' } as const
const pods = { group: '', version: 'v1', plural: 'pods', scope: 'Namespaced' } as const
const nodes = { group: '', version: 'v1', plural: 'nodes', scope: 'Cluster' } as const

function attempt(run: () => string): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

function isPathTo(path: string, name: string): boolean {
  const segments = new URL(path, 'http://host').pathname.split('/')
  const [last = ''] = segments.slice(7)
  const place = segments.slice(0, 7).join('/')
  return (
    segments.length === 8 &&
    place === '/apis/example.com/v1alpha1/namespaces/default/foos' &&
    decodeURIComponent(last) === name
  )
}

const foo: RequestTarget = { kind: foos, namespace: 'default', name: 'foo-sample' }

describe('the path', () => {
  test('of an object names group, version, namespace, resource and name', () => {
    expect(buildRequest('get', foo).path).toBe(
      '/apis/example.com/v1alpha1/namespaces/default/foos/foo-sample',
    )
  })

  test('of the core group has no group', () => {
    expect(buildRequest('list', { kind: pods, namespace: 'default' }).path).toBe(
      '/api/v1/namespaces/default/pods',
    )
  })

  test('of a list without a namespace spans all of them', () => {
    expect(buildRequest('list', { kind: pods }).path).toBe('/api/v1/pods')
    expect(buildRequest('list', { kind: pods, namespace: '' }).path).toBe('/api/v1/pods')
  })

  test('of a subresource ends in it', () => {
    expect(buildRequest('update', { ...foo, subresource: 'status' }).path).toMatch(
      /\/foos\/foo-sample\/status$/,
    )
  })

  test('encodes what a URL cannot hold', () => {
    expect(buildRequest('get', { kind: nodes, name: 'system:node a' }).path).toBe(
      '/api/v1/nodes/system%3Anode%20a',
    )
  })

  test.each(['.', '..', 'a/b', '%2e%2e', '/'])('refuses the name %j, which would lead elsewhere', (name) => {
    expect(() => buildRequest('get', { ...foo, name })).toThrow(
      expect.objectContaining({ code: 'KW_INVALID_PATH_SEGMENT', what: 'name' }),
    )
    expect(() => buildRequest('get', { ...foo, namespace: name })).toThrow(
      expect.objectContaining({ code: 'KW_INVALID_PATH_SEGMENT', what: 'namespace' }),
    )
    expect(() => buildRequest('get', { ...foo, subresource: name })).toThrow(
      expect.objectContaining({ code: 'KW_INVALID_PATH_SEGMENT', what: 'subresource' }),
    )
  })

  test('of any name is refused or decodes to exactly that name, at its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        const built = attempt(() => buildRequest('get', { ...foo, name }).path)
        expect(built).toSatisfy((outcome) =>
          typeof outcome === 'string'
            ? isPathTo(outcome, name)
            : isKubewrightError(outcome, 'KW_INVALID_PATH_SEGMENT'),
        )
      }),
    )
  })
})

describe('a request is refused before it is sent', () => {
  test('when it names an object of a namespaced kind without its namespace', () => {
    expect(() => buildRequest('delete', { kind: foos, name: 'foo-sample' })).toThrow(
      expect.objectContaining({
        code: 'KW_INCOMPLETE_TARGET',
        message: expect.stringContaining('Set metadata.namespace'),
      }),
    )
    expect(() => buildRequest('create', { kind: foos, namespace: '' })).toThrow(/namespace/)
    expect(() => buildRequest('deletecollection', { kind: foos })).toThrow(/namespace/)
  })

  test.each(['get', 'update', 'patch', 'delete'] as const)(
    'when %s has no name, or an empty one, and would mean the whole collection',
    (verb) => {
      expect(() => buildRequest(verb, { kind: foos, namespace: 'default' })).toThrow(/no name/)
      expect(() => buildRequest(verb, { ...foo, name: '' })).toThrow(/no name/)
    },
  )

  test('when it gives a namespace to a kind that has none', () => {
    expect(() => buildRequest('get', { kind: nodes, namespace: 'default', name: 'a' })).toThrow(
      /have no namespace/,
    )
  })
})

describe('the description says what is done to what', () => {
  test.each([
    ['patch', foo, 'patch foos.example.com default/foo-sample'],
    ['update', { ...foo, subresource: 'status' }, 'update foos.example.com/status default/foo-sample'],
    ['list', { kind: pods, namespace: 'default' }, 'list pods in default'],
    ['watch', { kind: pods }, 'watch pods'],
    ['get', { kind: nodes, name: 'a' }, 'get nodes a'],
  ] as const)('%s', (verb, target, description) => {
    expect(buildRequest(verb, target).description).toBe(description)
  })
})

test('the description of a create has the new name, and its path has not', () => {
  const request = buildRequest(
    'create',
    { kind: foos, namespace: 'default' },
    { newName: 'foo-sample', body: {} },
  )
  expect(request.description).toBe('create foos.example.com default/foo-sample')
  expect(request.path).toBe('/apis/example.com/v1alpha1/namespaces/default/foos')
})

describe('the query', () => {
  test('of a list carries selectors, page and version', () => {
    const query = listQuery({
      labelSelector: { matchLabels: { app: 'web' } },
      fieldSelector: { 'metadata.name': 'a,b=c' },
      limit: 500,
      continue: 'token+/=',
      resourceVersion: '0',
    })
    const { path } = buildRequest('list', { kind: pods }, { query })
    expect([...new URL(path, 'http://host').searchParams]).toEqual([
      ['labelSelector', 'app=web'],
      ['fieldSelector', 'metadata.name=a\\,b\\=c'],
      ['limit', '500'],
      ['continue', 'token+/='],
      ['resourceVersion', '0'],
    ])
  })

  test('of a watch asks for what the server demands together', () => {
    const query = watchQuery({ sendInitialEvents: true, allowBookmarks: true, timeoutSeconds: 300 })
    const { path } = buildRequest('watch', { kind: pods }, { query })
    expect(path).toBe(
      '/api/v1/pods?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=300',
    )
  })

  test('of a write says who writes, how strictly, and whether at all', () => {
    const query = writeQuery({ dryRun: true, fieldManager: 'a b', fieldValidation: 'Strict' })
    expect(buildRequest('update', foo, { query, body: {} }).path).toMatch(
      /\?dryRun=All&fieldManager=a%20b&fieldValidation=Strict$/,
    )
  })

  test('refuses half a surrogate pair, which has no encoding', () => {
    expect(() => buildRequest('list', { kind: pods }, { query: { labelSelector: '\ud800' } })).toThrow(
      expect.objectContaining({ code: 'KW_INVALID_PATH_SEGMENT' }),
    )
  })
})

describe('the body', () => {
  test('is JSON in which integers beyond 2^53 are exact', () => {
    const request = buildRequest('update', foo, { body: { spec: { big: 9007199254740993n } } })
    expect(request.body).toBe('{"spec":{"big":9007199254740993}}')
    expect(request.headers['content-type']).toBe('application/json')
  })

  test('of a delete holds only what was asked for', () => {
    const body = deleteBody({ propagationPolicy: 'Foreground', preconditions: { uid: 'u' }, dryRun: true })
    expect(JSON.parse(buildRequest('delete', foo, { body }).body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
      dryRun: ['All'],
    })
  })

  test('is absent, with its type, when there is none', () => {
    const request = buildRequest('get', foo)
    expect(request.body).toBeUndefined()
    expect(request.headers).toEqual({ accept: 'application/json' })
  })
})
