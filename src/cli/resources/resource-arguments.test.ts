import { expect, test } from 'vitest'
import type { DiscoveredKind, Discovery } from '../../client/index.js'
import { parseResourceArguments, resolveObject, resolveTargets } from './resource-arguments.js'

test.each([
  [['pods'], [{ resource: 'pods' }]],
  [['pods,services'], [{ resource: 'pods' }, { resource: 'services' }]],
  [['pods,', 'web'], [{ resource: 'pods', name: 'web' }]],
  [
    ['pods', 'web', 'db'],
    [
      { resource: 'pods', name: 'web' },
      { resource: 'pods', name: 'db' },
    ],
  ],
  [
    ['pod/web', 'foos.example.com/mine'],
    [
      { resource: 'pod', name: 'web' },
      { resource: 'foos.example.com', name: 'mine' },
    ],
  ],
])('%j is read as kubectl reads it', (args, expected) => {
  expect(parseResourceArguments(args)).toEqual(expected)
})

test.each([
  [['pod/web', 'db']],
  [['pods', 'pod/web']],
  [['pod/']],
  [['/web']],
  [['pod/web/x']],
  [['']],
  [[',']],
])('%j makes no sense, and the error says what to write', (args) => {
  expect(() => parseResourceArguments(args)).toThrow(
    expect.objectContaining({ code: 'KW_INVALID_ARGUMENTS', message: expect.stringContaining('write') }),
  )
})

const kind = (plural: string, group: string, more: Partial<DiscoveredKind> = {}): DiscoveredKind => ({
  group,
  version: 'v1',
  kind: plural,
  plural,
  singular: plural,
  listKind: `${plural}List`,
  scope: 'Namespaced',
  subresources: [],
  shortNames: [],
  categories: [],
  verbs: ['get', 'list'],
  ...more,
})

const all = [
  kind('pods', '', { categories: ['all'] }),
  kind('bindings', '', { categories: ['all'], verbs: ['create'] }),
  kind('deployments', 'apps', { categories: ['all'] }),
  kind('deployments', 'apps', { version: 'v1beta1', categories: ['all'] }),
]
const discovery: Discovery = {
  kinds: () => Promise.resolve(all),
  kindFor: () => Promise.reject(new Error('not asked')),
  find: (name) =>
    Promise.resolve(all.find(({ plural }) => plural === name) ?? Promise.reject(new Error(name))),
  invalidate: () => {},
}

test('a category stands for its kinds that can be listed, each once, in the version that is preferred', async () => {
  const targets = await resolveTargets(discovery, ['all'])
  expect(targets.map((target) => `${target.kind.plural}/${target.kind.version}`)).toEqual([
    'pods/v1',
    'deployments/v1',
  ])
})

test('one object is one object', async () => {
  expect(await resolveObject(discovery, ['pods', 'web'])).toMatchObject({ name: 'web' })
  expect(await resolveObject(discovery, ['pods/web'])).toMatchObject({ name: 'web' })
  for (const args of [['pods'], ['pods', 'a', 'b'], ['pods/a', 'pods/b'], ['pods,deployments', 'a']])
    await expect(resolveObject(discovery, args)).rejects.toMatchObject({ code: 'KW_INVALID_ARGUMENTS' })
})
