import { deleted, deploymentAvailable, waitFor } from 'kubewright'
import { Deployment } from 'kubewright/kinds/apps/v1'
import type { Cluster } from 'kubewright/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExampleProcess, runExample } from './example-process.js'
import { createNamespace, kubectl, sharedCluster } from './shared-cluster.js'

const sample = (spec: object): string =>
  JSON.stringify({
    apiVersion: 'samplecontroller.k8s.io/v1alpha1',
    kind: 'Foo',
    metadata: { name: 'example-foo' },
    spec,
  })

let cluster: Cluster
let example: ExampleProcess

beforeAll(async () => {
  cluster = await sharedCluster()
  example = runExample('sample-controller', ['--kubeconfig', cluster.kubeconfig, '-v', '4'])
  await example.printed('Started workers')
})

afterAll(async () => {
  await example.stop()
  await cluster.stop()
})

test('the hand-written controller logs the steps of its start as the walkthrough shows them', () => {
  const steps = [
    'Setting up event handlers',
    'Starting Foo controller',
    'Waiting for informer caches to sync',
    'Starting workers  count=2',
    'Started workers',
  ]
  const positions = steps.map((step) => example.output.indexOf(step))
  expect(positions).not.toContain(-1)
  expect(positions).toEqual(positions.toSorted((left, right) => left - right))
})

test('a Foo gets its Deployment, follows its replicas and takes it along when it goes', async () => {
  const namespace = await createNamespace(cluster, 'sample')
  const key = { namespace, name: 'example-foo' }
  const resource = 'foos.samplecontroller.k8s.io'
  await kubectl(cluster, `apply -n ${namespace} -f -`, sample({ deploymentName: 'example-foo', replicas: 1 }))
  const made = await waitFor(cluster.client, Deployment, key, { until: deploymentAvailable })
  expect(made.metadata.ownerReferences).toMatchObject([{ kind: 'Foo', controller: true }])

  await kubectl(
    cluster,
    `patch -n ${namespace} ${resource} example-foo -p '{"spec":{"replicas":2}}' --type=merge`,
  )
  await kubectl(
    cluster,
    `wait -n ${namespace} ${resource}/example-foo --for=jsonpath='{.status.availableReplicas}'=2 --timeout=60s`,
  )
  await example.printed(`Successfully synced  resourceName=${namespace}/example-foo`)
  const events = await kubectl(cluster, `get -n ${namespace} event --field-selector involvedObject.kind=Foo`)
  expect(events).toMatch(/Normal +Synced +foo\/example-foo +Foo synced successfully/)

  await kubectl(cluster, `delete -n ${namespace} ${resource} example-foo`)
  await waitFor(cluster.client, Deployment, key, { until: deleted() })
})

test('SIGTERM ends the workers and the process, cleanly', async () => {
  const second = runExample('sample-controller', ['--kubeconfig', cluster.kubeconfig])
  await second.printed('Started workers')
  expect(await second.stop()).toBe(0)
  expect(second.output).toContain('Shutting down workers')
})

test('the example ends cleanly when it is told to', async () => {
  expect(await example.stop()).toBe(0)
})
