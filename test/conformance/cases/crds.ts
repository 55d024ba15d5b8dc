import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import type { Answer } from '../exchange.js'
import { hasCondition, install, looseVersion, ownCrd, ownGroup, ownPath } from './own-crd.js'

const crdUrl = (t: Conversation, plural: string, rest = ''): string =>
  t.url('customresourcedefinitions', `${plural}.${ownGroup(t)}${rest}`)
const isGone = ({ status }: Answer): boolean => status === 404
const isEstablished = (answer: Answer): boolean => hasCondition(answer, 'Established')
const thing = { plural: 'things', kind: 'Thing' }
const makeThing = (t: Conversation, name: string, more: object = {}, version = 'v1'): object => ({
  apiVersion: `${ownGroup(t)}/${version}`,
  kind: 'Thing',
  metadata: { name },
  ...more,
})

const lifecycle = area('CRDs', {
  'from creation to establishment': async (t) => {
    await t.post(t.url('customresourcedefinitions'), ownCrd(t, thing))
    await t.until(crdUrl(t, 'things'), isEstablished)
    await t.until(ownPath(t, 'things'), ({ status }) => status === 200)
    await t.post(ownPath(t, 'things'), makeThing(t, 'a', { any: 1 }))
    await t.post(t.url('customresourcedefinitions'), ownCrd(t, thing))
  },
  'objects of one that is not there': async (t) => {
    await t.get(ownPath(t, 'things'))
    await t.post(ownPath(t, 'things'), makeThing(t, 'a'))
    await t.get(`/apis/${ownGroup(t)}`)
    await t.get(`/apis/${ownGroup(t)}/v1`)
  },
  'deletion takes the objects along': async (t) => {
    await install(t, ownCrd(t, thing), ownPath(t, 'things'))
    await t.post(ownPath(t, 'things'), makeThing(t, 'a'))
    await t.delete(crdUrl(t, 'things'))
    await t.until(crdUrl(t, 'things'), isGone)
    await t.until(ownPath(t, 'things'), isGone)
    await t.until(`/apis/${ownGroup(t)}/v1`, isGone)
  },
  'deletion waits for finalizers of objects': async (t) => {
    await install(t, ownCrd(t, thing), ownPath(t, 'things'))
    await t.post(
      ownPath(t, 'things'),
      makeThing(t, 'a', { metadata: { name: 'a', finalizers: ['example.com/f'] } }),
    )
    await t.delete(crdUrl(t, 'things'))
    await t.until(crdUrl(t, 'things'), (answer) => hasCondition(answer, 'Terminating'), { quiet: true })
    await t.until(
      ownPath(t, 'things', '/a'),
      (answer) => answer.at('metadata.deletionTimestamp') !== undefined,
    )
    await t.untilSent(
      {
        method: 'POST',
        path: ownPath(t, 'things'),
        headers: { 'content-type': 'application/json' },
        body: makeThing(t, 'b'),
      },
      ({ status }) => status >= 400,
    )
    await t.patch(ownPath(t, 'things', '/a'), 'merge', { metadata: { finalizers: null } })
    await t.until(crdUrl(t, 'things'), isGone)
  },
  'a deletion of one without objects': async (t) => {
    const created = await t.post(t.url('customresourcedefinitions'), ownCrd(t, thing))
    await t.until(crdUrl(t, 'things'), isEstablished, { quiet: true })
    await t.delete(crdUrl(t, 'things'), { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } })
    await t.delete(crdUrl(t, 'things', '?dryRun=All'))
    await t.delete(crdUrl(t, 'things'), { preconditions: { uid: created.uid } })
    await t.until(crdUrl(t, 'things'), isGone)
  },
  'names that are taken': async (t) => {
    await install(
      t,
      ownCrd(t, { ...thing, names: { shortNames: ['th'], categories: ['all'] } }),
      ownPath(t, 'things'),
    )
    await t.post(t.url('customresourcedefinitions'), ownCrd(t, { plural: 'others', kind: 'Thing' }))
    await t.until(crdUrl(t, 'others'), (answer) => hasCondition(answer, 'NamesAccepted', 'False'))
    await t.post(
      t.url('customresourcedefinitions'),
      ownCrd(t, { plural: 'shorts', kind: 'Short', names: { shortNames: ['th'] } }),
    )
    await t.until(crdUrl(t, 'shorts'), (answer) => hasCondition(answer, 'NamesAccepted', 'False'))
    await t.get(ownPath(t, 'others'))
    await t.delete(crdUrl(t, 'things'))
    await t.until(crdUrl(t, 'others'), isEstablished)
  },
  'the names change': async (t) => {
    await install(t, ownCrd(t, thing), ownPath(t, 'things'))
    await t.patch(crdUrl(t, 'things'), 'merge', {
      spec: { names: { shortNames: ['tt'], categories: ['all'], singular: 'thg' } },
    })
    await t.until(crdUrl(t, 'things'), (answer) => answer.at('status.acceptedNames.shortNames.0') === 'tt')
    await t.patch(crdUrl(t, 'things'), 'merge', { spec: { names: { plural: 'changed' } } })
    await t.patch(crdUrl(t, 'things'), 'merge', { spec: { names: { kind: 'Changed' } } })
    await t.patch(crdUrl(t, 'things'), 'merge', { spec: { scope: 'Cluster' } })
    await t.patch(crdUrl(t, 'things'), 'merge', { spec: { group: 'other.example.com' } })
  },
  'the schema changes, and objects with it': async (t) => {
    const withSchema = (properties: object): object => ({
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    })
    const text = { type: 'string' }
    await install(t, ownCrd(t, { ...thing, spec: withSchema({ a: text, b: text }) }), ownPath(t, 'things'))
    await t.post(ownPath(t, 'things'), makeThing(t, 'a', { a: 'x', b: 'y', c: 'z' }))
    await t.patch(crdUrl(t, 'things'), 'merge', {
      spec: withSchema({ a: text, c: { type: 'string', default: 'd' } }),
    })
    await t.until(ownPath(t, 'things', '/a'), (answer) => answer.at('c') === 'd')
    await t.patch(crdUrl(t, 'things'), 'merge', { spec: withSchema({ a: { type: 'integer' } }) })
    await t.untilSent(
      {
        method: 'POST',
        path: ownPath(t, 'things', '?dryRun=All'),
        headers: { 'content-type': 'application/json' },
        body: makeThing(t, 'b', { a: 'text' }),
      },
      ({ status }) => status === 422,
    )
    await t.get(ownPath(t, 'things', '/a'))
    await t.patch(ownPath(t, 'things', '/a'), 'merge', { metadata: { labels: { l: 'm' } } })
    await t.patch(ownPath(t, 'things', '/a'), 'merge', { a: 5 })
    await t.patch(crdUrl(t, 'things'), 'merge', {
      spec: {
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'nonsense' } } },
        ],
      },
    })
  },
  'several versions without conversion': async (t) => {
    const versions = [
      looseVersion('v1', { storage: true }),
      looseVersion('v1beta1'),
      looseVersion('v2alpha1', { served: false }),
    ]
    await install(t, ownCrd(t, { ...thing, spec: { versions } }), ownPath(t, 'things'))
    await t.post(ownPath(t, 'things', '', 'v1beta1'), makeThing(t, 'a', { x: 1 }, 'v1beta1'))
    await t.get(ownPath(t, 'things', '/a', 'v1'))
    await t.get(ownPath(t, 'things', '', 'v1beta1'))
    await t.get(ownPath(t, 'things', '/a', 'v2alpha1'))
    await t.put(ownPath(t, 'things', '/a', 'v1'), makeThing(t, 'a', {}, 'v1beta1'))
    await t.post(ownPath(t, 'things', '', 'v1'), makeThing(t, 'b', {}, 'v1beta1'))
    await t.patch(ownPath(t, 'things', '/a', 'v1beta1'), 'merge', { y: 2 })
    await t.get(`/apis/${ownGroup(t)}`)
  },
  'the storage version changes': async (t) => {
    const versions = (storage: string): object => ({
      versions: ['v1', 'v2'].map((name) => looseVersion(name, { storage: name === storage })),
    })
    await install(t, ownCrd(t, { ...thing, spec: versions('v1') }), ownPath(t, 'things'))
    await t.post(ownPath(t, 'things'), makeThing(t, 'a'))
    await t.patch(crdUrl(t, 'things'), 'merge', { spec: versions('v2') })
    await t.until(crdUrl(t, 'things'), (answer) => answer.at('status.storedVersions.1') === 'v2')
    await t.patch(crdUrl(t, 'things'), 'merge', {
      spec: { versions: [looseVersion('v2', { storage: true })] },
    })
    await t.patch(crdUrl(t, 'things', '/status'), 'merge', { status: { storedVersions: ['v2'] } })
    await t.get(ownPath(t, 'things', '/a', 'v2'))
  },
  'a version that is no longer served': async (t) => {
    await install(t, ownCrd(t, thing), ownPath(t, 'things'))
    await t.patch(crdUrl(t, 'things'), 'merge', {
      spec: { versions: [looseVersion('v1', { storage: true, served: false })] },
    })
    await t.until(ownPath(t, 'things'), isGone)
    await t.until(`/apis/${ownGroup(t)}`, isGone)
  },
  'subresources come and go': async (t) => {
    const withStatus = { versions: [looseVersion('v1', { storage: true, subresources: { status: {} } })] }
    await install(t, ownCrd(t, thing), ownPath(t, 'things'))
    await t.post(ownPath(t, 'things'), makeThing(t, 'a', { status: { x: 1 } }))
    await t.patch(crdUrl(t, 'things'), 'merge', { spec: withStatus })
    await t.until(ownPath(t, 'things', '/a/status'), ({ status }) => status === 200)
    await t.patch(ownPath(t, 'things', '/a'), 'merge', { status: { x: 2 }, spec: { y: 1 } })
    await t.patch(ownPath(t, 'things', '/a/status'), 'merge', { status: { x: 3 }, spec: { y: 2 } })
  },
  "conditions and status are the server's": async (t) => {
    await t.post(t.url('customresourcedefinitions'), {
      ...ownCrd(t, thing),
      status: { storedVersions: ['v9'], acceptedNames: { plural: 'x', kind: 'X' }, conditions: [] },
    })
    await t.until(crdUrl(t, 'things'), isEstablished)
    await t.get(crdUrl(t, 'things', '/status'))
    await t.patch(crdUrl(t, 'things', '/status'), 'merge', { status: { storedVersions: [] } })
    await t.patch(crdUrl(t, 'things', '/status'), 'merge', { status: { storedVersions: ['v9'] } })
  },
  'a deprecated version warns': async (t) => {
    const gizmo = (version: string): object => ({
      apiVersion: `${t.group}/${version}`,
      kind: 'Gizmo',
      metadata: { name: `a-${version}` },
    })
    await t.post(t.url('gizmos.v1beta1'), gizmo('v1beta1'))
    await t.post(t.url('gizmos.v1alpha1'), gizmo('v1alpha1'))
    await t.get(t.url('gizmos.v1alpha1'))
    await t.get(t.url('gizmos.v1alpha1', 'a-v1beta1'))
    await t.patch(t.url('gizmos.v1alpha1', 'a-v1alpha1'), 'merge', {})
    await t.delete(t.url('gizmos.v1beta1', 'a-v1alpha1'))
    await t.get(t.url('gizmos'))
  },
  'fields of one version vanish in another': async (t) => {
    await t.post(t.url('gizmos'), {
      apiVersion: `${t.group}/v1`,
      kind: 'Gizmo',
      metadata: { name: 'a' },
      spec: { shared: 's', fresh: 'f', stale: 'x' },
    })
    await t.get(t.url('gizmos.v1beta1', 'a'))
    await t.patch(t.url('gizmos.v1beta1', 'a'), 'merge', { spec: { stale: 'y', fresh: 'z' } })
    await t.get(t.url('gizmos', 'a'))
    await t.put(t.url('gizmos.v1beta1', 'a'), {
      apiVersion: `${t.group}/v1beta1`,
      kind: 'Gizmo',
      metadata: { name: 'a' },
    })
  },
})

