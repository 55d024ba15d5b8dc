import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import { textAt } from '../data.js'
import { metaConfigMap, metaWidget } from './objects.js'

type Resource = 'configmaps' | 'widgets'

async function make(t: Conversation, resource: Resource, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const metadata = { name, labels: { paged: 'yes', odd: String(name.charCodeAt(0) % 2) } }
    await t.quietly({
      method: 'POST',
      path: t.url(resource),
      headers: { 'content-type': 'application/json' },
      body: resource === 'widgets' ? metaWidget(t, metadata) : metaConfigMap(metadata),
    })
  }
  await refresh(t, resource)
}

/** What is read at version 0 comes from a cache; a list without a version waits until it has caught up. */
async function refresh(t: Conversation, resource: Resource): Promise<void> {
  await t.quietly({ method: 'GET', path: t.url(resource, '?limit=1') })
}

const five = ['a', 'b', 'c', 'd', 'e']

/** Lists to the end and records every page. */
async function listPages(t: Conversation, resource: Resource, query: string): Promise<void> {
  let token = ''
  for (let page = 0; page < 6; page++) {
    const answer = await t.get(
      t.url(resource, `?${query}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`),
    )
    token = textAt(answer.body, 'metadata.continue')
    if (token === '') return
  }
}

const walks = table(
  'pages',
  Object.fromEntries(
    (['configmaps', 'widgets'] as const).flatMap((resource) =>
      [
        'limit=2',
        'limit=1',
        'limit=5',
        'limit=6',
        'limit=2&fieldSelector=metadata.name!%3Dc',
        'limit=0',
        'limit=2&resourceVersion=0',
      ].map((query): [string, { resource: Resource; query: string }] => [
        `${resource} with ${query}`,
        { resource, query: `${query}&labelSelector=paged` },
      ]),
    ),
  ),
  async (t, { resource, query }) => {
    await make(t, resource, five)
    await listPages(t, resource, query)
  },
)

/** A token as the server makes them; the version and the key are the case's own. */
const token = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url')

const oddTokens: Readonly<Record<string, (t: Conversation) => string>> = {
  'that is nonsense': () => 'nonsense',
  'that is not base64': () => '%25%25',
  'that is no JSON': () => Buffer.from('hello').toString('base64url'),
  'of another form': () => token({ v: 'meta.k8s.io/v2', rv: 5, start: 'a' }),
  'without a form': () => token({ rv: 5, start: 'a' }),
  'without a start': () => token({ v: 'meta.k8s.io/v1', rv: 5 }),
  'that is empty data': () => token({}),
  'without a version': () => token({ v: 'meta.k8s.io/v1', rv: 0, start: 'b' }),
  'that leaves the folder': () => token({ v: 'meta.k8s.io/v1', rv: -1, start: '../x' }),
  'that begins with a slash': () => token({ v: 'meta.k8s.io/v1', rv: -1, start: '/x' }),
  'of any version': () => token({ v: 'meta.k8s.io/v1', rv: -1, start: 'b\u0000' }),
}

const tokens = table(
  'pages',
  Object.fromEntries(
    Object.entries(oddTokens).flatMap(([name, makeToken]) =>
      (['configmaps', 'widgets'] as const).map(
        (resource): [string, { resource: Resource; makeToken: (t: Conversation) => string }] => [
          `a continue token ${name}, of ${resource}`,
          { resource, makeToken },
        ],
      ),
    ),
  ),
  async (t, { resource, makeToken }) => {
    await make(t, resource, five)
    await t.get(t.url(resource, `?labelSelector=paged&limit=2&continue=${makeToken(t)}`))
    await t.get(t.url(resource, `?labelSelector=paged&continue=${makeToken(t)}`))
  },
)

/** What a list may be asked for: `V` is the version of a list before the last two objects came. */
const versionRules = [
  'resourceVersion=V',
  'resourceVersion=0',
  'resourceVersion=',
  'resourceVersion=V&resourceVersionMatch=Exact',
  'resourceVersion=V&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersionMatch=Exact',
  'resourceVersionMatch=NotOlderThan',
  'resourceVersion=V&resourceVersionMatch=exact',
  'resourceVersion=V&resourceVersionMatch=Foo',
  'resourceVersion=V&limit=2',
  'resourceVersion=V&limit=2&resourceVersionMatch=Exact',
  'resourceVersion=x',
  'resourceVersion=-1',
  'resourceVersion=1.5',
  'resourceVersion=99999999999999999999999',
  'sendInitialEvents=true',
  'sendInitialEvents=false',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  'limit=-1',
  'limit=x',
  'limit=1.5',
  'limit=99999999999999999999',
  'timeoutSeconds=x',
  'timeoutSeconds=-1',
  'allowWatchBookmarks=x',
  'watch=false',
  'watch=0',
  'limit=2&continue=C',
  'limit=2&continue=C&resourceVersion=V',
  'limit=2&continue=C&resourceVersion=0',
  'limit=2&continue=C&resourceVersionMatch=Exact',
  'limit=2&continue=C&resourceVersion=V&resourceVersionMatch=Exact',
  'continue=C',
  'pretty=true',
  'unknown=1',
  'limit=1&limit=2',
]

