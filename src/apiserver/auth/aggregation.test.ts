import { expect, test } from 'vitest'
import { yieldToEventLoop } from '../../base/index.js'
import { createSystemClient } from '../system-client.js'
import { createAdmissionTestServer } from '../test-admission.js'
import { startRoleAggregation } from './aggregation.js'

const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
const resource = 'clusterroles.rbac.authorization.k8s.io'
const reading = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }
const writing = { apiGroups: [''], resources: ['pods'], verbs: ['update'] }

test('a role that gathers others has their rules, in the order of their names and each once', async () => {
  const server = await createAdmissionTestServer()
  const client = createSystemClient(server.parts, { name: 'controller', groups: ['system:masters'] })
  const settle = async (): Promise<unknown> => {
    for (let turn = 0; turn < 20; turn++) await yieldToEventLoop()
    return server.parts.cluster.get(resource, '', 'all')?.['rules']
  }
  const create = (name: string, fields: Readonly<Record<string, unknown>>, labels = {}): Promise<unknown> =>
    server.create(rbac, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name, labels },
      ...fields,
    })
  const stop = startRoleAggregation(client)
  await create('all', {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { into: 'all' } }] },
    rules: [],
  })
  await create('z', { rules: [reading] }, { into: 'all' })
  await create('a', { rules: [writing, reading] }, { into: 'all' })
  await create('other', { rules: [{ ...reading, verbs: ['delete'] }] })
  expect(await settle()).toEqual([writing, reading])
  await server.send('DELETE', `${rbac}/a`)
  expect(await settle()).toEqual([reading])
  stop()
  await server.send('DELETE', `${rbac}/z`)
  expect(await settle()).toEqual([reading])
})
