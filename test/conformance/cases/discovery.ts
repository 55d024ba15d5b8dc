import { isPlainObject } from 'kubewright/base'
import { area, type Case, table } from '../case.js'
import { at, listAt, mapAt, textAt } from '../data.js'

/** The groups that every cluster has. */
const builtin = [
  '/api/v1',
  '/apis/admissionregistration.k8s.io/v1',
  '/apis/apiextensions.k8s.io/v1',
  '/apis/apiregistration.k8s.io/v1',
  '/apis/apps/v1',
  '/apis/authentication.k8s.io/v1',
  '/apis/authorization.k8s.io/v1',
  '/apis/autoscaling/v1',
  '/apis/autoscaling/v2',
  '/apis/batch/v1',
  '/apis/certificates.k8s.io/v1',
  '/apis/coordination.k8s.io/v1',
  '/apis/discovery.k8s.io/v1',
  '/apis/events.k8s.io/v1',
  '/apis/flowcontrol.apiserver.k8s.io/v1',
  '/apis/networking.k8s.io/v1',
  '/apis/node.k8s.io/v1',
  '/apis/policy/v1',
  '/apis/rbac.authorization.k8s.io/v1',
  '/apis/resource.k8s.io/v1',
  '/apis/scheduling.k8s.io/v1',
  '/apis/storage.k8s.io/v1',
]

/** Servers are free in the order, and the hash only tells one storage from another. */
function plainResources(body: unknown): readonly unknown[] {
  return listAt(body, 'resources')
    .map((resource) => ({ ...(isPlainObject(resource) && resource), storageVersionHash: undefined }))
    .toSorted((a, b) => (textAt(a, 'name') < textAt(b, 'name') ? -1 : 1))
}

const lists = table(
  'discovery',
  Object.fromEntries(builtin.map((path) => [`the resources of ${path}`, path])),
  async (t, path) => {
    const answer = await t.quietly({ method: 'GET', path })
    t.note(path, {
      status: answer.status,
      kind: answer.at('kind'),
      groupVersion: answer.at('groupVersion'),
      resources: plainResources(answer.body),
    })
  },
  { namespace: 'shared' },
)

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }

