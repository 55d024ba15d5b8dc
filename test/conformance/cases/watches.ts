import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import { textAt } from '../data.js'
import { isEndMark } from '../watch.js'
import { metaConfigMap, metaWidget } from './objects.js'

type Resource = 'configmaps' | 'widgets'
const resources = ['configmaps', 'widgets'] as const

const make = (t: Conversation, resource: Resource, metadata: object): object =>
  resource === 'widgets' ? metaWidget(t, { ...metadata }) : metaConfigMap({ ...metadata })

const marked = { labels: { w: 'x' } }
const selector = 'labelSelector=w%3Dx'

const change = (resource: Resource): object =>
  resource === 'widgets' ? { spec: { size: 5 } } : { data: { k: 'v' } }

/** Both kinds of resources are watched alike. */
const both = (name: string, run: (t: Conversation, resource: Resource) => Promise<void>): Case[] =>
  table('watch', Object.fromEntries(resources.map((resource) => [`${name}: ${resource}`, resource])), run)

const plain: readonly Case[] = [
  ...both('from a version on, in order', async (t, resource) => {
    const { version } = await t.get(t.url(resource, `?${selector}`))
    await t.post(t.url(resource), make(t, resource, { name: 'a', ...marked }))
    await t.patch(t.url(resource, 'a'), 'merge', change(resource))
    await t.post(t.url(resource), make(t, resource, { name: 'b', ...marked }))
    await t.delete(t.url(resource, 'a'))
    const watch = await t.watch(t.url(resource, `?${selector}&resourceVersion=${version}`))
    await watch.take(4)
    await t.delete(t.url(resource, 'b'))
    await watch.take(1)
  }),
  ...both('from nothing on: what is there first', async (t, resource) => {
    for (const name of ['b', 'a']) await t.post(t.url(resource), make(t, resource, { name, ...marked }))
    const watch = await t.watch(t.url(resource, `?${selector}`))
    await watch.take(2)
    await t.post(t.url(resource), make(t, resource, { name: 'c', ...marked }))
    await watch.take(1)
  }),
  ...both('from "0" on: what is there first', async (t, resource) => {
    for (const name of ['b', 'a']) await t.post(t.url(resource), make(t, resource, { name, ...marked }))
    await t.get(t.url(resource, `?${selector}`))
    const watch = await t.watch(t.url(resource, `?${selector}&resourceVersion=0`))
    await watch.take(2)
    await t.delete(t.url(resource, 'a'))
    await watch.take(1)
  }),
  ...both('objects that begin and cease to match appear and disappear', async (t, resource) => {
    const { version } = await t.get(t.url(resource, `?${selector}`))
    const watch = await t.watch(t.url(resource, `?${selector}&resourceVersion=${version}`))
    const label = (w: string | null): object => ({ metadata: { labels: { w } } })
    await t.post(t.url(resource), make(t, resource, { name: 'a' }))
    await t.patch(t.url(resource, 'a'), 'merge', label('x'))
    await t.patch(t.url(resource, 'a'), 'merge', change(resource))
    await t.patch(t.url(resource, 'a'), 'merge', label('y'))
    await t.patch(t.url(resource, 'a'), 'merge', label(null))
    await t.patch(t.url(resource, 'a'), 'merge', label('x'))
    await t.delete(t.url(resource, 'a'))
    await t.post(t.url(resource), make(t, resource, { name: 'end', ...marked }))
    await watch.upTo('end')
  }),
  ...both('by name', async (t, resource) => {
    await t.post(t.url(resource), make(t, resource, { name: 'other' }))
    const watch = await t.watch(t.url(resource, '?fieldSelector=metadata.name%3Dend'))
    await t.patch(t.url(resource, 'other'), 'merge', change(resource))
    await t.post(t.url(resource), make(t, resource, { name: 'end' }))
    await watch.upTo('end')
  }),
  ...both('a change without a change is no event', async (t, resource) => {
    await t.post(t.url(resource), make(t, resource, { name: 'a', ...marked }))
    const { version } = await t.get(t.url(resource, `?${selector}`))
    const watch = await t.watch(t.url(resource, `?${selector}&resourceVersion=${version}`))
    await t.patch(t.url(resource, 'a'), 'merge', {})
    await t.patch(t.url(resource, 'a'), 'merge', { metadata: { labels: { w: 'x' } } })
    await t.post(t.url(resource, '?dryRun=All'), make(t, resource, { name: 'dry', ...marked }))
    await t.post(t.url(resource), make(t, resource, { name: 'end', ...marked }))
    await watch.upTo('end')
  }),
  ...both('a deletion with a finalizer', async (t, resource) => {
    await t.post(t.url(resource), make(t, resource, { name: 'a', finalizers: ['example.com/f'], ...marked }))
    const { version } = await t.get(t.url(resource, `?${selector}`))
    const watch = await t.watch(t.url(resource, `?${selector}&resourceVersion=${version}`))
    await t.delete(t.url(resource, 'a'))
    await t.patch(t.url(resource, 'a'), 'merge', { metadata: { finalizers: null } })
    await watch.take(2)
  }),
  ...both('of all namespaces', async (t, resource) => {
    const only = { labels: { only: t.tag } }
    const watch = await t.watch(t.urlIn(undefined, resource, `?labelSelector=only%3D${t.tag}`))
    await t.post(t.url(resource), make(t, resource, { name: 'a', ...only }))
    await t.delete(t.url(resource, 'a'))
    await watch.take(2)
  }),
  ...both('the old path of watches', async (t, resource) => {
    const prefix = resource === 'widgets' ? `/apis/${t.group}/v1` : '/api/v1'
    await t.post(t.url(resource), make(t, resource, { name: 'a' }))
    const one = await t.watch(`${prefix}/watch/namespaces/${t.namespace}/${resource}/a`)
    await one.take(1)
    const all = await t.watch(
      `${prefix}/watch/namespaces/${t.namespace}/${resource}?${selector}&timeoutSeconds=1`,
    )
    await all.rest()
  }),
  ...both('a path of one object', async (t, resource) => {
    await t.post(t.url(resource), make(t, resource, { name: 'a' }))
    await t.get(t.url(resource, 'a?watch=1'))
    await t.get(t.url(resource, 'a?watch=1&fieldSelector=metadata.name%3Db'))
  }),
  ...both('ends when its time is over', async (t, resource) => {
    const watch = await t.watch(t.url(resource, `?${selector}&timeoutSeconds=1`))
    await watch.rest()
  }),
  ...both('of metadata alone', async (t, resource) => {
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
    await t.post(t.url(resource), make(t, resource, { name: 'a', ...marked }))
    const watch = await t.watch(t.url(resource, `?${selector}`), { accept })
    await t.patch(t.url(resource, 'a'), 'merge', change(resource))
    await t.delete(t.url(resource, 'a'))
    await watch.take(3)
  }),
  ...both('as a table', async (t, resource) => {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1'
    await t.post(t.url(resource), make(t, resource, { name: 'a', ...marked }))
    const watch = await t.watch(t.url(resource, `?${selector}`), { accept })
    await t.patch(t.url(resource, 'a'), 'merge', change(resource))
    await t.delete(t.url(resource, 'a'))
    await watch.take(3)
  }),
]