const rules = table(
  'pages',
  Object.fromEntries(
    (['configmaps', 'widgets'] as const).flatMap((resource) =>
      versionRules.map((query): [string, { resource: Resource; query: string }] => [
        `a list of ${resource} with ${query}`,
        { resource, query },
      ]),
    ),
  ),
  async (t, { resource, query }) => {
    await make(t, resource, ['a', 'b', 'c'])
    const page = await t.quietly({ method: 'GET', path: t.url(resource, '?labelSelector=paged&limit=1') })
    await make(t, resource, ['d', 'e'])
    const filled = query
      .replace('=V', `=${page.version}`)
      .replace('=C', `=${encodeURIComponent(textAt(page.body, 'metadata.continue'))}`)
    const answer = await t.get(t.url(resource, `?labelSelector=paged&${filled}`))
    t.note('whether the version is that of the first list', answer.version === page.version)
  },
)

const others = area('pages', {
  'pages are of one moment': async (t) => {
    await make(t, 'configmaps', five)
    const first = await t.get(t.url('configmaps', '?labelSelector=paged&limit=2'))
    await t.delete(t.url('configmaps', 'd'))
    await make(t, 'configmaps', ['bb', 'f'])
    const token = encodeURIComponent(textAt(first.body, 'metadata.continue'))
    const second = await t.get(t.url('configmaps', `?labelSelector=paged&limit=2&continue=${token}`))
    t.note('one version', first.version === second.version)
    await t.get(t.url('configmaps', `?labelSelector=paged&limit=10&continue=${token}`))
  },
  'a token is used with another selector': async (t) => {
    await make(t, 'widgets', five)
    const first = await t.get(t.url('widgets', '?labelSelector=paged&limit=2'))
    const token = encodeURIComponent(textAt(first.body, 'metadata.continue'))
    await t.get(t.url('widgets', `?labelSelector=odd%3D1&limit=2&continue=${token}`))
    await t.get(t.url('widgets', `?limit=2&continue=${token}`))
  },
  'a token is used in another namespace and for another resource': async (t) => {
    await make(t, 'widgets', five)
    const first = await t.get(t.url('widgets', '?labelSelector=paged&limit=2'))
    const token = encodeURIComponent(textAt(first.body, 'metadata.continue'))
    await t.get(t.urlIn('default', 'widgets', `?limit=2&continue=${token}`))
    await t.get(t.url('configmaps', `?labelSelector=paged&limit=2&continue=${token}`))
    await t.get(t.url('gizmos', `?limit=2&continue=${token}`))
  },
  'the remaining items are counted without a selector only': async (t) => {
    await make(t, 'widgets', five)
    const first = await t.get(t.url('widgets', '?limit=2'))
    const token = encodeURIComponent(textAt(first.body, 'metadata.continue'))
    await t.get(t.url('widgets', `?limit=2&continue=${token}`))
    await t.get(t.url('widgets', '?limit=2&labelSelector=paged'))
    await t.get(t.url('widgets', '?limit=2&fieldSelector=metadata.name!%3Dz'))
    await t.get(t.url('widgets', '?limit=2&fieldSelector='))
  },
  'one object at a version': async (t) => {
    const first = await t.post(t.url('configmaps'), metaConfigMap({ name: 'a' }))
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { k: 'v' } })
    await refresh(t, 'configmaps')
    await t.get(t.url('configmaps', `a?resourceVersion=${first.version}`))
    await t.get(t.url('configmaps', 'a?resourceVersion=0'))
    await t.get(t.url('configmaps', 'a?resourceVersion=x'))
    await t.get(t.url('configmaps', 'a?resourceVersion=1'))
    await t.get(t.url('configmaps', `a?resourceVersion=${first.version}&resourceVersionMatch=Exact`))
  },
  'a version of the future': async (t) => {
    await make(t, 'configmaps', ['a'])
    await t.get(t.url('configmaps', '?labelSelector=paged&resourceVersion=9999999999'))
    await t.get(t.url('configmaps', 'a?resourceVersion=9999999999'))
    await t.get(t.url('widgets', '?resourceVersion=9999999999&resourceVersionMatch=NotOlderThan'))
    await t.get(t.url('widgets', '?resourceVersion=9999999999&resourceVersionMatch=Exact'))
  },
  'a list is in the order of namespace and name': async (t) => {
    await make(t, 'configmaps', ['b', 'a-b', 'a', 'a.b', 'a0', 'aa', '1'])
    await t.get(t.url('configmaps', '?labelSelector=paged'))
    await make(t, 'widgets', ['b', 'a-b', 'a', 'a.b', 'a0', 'aa', '1'])
    await t.get(t.url('widgets'))
  },
  'an empty list': async (t) => {
    await t.get(t.url('widgets'))
    await t.get(t.url('secrets'))
    await t.get(t.url('widgets', '?limit=1'))
  },
})

export const pages: readonly Case[] = [...walks, ...tokens, ...rules, ...others]