const others = area(
  'discovery',
  {
    'the resources of a custom group': async (t) => {
      for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
        const answer = await t.quietly({ method: 'GET', path: `/apis/${t.group}/${version}` })
        t.note(version, {
          status: answer.status,
          kind: answer.at('kind'),
          apiVersion: answer.at('apiVersion'),
          groupVersion: answer.at('groupVersion'),
          resources: plainResources(answer.body),
        })
      }
    },
    'a group': async (t) => {
      await t.get(`/apis/${t.group}`)
      await t.get('/apis/apps')
      await t.get('/apis/autoscaling')
      await t.get('/apis/batch')
      await t.get('/apis/nothing.example.com')
      await t.get('/apis/apps/v9')
      await t.get('/api/v2')
    },
    'the core': async (t) => {
      const answer = await t.quietly({ method: 'GET', path: '/api' })
      t.note('/api', { kind: answer.at('kind'), versions: answer.at('versions') })
    },
    'the list of groups': async (t) => {
      const answer = await t.quietly({ method: 'GET', path: '/apis' })
      const groups = listAt(answer.body, 'groups')
      t.note(
        'the built-in groups, in order',
        groups.map((group) => textAt(group, 'name')).filter((name) => !name.endsWith('.example.com')),
      )
      t.note(
        'the group of the suite',
        groups.find((group) => textAt(group, 'name') === t.group),
      )
      t.note(
        'apps',
        groups.find((group) => textAt(group, 'name') === 'apps'),
      )
    },
    'all at once': async (t) => {
      const answer = await t.quietly({ method: 'GET', path: '/apis', headers: aggregated })
      t.note('form', {
        type: answer.headers['content-type'],
        kind: answer.at('kind'),
        apiVersion: answer.at('apiVersion'),
      })
      const items = listAt(answer.body, 'items')
      const named = (name: string): unknown => items.find((item) => textAt(item, 'metadata.name') === name)
      t.note(
        'the built-in groups, in order',
        items.map((item) => textAt(item, 'metadata.name')).filter((name) => !name.endsWith('.example.com')),
      )
      for (const name of [
        t.group,
        'apps',
        'batch',
        'policy',
        'autoscaling',
        'rbac.authorization.k8s.io',
        'authentication.k8s.io',
      ])
        t.note(name, sortedResources(named(name)))
    },
    'the core at once': async (t) => {
      const answer = await t.quietly({ method: 'GET', path: '/api', headers: aggregated })
      t.note('form', { type: answer.headers['content-type'], kind: answer.at('kind') })
      t.note('core', listAt(answer.body, 'items').map(sortedResources))
    },
    'in other forms': async (t) => {
      for (const accept of [
        'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
        'application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList',
        'application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json',
        'application/yaml',
        'text/html',
      ]) {
        const answer = await t.quietly({ method: 'GET', path: '/api', headers: { accept } })
        t.note(accept, {
          status: answer.status,
          type: answer.headers['content-type'],
          kind: answer.at('kind'),
        })
      }
    },
    'versions and health': async (t) => {
      const version = await t.quietly({ method: 'GET', path: '/version' })
      t.note('version', {
        major: version.at('major'),
        minor: version.at('minor'),
        gitVersion: version.at('gitVersion'),
      })
      for (const path of ['/healthz', '/livez', '/readyz', '/livez/ping', '/readyz/nothing'])
        await t.get(path)
    },
    'the descriptions that there are': async (t) => {
      const index = await t.quietly({ method: 'GET', path: '/openapi/v3' })
      const paths = Object.keys(mapAt(index.body, 'paths')).filter((path) => !path.includes('.example.com/'))
      t.note('of resources', paths.filter((path) => /\/v\d\w*$/.test(path)).toSorted())
      t.note('of others', paths.filter((path) => !/\/v\d\w*$/.test(path)).toSorted())
    },
    'the description of a custom kind': async (t) => {
      const described = await t.until(`/openapi/v3/apis/${t.group}/v1`, ({ status }) => status === 200, {
        quiet: true,
      })
      t.note('openapi', described.at('openapi'))
      t.note('paths', Object.keys(mapAt(described.body, 'paths')).toSorted())
      const schemas = Object.entries(mapAt(described.body, 'components.schemas'))
      t.note('schemas', Object.fromEntries(schemas.filter(([name]) => /\.(Widget|Gadget)$/.test(name))))
    },
    'the description of a built-in kind': async (t) => {
      const described = await t.quietly({ method: 'GET', path: '/openapi/v3/apis/apps/v1' })
      t.note('paths', Object.keys(mapAt(described.body, 'paths')).toSorted())
      const schemas = mapAt(described.body, 'components.schemas')
      t.note('names', Object.keys(schemas).toSorted())
      t.note('a schema', schemas['io.k8s.api.apps.v1.DeploymentSpec'])
    },
    'the old description': async (t) => {
      const described = await t.quietly({ method: 'GET', path: '/openapi/v2' })
      t.note('form', { status: described.status, swagger: described.at('swagger') })
      const names = Object.keys(mapAt(described.body, 'definitions'))
      t.note('definitions of apps', names.filter((name) => name.startsWith('io.k8s.api.apps.v1.')).toSorted())
    },
  },
  { namespace: 'shared' },
)

/** Servers are free in the order of resources. */
function sortedResources(group: unknown): unknown {
  return {
    name: textAt(group, 'metadata.name'),
    versions: listAt(group, 'versions').map((version) => ({
      version: at(version, 'version'),
      freshness: at(version, 'freshness'),
      resources: listAt(version, 'resources').toSorted((a, b) =>
        textAt(a, 'resource') < textAt(b, 'resource') ? -1 : 1,
      ),
    })),
  }
}

export const discovery: readonly Case[] = [...lists, ...others]