/** What a watch may be asked for, in one go with what it shows before its time is over. */
const queries = [
  'resourceVersion=x',
  'resourceVersion=-1',
  'resourceVersion=9999999999',
  'resourceVersion=V',
  'resourceVersion=V&resourceVersionMatch=Exact',
  'resourceVersion=V&resourceVersionMatch=NotOlderThan',
  'resourceVersionMatch=NotOlderThan',
  'sendInitialEvents=true',
  'sendInitialEvents=true&resourceVersionMatch=Exact',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0',
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=V',
  'sendInitialEvents=x&resourceVersionMatch=NotOlderThan',
  'limit=1',
  'continue=abc',
  'continue=abc&resourceVersion=V',
  'labelSelector=%3D%3D',
  'fieldSelector=nonsense',
  'fieldSelector=spec.x%3Dy',
  'allowWatchBookmarks=x',
  'watch=x',
  'watch=false&watch=true',
]

/** What the server remembers of a built-in kind depends on when it first looked; of a custom one, on its definition. */
const queriesOf: Readonly<Partial<Record<Resource, readonly string[]>>> = {
  widgets: ['resourceVersion=1'],
}

const asked = table(
  'watch',
  Object.fromEntries(
    resources.flatMap((resource) =>
      [...queries, ...(queriesOf[resource] ?? [])].map(
        (query): [string, { resource: Resource; query: string }] => [
          `${resource} with ${query}`,
          { resource, query },
        ],
      ),
    ),
  ),
  async (t, { resource, query }) => {
    const { version } = await t.quietly({
      method: 'POST',
      path: t.url(resource),
      headers: { 'content-type': 'application/json' },
      body: make(t, resource, { name: 'a', ...marked }),
    })
    // A list of now waits for the server's cache, where "any version" is that of the cache.
    await t.quietly({ method: 'GET', path: t.url(resource, '?limit=1') })
    const selecting = query.includes('Selector') ? '' : `&${selector}`
    const path = t.url(resource, `?${query.replace('=V', `=${version}`)}&timeoutSeconds=1${selecting}`)
    const watch = await t.watch(path)
    await watch.rest()
  },
)

const streaming = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'

