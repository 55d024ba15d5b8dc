import { describe, expect, test } from 'vitest'
import type { Transport } from '../../objects/index.js'
import type { LogFields, Logger } from '../../observe/index.js'
import { createClient } from '../create-client.js'
import { createDiscovery, type Discovery } from './discovery.js'

const resource = (plural: string, kind: string, more: object = {}): object => ({
  resource: plural,
  responseKind: { group: '', version: '', kind },
  scope: 'Namespaced',
  verbs: ['get', 'list'],
  ...more,
})

const core = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: {},
      versions: [
        {
          version: 'v1',
          resources: [
            resource('pods', 'Pod', {
              singularResource: 'pod',
              shortNames: ['po'],
              categories: ['all'],
              subresources: [{ subresource: 'log' }, { subresource: 'status' }],
            }),
            resource('nodes', 'Node', { scope: 'Cluster' }),
            { resource: 'bindings-without-kind', subresources: [{ subresource: 'x' }] },
          ],
        },
      ],
    },
  ],
}
const groupsWith = (...extra: object[]): object => ({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        { version: 'v1', resources: [resource('deployments', 'Deployment', { shortNames: ['deploy'] })] },
      ],
    },
    { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
    ...extra,
  ],
})
const fooGroup = {
  metadata: { name: 'example.com' },
  versions: [
    { version: 'v2', resources: [resource('foos', 'Foo')] },
    { version: 'v1', resources: [resource('foos', 'Foo'), resource('pods', 'Pod')] },
  ],
}

interface Served {
  readonly discovery: Discovery
  readonly paths: string[]
  readonly logged: LogFields[]
  readonly answers: Record<string, unknown>
}

/** A server that answers paths from a table; a number is an HTTP status. */
function serve(answers: Record<string, unknown>): Served {
  const paths: string[] = []
  const transport: Transport = ({ path }) => {
    paths.push(path)
    const answer = answers[path] ?? 404
    const status = typeof answer === 'number' ? answer : 200
    return Promise.resolve({
      status,
      headers: {},
      body: (async function* () {
        yield Buffer.from(JSON.stringify(typeof answer === 'number' ? {} : answer))
      })(),
    })
  }
  const logged: LogFields[] = []
  const log: Logger = {
    debug: () => {},
    info: () => {},
    warn: (_message, fields = {}) => void logged.push(fields),
    error: () => {},
    with: () => log,
  }
  return { discovery: createDiscovery(createClient({ transport }), { log }), paths, logged, answers }
}

describe('a server that aggregates', () => {
  test('is asked twice for everything, once', async () => {
    const { discovery, paths } = serve({ '/api': core, '/apis': groupsWith(fooGroup) })
    await Promise.all([discovery.kinds(), discovery.kindFor({ apiVersion: 'v1', kind: 'Pod' })])
    await discovery.find('deploy')
    expect(paths).toEqual(['/api', '/apis'])
  })

  test('describes a kind completely', async () => {
    const { discovery } = serve({ '/api': core, '/apis': groupsWith() })
    expect(await discovery.kindFor({ apiVersion: 'v1', kind: 'Pod' })).toEqual({
      group: '',
      version: 'v1',
      kind: 'Pod',
      plural: 'pods',
      singular: 'pod',
      listKind: 'PodList',
      scope: 'Namespaced',
      subresources: ['log', 'status'],
      shortNames: ['po'],
      categories: ['all'],
      verbs: ['get', 'list'],
    })
    expect(await discovery.kindFor({ apiVersion: 'v1', kind: 'Node' })).toMatchObject({ scope: 'Cluster' })
  })

  test('hides no kind behind a group that does not answer, and the missing group is named', async () => {
    const { discovery, logged } = serve({ '/api': core, '/apis': groupsWith() })
    expect((await discovery.kinds()).map((kind) => kind.kind)).toEqual(['Pod', 'Node', 'Deployment'])
    expect(logged).toEqual([{ unavailable: ['metrics.k8s.io/v1beta1'] }])
    await expect(discovery.find('nodemetrics')).rejects.toMatchObject({
      code: 'KW_KIND_NOT_FOUND',
      unavailable: ['metrics.k8s.io/v1beta1'],
    })
  })
})