/** CRDs that are refused, or defaulted in a way worth seeing: what is sent in place of a plain one. */
const refused: Readonly<Record<string, (t: Conversation) => object>> = {
  'a name that is not plural and group': (t) => ownCrd(t, { ...thing, metadata: { name: 'wrong' } }),
  'a plural with capitals': (t) => ownCrd(t, { plural: 'Things', kind: 'Thing' }),
  'a kind in small letters': (t) => ownCrd(t, { plural: 'things', kind: 'thing' }),
  'a kind that is no name': (t) => ownCrd(t, { plural: 'things', kind: 'The Thing' }),
  'no kind': (t) => ownCrd(t, { plural: 'things', kind: '' }),
  'a listKind like the kind': (t) => ownCrd(t, { ...thing, names: { listKind: 'Thing' } }),
  'a short name that is none': (t) => ownCrd(t, { ...thing, names: { shortNames: ['T T'] } }),
  'a category that is none': (t) => ownCrd(t, { ...thing, names: { categories: ['A!'] } }),
  'no scope': (t) => ownCrd(t, { ...thing, spec: { scope: '' } }),
  'a wrong scope': (t) => ownCrd(t, { ...thing, spec: { scope: 'Galaxy' } }),
  'no group': (t) => ownCrd(t, { ...thing, spec: { group: '' } }),
  'a group without a dot': (t) =>
    ownCrd(t, { ...thing, metadata: { name: 'things.x' }, spec: { group: 'x' } }),
  'a protected group': (t) =>
    ownCrd(t, { ...thing, metadata: { name: 'things.x.k8s.io' }, spec: { group: 'x.k8s.io' } }),
  'no versions': (t) => ownCrd(t, { ...thing, spec: { versions: [] } }),
  'versions that are absent': (t) => ownCrd(t, { ...thing, spec: { versions: null } }),
  'a version twice': (t) =>
    ownCrd(t, { ...thing, spec: { versions: [looseVersion('v1', { storage: true }), looseVersion('v1')] } }),
  'two storage versions': (t) =>
    ownCrd(t, {
      ...thing,
      spec: { versions: [looseVersion('v1', { storage: true }), looseVersion('v2', { storage: true })] },
    }),
  'no storage version': (t) => ownCrd(t, { ...thing, spec: { versions: [looseVersion('v1')] } }),
  'a version that is no name': (t) =>
    ownCrd(t, { ...thing, spec: { versions: [looseVersion('V 1', { storage: true })] } }),
  'a version without a schema': (t) =>
    ownCrd(t, { ...thing, spec: { versions: [{ name: 'v1', served: true, storage: true }] } }),
  'old unknown fields': (t) => ownCrd(t, { ...thing, spec: { preserveUnknownFields: true } }),
  'a conversion without a webhook': (t) =>
    ownCrd(t, { ...thing, spec: { conversion: { strategy: 'Webhook' } } }),
  'a conversion that is none': (t) => ownCrd(t, { ...thing, spec: { conversion: { strategy: 'Magic' } } }),
  'a webhook that is not used': (t) =>
    ownCrd(t, {
      ...thing,
      spec: {
        conversion: {
          strategy: 'None',
          webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.com' } },
        },
      },
    }),
  'a webhook with a plain address': (t) =>
    ownCrd(t, {
      ...thing,
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'http://example.com' } },
        },
      },
    }),
  'a webhook without versions': (t) =>
    ownCrd(t, {
      ...thing,
      spec: {
        conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://example.com/x?y=z' } } },
      },
    }),
  'a webhook of a service': (t) =>
    ownCrd(t, {
      ...thing,
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { service: { namespace: 'n', name: 's' } },
          },
        },
      },
    }),
  'a deprecation warning without deprecation': (t) =>
    ownCrd(t, {
      ...thing,
      spec: { versions: [looseVersion('v1', { storage: true, deprecationWarning: 'x' })] },
    }),
  'a column that is none': (t) =>
    ownCrd(t, {
      ...thing,
      spec: {
        versions: [
          looseVersion('v1', {
            storage: true,
            additionalPrinterColumns: [{ name: '', type: 'text', jsonPath: 'x' }],
          }),
        ],
      },
    }),
  'a scale without paths': (t) =>
    ownCrd(t, {
      ...thing,
      spec: { versions: [looseVersion('v1', { storage: true, subresources: { scale: {} } })] },
    }),
  'a scale with wrong paths': (t) =>
    ownCrd(t, {
      ...thing,
      spec: {
        versions: [
          looseVersion('v1', {
            storage: true,
            subresources: {
              scale: { specReplicasPath: '.a', statusReplicasPath: '.spec.b[0]', labelSelectorPath: 'x' },
            },
          }),
        ],
      },
    }),
  'selectable fields that are none': (t) =>
    ownCrd(t, {
      ...thing,
      spec: {
        versions: [
          looseVersion('v1', {
            storage: true,
            selectableFields: [{ jsonPath: '.spec.x' }, { jsonPath: 'y' }, { jsonPath: '.spec.x' }],
          }),
        ],
      },
    }),
  'an unknown field': (t) => ownCrd(t, { ...thing, spec: { unknown: 1 } }),
  'an old version of the API': (t) => ({ ...ownCrd(t, thing), apiVersion: 'apiextensions.k8s.io/v1beta1' }),
}

const validation = table(
  'CRDs',
  Object.fromEntries(Object.entries(refused).map(([name, make]) => [`one with ${name}`, make])),
  async (t, make) => void (await t.post(t.url('customresourcedefinitions', '?dryRun=All'), make(t))),
  { namespace: 'shared' },
)

export const crds: readonly Case[] = [...lifecycle, ...validation]