const bookmarks = table(
  'watch',
  Object.fromEntries(
    resources.flatMap((resource) =>
      [
        streaming,
        `${streaming}&resourceVersion=0`,
        `${streaming}&resourceVersion=V`,
        `${streaming}&fieldSelector=metadata.name%3Da`,
        `${streaming}&fieldSelector=metadata.name%3Dmissing`,
      ].map((query): [string, { resource: Resource; query: string }] => [
        `a list as a stream of ${resource} with ${query}`,
        { resource, query },
      ]),
    ),
  ),
  async (t, { resource, query }) => {
    let version = ''
    for (const name of ['b', 'a', 'c'])
      version = (await t.post(t.url(resource), make(t, resource, { name, ...marked }))).version
    const watch = await t.watch(t.url(resource, `?${query.replace('=V', `=${version}`)}&${selector}`))
    await watch.upToEvent(isEndMark)
    await t.patch(t.url(resource, 'a'), 'merge', change(resource))
    if (!query.includes('missing')) await watch.take(1)
  },
)

const tables = table(
  'watch',
  {
    'a list as a stream of tables': 'application/json;as=Table;g=meta.k8s.io;v=v1',
    'a list as a stream of metadata': 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    'a list as a stream of tables of an old version': 'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
  },
  async (t, accept) => {
    for (const resource of resources) {
      await t.post(t.url(resource), make(t, resource, { name: 'a', ...marked }))
      const watch = await t.watch(t.url(resource, `?${streaming}&${selector}`), { accept })
      await watch.upToEvent(isEndMark)
    }
  },
)

const others = area('watch', {
  'of the status alone': async (t) => {
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a' }))
    const { version } = await t.get(t.url('widgets'))
    const watch = await t.watch(t.url('widgets', `?resourceVersion=${version}`))
    await t.patch(t.url('widgets', 'a/status'), 'merge', { status: { phase: 'x' } })
    await t.patch(t.url('widgets', 'a/scale'), 'merge', { spec: { replicas: 2 } })
    await watch.take(2)
  },
  'by a field of the spec': async (t) => {
    const { version } = await t.get(t.url('widgets'))
    const watch = await t.watch(
      t.url('widgets', `?resourceVersion=${version}&fieldSelector=spec.mode%3Dslow`),
    )
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a' }, { spec: { mode: 'fast' } }))
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { mode: 'slow' } })
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { size: 2 } })
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { mode: 'fast' } })
    await t.post(t.url('widgets'), metaWidget(t, { name: 'end' }, { spec: { mode: 'slow' } }))
    await watch.upTo('end')
  },
  'in another version of the kind': async (t) => {
    const watch = await t.watch(t.url('gizmos.v1beta1'))
    await t.post(t.url('gizmos'), {
      apiVersion: `${t.group}/v1`,
      kind: 'Gizmo',
      metadata: { name: 'a' },
      spec: { shared: 's', fresh: 'f' },
    })
    await t.delete(t.url('gizmos', 'a'))
    await watch.take(2)
  },
  'of a deletion of many': async (t) => {
    for (const name of ['c', 'a', 'b']) await t.post(t.url('configmaps'), metaConfigMap({ name, ...marked }))
    const { version } = await t.get(t.url('configmaps', `?${selector}`))
    const watch = await t.watch(t.url('configmaps', `?${selector}&resourceVersion=${version}`))
    await t.delete(t.url('configmaps', `?${selector}`))
    const events = await watch.take(3)
    t.note('names', events.map((event) => textAt(event, 'object.metadata.name')).toSorted())
  },
  'of what does not exist': async (t) => {
    await t.watch('/api/v1/nothings')
    await t.watch('/apis/nothing.example.com/v1/things')
    await t.watch(t.urlIn('missing-namespace', 'widgets', '?timeoutSeconds=1'))
    await t.watch('/apis/authorization.k8s.io/v1/subjectaccessreviews')
  },
  'two watches see the same': async (t) => {
    const one = await t.watch(t.url('widgets'))
    const two = await t.watch(t.url('widgets'))
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a' }))
    await one.take(1)
    await two.take(1)
  },
  'as a table without objects, and with whole ones': async (t) => {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1'
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a' }))
    const bare = await t.watch(t.url('widgets', '?includeObject=None'), { accept })
    await bare.take(1)
    const full = await t.watch(t.url('widgets', '?includeObject=Object'), { accept })
    await full.take(1)
    await t.watch(t.url('widgets', '?includeObject=Nonsense'), { accept })
  },
  'in a form that is not served': async (t) => {
    await t.watch(t.url('widgets'), { accept: 'text/html' })
    await t.watch(t.url('widgets', '?timeoutSeconds=1'), { accept: 'application/yaml' })
    await t.watch(t.url('configmaps', '?timeoutSeconds=1'), { accept: 'application/json;stream=watch' })
  },
})

const shown = area(
  'watch',
  {
    'a bookmark comes before the end': async (t) => {
      const watch = await t.watch(t.url('widgets', '?allowWatchBookmarks=true&timeoutSeconds=4'))
      await watch.upToEvent((event) => textAt(event, 'type') === 'BOOKMARK')
    },
    'no bookmark comes unasked': async (t) => {
      const watch = await t.watch(t.url('widgets', '?timeoutSeconds=3'))
      await watch.rest()
    },
  },
  { showBookmarks: true },
)

export const watches: readonly Case[] = [...shown, ...plain, ...asked, ...bookmarks, ...tables, ...others]
