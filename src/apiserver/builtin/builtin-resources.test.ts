import { describe, expect, test } from 'vitest'
import { deepCopy, systemClock } from '../../base/index.js'
import { apiVersionOf } from '../../objects/index.js'
import type { ApiObject } from '../api-object.js'
import type { Resource, WriteContext } from '../resource.js'
import { builtinResources } from './builtin-resources.js'

const nature = {
  clock: systemClock,
  random: () => 0.5,
  uid: () => '00000000-0000-4000-8000-000000000000',
  timestamp: () => '2026-01-01T00:00:00Z',
}
const cluster = { get: () => undefined, list: () => [] }
const resources = builtinResources({ nature, cluster })
const context: WriteContext = {
  user: { name: 'someone', groups: [] },
  isDryRun: false,
  nature,
  cluster,
  subresource: '',
  warn: () => {},
}

function find(plural: string, group = ''): Resource {
  const found = resources.find((resource) => resource.plural === plural && resource.group === group)
  if (found === undefined) throw new Error(`no ${plural}`)
  return found
}

const stored = resources.filter(({ actions }) => actions === undefined)
const versions = stored.flatMap((resource) =>
  resource.versions.map(
    (version) => [`${resource.plural}.${resource.group}/${version.name}`, resource, version] as const,
  ),
)

describe('the built-in resources', () => {
  test('come in the order of discovery, core first', () => {
    const groups = [...new Set(resources.map(({ group }) => group))]
    expect(groups.slice(0, 4)).toEqual(['', 'apiregistration.k8s.io', 'apps', 'events.k8s.io'])
    expect(groups).toHaveLength(21)
  })

  test('have the names, verbs and subresources of the real server', () => {
    const pods = find('pods')
    expect(pods).toMatchObject({
      singular: 'pod',
      kind: 'Pod',
      listKind: 'PodList',
      shortNames: ['po'],
      categories: ['all'],
      scope: 'Namespaced',
      storageVersion: 'v1',
    })
    expect([...(pods.versions[0]?.subresources.keys() ?? [])]).toEqual([
      'attach',
      'binding',
      'ephemeralcontainers',
      'eviction',
      'exec',
      'log',
      'portforward',
      'proxy',
      'resize',
      'status',
    ])
  })

  test('autoscalers are served in two versions, the newer one preferred', () => {
    expect(find('horizontalpodautoscalers', 'autoscaling').versions.map(({ name }) => name)).toEqual([
      'v2',
      'v1',
    ])
  })

  test('what is not kept has actions instead', () => {
    const virtual = resources.filter(({ actions }) => actions !== undefined).map(({ plural }) => plural)
    expect(virtual).toEqual([
      'bindings',
      'componentstatuses',
      'selfsubjectreviews',
      'tokenreviews',
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ])
  })

  test('the events of both groups are the same objects', () => {
    expect(find('events', 'events.k8s.io').storedAs?.resource).toBe('events')
  })

  test('a subresource that nobody answers for says so', async () => {
    const exec = find('pods').versions[0]?.subresources.get('exec')
    const handler = exec?.type === 'action' ? exec.verbs['create'] : undefined
    await expect(handler?.({} as never)).rejects.toMatchObject({ status: { code: 503 } })
  })

  test.each(versions)(
    'an object of %s that was filled in once stays as it is',
    (_name, resource, version) => {
      const draft: ApiObject = {
        apiVersion: apiVersionOf({ group: resource.group, version: version.name }),
        kind: resource.kind,
        metadata: { name: 'x' },
        spec: {},
      }
      version.strategy.applyDefaults(draft)
      const again = deepCopy(draft)
      version.strategy.applyDefaults(again)
      expect(again).toEqual(draft)
    },
  )

  test.each(versions)('nothing that is sent to %s makes it fail', (_name, resource, version) => {
    const draft: ApiObject = {
      apiVersion: apiVersionOf({ group: resource.group, version: version.name }),
      kind: resource.kind,
      metadata: { name: 'x' },
    }
    version.strategy.applyDefaults(draft)
    version.strategy.prepareForCreate(draft, context)
    expect(Array.isArray(version.strategy.validateCreate(draft, context))).toBe(true)
  })
})