describe('names', () => {
  test.each([
    ['pods', '', 'v1'],
    ['pod', '', 'v1'],
    ['po', '', 'v1'],
    ['Pod', '', 'v1'],
    ['foos', 'example.com', 'v2'],
    ['foos.example.com', 'example.com', 'v2'],
    ['foos.v1.example.com', 'example.com', 'v1'],
    ['pods.example.com', 'example.com', 'v1'],
    ['deploy.apps', 'apps', 'v1'],
  ])('%s means %s/%s', async (name, group, version) => {
    const { discovery } = serve({ '/api': core, '/apis': groupsWith(fooGroup) })
    expect(await discovery.find(name)).toMatchObject({ group, version })
  })

  test('that nobody has are asked for again, once, before they are refused', async () => {
    const { discovery, paths } = serve({ '/api': core, '/apis': groupsWith() })
    await discovery.kinds()
    await expect(discovery.kindFor({ apiVersion: 'example.com/v1', kind: 'Foo' })).rejects.toMatchObject({
      code: 'KW_KIND_NOT_FOUND',
      wanted: 'example.com/v1 Foo',
      message: expect.stringContaining('install its CRD'),
    })
    expect(paths).toHaveLength(4)
  })

  test('of a CRD that came later are found', async () => {
    const { discovery, answers } = serve({ '/api': core, '/apis': groupsWith() })
    await discovery.kinds()
    answers['/apis'] = groupsWith(fooGroup)
    expect(await discovery.kindFor({ apiVersion: 'example.com/v1', kind: 'Foo' })).toMatchObject({
      plural: 'foos',
    })
  })
})

describe('a server that does not aggregate', () => {
  const answers = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        {
          name: 'example.com',
          versions: [{ version: 'v1' }, { version: 'v2' }],
          preferredVersion: { version: 'v2' },
        },
        { name: 'broken.example.com', versions: [{ version: 'v1' }] },
      ],
    },
    '/api/v1': {
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true, singularName: '', verbs: ['get'], shortNames: ['po'] },
        { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
      ],
    },
    '/apis/example.com/v1': { resources: [{ name: 'foos', kind: 'Foo', namespaced: false, verbs: [] }] },
    '/apis/example.com/v2': { resources: [{ name: 'foos', kind: 'Foo', namespaced: false, verbs: [] }] },
    '/apis/broken.example.com/v1': 503,
  }

  test('is asked for each version; the preferred one comes first, the broken one not at all', async () => {
    const { discovery, logged } = serve(answers)
    expect((await discovery.kinds()).map((kind) => `${kind.group}/${kind.version} ${kind.plural}`)).toEqual([
      '/v1 pods',
      'example.com/v2 foos',
      'example.com/v1 foos',
    ])
    expect(await discovery.find('po')).toMatchObject({
      singular: 'pod',
      subresources: ['log'],
      scope: 'Namespaced',
    })
    expect(logged).toEqual([{ unavailable: ['broken.example.com/v1'] }])
  })
})

describe('what is remembered', () => {
  test('is forgotten on demand', async () => {
    const { discovery, paths } = serve({ '/api': core, '/apis': groupsWith() })
    await discovery.kinds()
    discovery.invalidate()
    await discovery.kinds()
    expect(paths).toHaveLength(4)
  })

  test('is never a failure', async () => {
    const { discovery, answers } = serve({ '/api': 500, '/apis': groupsWith() })
    await expect(discovery.kinds()).rejects.toMatchObject({ httpStatus: 500 })
    answers['/api'] = core
    expect(await discovery.kinds()).toHaveLength(3)
  })

  test('is shared: one caller who gives up does not end the question for others', async () => {
    const { discovery } = serve({ '/api': core, '/apis': groupsWith() })
    const controller = new AbortController()
    const impatient = discovery.kinds(controller.signal)
    const patient = discovery.kinds()
    controller.abort(new Error('enough'))
    await expect(impatient).rejects.toThrow('enough')
    expect(await patient).toHaveLength(3)
  })
})
