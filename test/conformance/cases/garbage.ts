import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import type { Answer } from '../exchange.js'
import { metaConfigMap, metaWidget, secret } from './objects.js'

const isGone = ({ status }: Answer): boolean => status === 404

/** A reference to an object that the server has just made. */
const refer = (owner: Answer, more: object = {}): object => ({
  apiVersion: owner.at('apiVersion'),
  kind: owner.at('kind'),
  name: owner.name,
  uid: owner.uid,
  ...more,
})

const owned = (name: string, owners: readonly object[], more: object = {}): object =>
  metaConfigMap({ name, ownerReferences: owners, ...more })

const makeOwner = (t: Conversation, name = 'owner', more: object = {}): Promise<Answer> =>
  t.post(t.url('configmaps'), metaConfigMap({ name, ...more }))

const policies = table(
  'garbage',
  {
    'in the background': 'Background',
    'in the foreground': 'Foreground',
    'with orphans': 'Orphan',
    'by default': undefined,
  },
  async (t, propagationPolicy) => {
    const owner = await makeOwner(t)
    await t.post(
      t.url('configmaps'),
      owned('child', [refer(owner, { blockOwnerDeletion: true, controller: true })]),
    )
    await t.post(t.url('configmaps'), owned('other', []))
    await t.delete(
      t.url('configmaps', 'owner'),
      propagationPolicy === undefined ? undefined : { propagationPolicy },
    )
    await t.until(t.url('configmaps', 'owner'), isGone)
    if (propagationPolicy === 'Orphan')
      await t.until(
        t.url('configmaps', 'child'),
        (answer) => answer.at('metadata.ownerReferences') === undefined,
      )
    else await t.until(t.url('configmaps', 'child'), isGone)
    await t.get(t.url('configmaps', 'other'))
  },
)

const others = area('garbage', {
  'a chain of three': async (t) => {
    const first = await makeOwner(t, 'first')
    const second = await t.post(t.url('configmaps'), owned('second', [refer(first)]))
    await t.post(t.url('configmaps'), owned('third', [refer(second)]))
    await t.delete(t.url('configmaps', 'first'), { propagationPolicy: 'Background' })
    await t.until(t.url('configmaps', 'third'), isGone)
    await t.until(t.url('configmaps', 'second'), isGone)
  },
  'a chain of three in the foreground': async (t) => {
    const block = { blockOwnerDeletion: true }
    const first = await makeOwner(t, 'first')
    const second = await t.post(t.url('configmaps'), owned('second', [refer(first, block)]))
    await t.post(t.url('configmaps'), owned('third', [refer(second, block)]))
    await t.delete(t.url('configmaps', 'first'), { propagationPolicy: 'Foreground' })
    await t.until(t.url('configmaps', 'first'), isGone)
    await t.get(t.url('configmaps', 'second'))
    await t.get(t.url('configmaps', 'third'))
  },
  'two owners: the last one counts': async (t) => {
    const one = await makeOwner(t, 'one')
    const two = await makeOwner(t, 'two')
    await t.post(t.url('configmaps'), owned('child', [refer(one), refer(two)]))
    await t.delete(t.url('configmaps', 'one'), { propagationPolicy: 'Background' })
    await t.until(
      t.url('configmaps', 'child'),
      (answer) => answer.at('metadata.ownerReferences.1') === undefined,
    )
    await t.delete(t.url('configmaps', 'two'), { propagationPolicy: 'Background' })
    await t.until(t.url('configmaps', 'child'), isGone)
  },
  'in the foreground, a dependent with a finalizer holds its owner': async (t) => {
    const owner = await makeOwner(t)
    const reference = refer(owner, { blockOwnerDeletion: true })
    await t.post(t.url('configmaps'), owned('child', [reference], { finalizers: ['example.com/f'] }))
    await t.delete(t.url('configmaps', 'owner'), { propagationPolicy: 'Foreground' })
    await t.until(
      t.url('configmaps', 'child'),
      (answer) => answer.at('metadata.deletionTimestamp') !== undefined,
    )
    await t.get(t.url('configmaps', 'owner'))
    await t.patch(t.url('configmaps', 'child'), 'merge', { metadata: { finalizers: null } })
    await t.until(t.url('configmaps', 'owner'), isGone)
  },
  'in the foreground, a dependent that does not block is not waited for': async (t) => {
    const owner = await makeOwner(t)
    await t.post(t.url('configmaps'), owned('child', [refer(owner)], { finalizers: ['example.com/f'] }))
    await t.delete(t.url('configmaps', 'owner'), { propagationPolicy: 'Foreground' })
    await t.until(t.url('configmaps', 'owner'), isGone)
    await t.until(
      t.url('configmaps', 'child'),
      (answer) => answer.at('metadata.deletionTimestamp') !== undefined,
    )
    await t.patch(t.url('configmaps', 'child'), 'merge', { metadata: { finalizers: null } })
  },
  'an owner that never was': async (t) => {
    const uid = '00000000-0000-4000-8000-000000000000'
    await t.post(
      t.url('configmaps'),
      owned('child', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid }]),
    )
    await t.until(t.url('configmaps', 'child'), isGone)
  },
  'an owner with another uid': async (t) => {
    const owner = await makeOwner(t)
    await t.post(
      t.url('configmaps'),
      owned('child', [refer(owner, { uid: '00000000-0000-4000-8000-000000000000' })]),
    )
    await t.until(t.url('configmaps', 'child'), isGone)
    await t.get(t.url('configmaps', 'owner'))
  },
  'an owner in another namespace counts as absent': async (t) => {
    const owner = await t.post(t.urlIn('default', 'configmaps'), metaConfigMap({ name: `${t.tag}-owner` }))
    await t.post(t.url('configmaps'), owned('child', [refer(owner)]))
    await t.until(t.url('configmaps', 'child'), isGone)
    await t.delete(t.urlIn('default', 'configmaps', `${t.tag}-owner`))
  },
  'dependents of another kind': async (t) => {
    const owner = await makeOwner(t)
    const metadata = { name: 'child', ownerReferences: [refer(owner)] }
    await t.post(t.url('secrets'), { ...secret('child'), metadata })
    await t.post(t.url('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
    await t.post(t.url('leases'), { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata })
    await t.delete(t.url('configmaps', 'owner'), { propagationPolicy: 'Background' })
    await t.until(t.url('secrets', 'child'), isGone)
    await t.until(t.url('serviceaccounts', 'child'), isGone)
    await t.until(t.url('leases', 'child'), isGone)
  },
  'an owner whose namespace is its own': async (t) => {
    const own = await t.quietly({ method: 'GET', path: t.url('namespaces', t.namespace) })
    await t.post(t.url('configmaps'), owned('child', [refer(own)]))
    await t.get(t.url('configmaps', 'child'))
  },
  'the reference is taken away in time': async (t) => {
    const owner = await makeOwner(t)
    await t.post(t.url('configmaps'), owned('child', [refer(owner)]))
    await t.patch(t.url('configmaps', 'child'), 'merge', { metadata: { ownerReferences: null } })
    await t.delete(t.url('configmaps', 'owner'), { propagationPolicy: 'Foreground' })
    await t.until(t.url('configmaps', 'owner'), isGone)
    await t.get(t.url('configmaps', 'child'))
  },
  'orphaning together with a finalizer': async (t) => {
    const owner = await makeOwner(t, 'owner', { finalizers: ['example.com/f'] })
    await t.post(t.url('configmaps'), owned('child', [refer(owner)]))
    await t.delete(t.url('configmaps', 'owner'), { propagationPolicy: 'Orphan' })
    await t.until(t.url('configmaps', 'owner'), (answer) => answer.at('metadata.finalizers.1') === undefined)
    await t.until(
      t.url('configmaps', 'child'),
      (answer) => answer.at('metadata.ownerReferences') === undefined,
    )
    await t.patch(t.url('configmaps', 'owner'), 'merge', { metadata: { finalizers: null } })
    await t.get(t.url('configmaps', 'owner'))
    await t.get(t.url('configmaps', 'child'))
  },
  'the policy is changed on the way': async (t) => {
    const owner = await makeOwner(t, 'owner', { finalizers: ['example.com/f'] })
    await t.post(
      t.url('configmaps'),
      owned('child', [refer(owner, { blockOwnerDeletion: true })], { finalizers: ['example.com/f'] }),
    )
    await t.delete(t.url('configmaps', 'owner'), { propagationPolicy: 'Background' })
    await t.delete(t.url('configmaps', 'owner'), { propagationPolicy: 'Foreground' })
    await t.until(
      t.url('configmaps', 'child'),
      (answer) => answer.at('metadata.deletionTimestamp') !== undefined,
    )
    await t.patch(t.url('configmaps', 'child'), 'merge', { metadata: { finalizers: null } })
    await t.until(t.url('configmaps', 'owner'), (answer) => answer.at('metadata.finalizers.1') === undefined)
    await t.patch(t.url('configmaps', 'owner'), 'merge', { metadata: { finalizers: null } })
    await t.get(t.url('configmaps', 'owner'))
  },
  // A new kind is looked for every thirty seconds.
  'custom resources own and are owned': async (t) => {
    const patient = { timeoutMs: 60_000 }
    const owner = await t.post(t.url('widgets'), metaWidget(t, { name: 'owner' }))
    await t.post(t.url('widgets'), metaWidget(t, { name: 'child', ownerReferences: [refer(owner)] }))
    await t.post(t.url('configmaps'), owned('child', [refer(owner)]))
    await t.delete(t.url('widgets', 'owner'), { propagationPolicy: 'Background' })
    await t.until(t.url('widgets', 'child'), isGone, patient)
    await t.until(t.url('configmaps', 'child'), isGone, patient)
  },
})

export const garbage: readonly Case[] = [...policies, ...others]
