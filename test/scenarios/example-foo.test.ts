import { deleted, deploymentAvailable, loadValidator, waitFor } from 'kubewright'
import type { WaitCondition } from 'kubewright/client'
import { Deployment } from 'kubewright/kinds/apps/v1'
import type { Cluster } from 'kubewright/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Foo } from '../../examples/foo/api/foo.js'
import { type ExampleProcess, runExample } from './example-process.js'
import { createNamespace, kubectl, sharedCluster } from './shared-cluster.js'

// The checks of the walkthrough, with kubectl, while the example runs as its README says.
const sample = (spec: object, name = 'foo-sample'): string =>
  JSON.stringify({ apiVersion: 'example.com/v1alpha1', kind: 'Foo', metadata: { name }, spec })

let cluster: Cluster
let example: ExampleProcess

beforeAll(async () => {
  cluster = await sharedCluster()
  example = runExample('foo', ['--kubeconfig', cluster.kubeconfig, '--log-format', 'json'])
  await example.printed('"msg":"Starting."')
  await kubectl(cluster, 'wait --for=create crd/foos.example.com --timeout=60s')
  await kubectl(cluster, 'wait --for=condition=Established crd/foos.example.com --timeout=60s')
})

afterAll(async () => {
  await example.stop()
  await cluster.stop()
})

const availableReplicas = (count: number): WaitCondition<Foo> => ({
  name: `at ${count} available replicas`,
  judge: ({ status }) =>
    status?.availableReplicas === count
      ? { state: 'met' }
      : { state: 'pending', seen: JSON.stringify(status ?? {}) },
})

test('a Foo gets its Deployment, follows its replicas and takes it along when it goes', async () => {
  const namespace = await createNamespace(cluster, 'foo')
  const key = { namespace, name: 'foo-sample' }
  await kubectl(cluster, `apply -n ${namespace} -f -`, sample({ deploymentName: 'foo-sample', replicas: 1 }))

  const made = await waitFor(cluster.client, Deployment, key, { until: deploymentAvailable })
  const foo = await waitFor(cluster.client, Foo, key, { until: availableReplicas(1) })
  expect(made.spec).toMatchObject({
    replicas: 1,
    selector: { matchLabels: { app: 'nginx', controller: 'foo-sample' } },
    template: { spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] } },
  })
  expect(made.metadata.ownerReferences).toMatchObject([
    { kind: 'Foo', uid: foo.metadata.uid, controller: true },
  ])

  await kubectl(cluster, `patch -n ${namespace} foo foo-sample -p '{"spec":{"replicas": 2}}' --type=merge`)
  await waitFor(cluster.client, Foo, key, { until: availableReplicas(2) })
  expect(await kubectl(cluster, `get -n ${namespace} foo foo-sample -o jsonpath='{.status}'`)).toBe(
    '{"availableReplicas":2}',
  )
  expect(await kubectl(cluster, `get -n ${namespace} foo`)).toMatch(
    /NAME +DEPLOYMENT +REPLICAS +AVAILABLE +AGE/,
  )

  const events = await kubectl(cluster, `get -n ${namespace} event --field-selector involvedObject.kind=Foo`)
  expect(events).toMatch(/Normal +Synced +foo\/foo-sample +Foo synced successfully/)

  await kubectl(cluster, `delete -n ${namespace} foo foo-sample`)
  await waitFor(cluster.client, Deployment, key, { until: deleted() })
})

test('a Deployment that somebody deletes or edits by hand is put right', async () => {
  const namespace = await createNamespace(cluster, 'foo')
  const key = { namespace, name: 'foo-sample' }
  await kubectl(cluster, `apply -n ${namespace} -f -`, sample({ deploymentName: 'foo-sample', replicas: 2 }))
  const first = await waitFor(cluster.client, Deployment, key, { until: deploymentAvailable })

  await kubectl(cluster, `delete -n ${namespace} deployment foo-sample`)
  const second = await waitFor(cluster.client, Deployment, key, { until: deploymentAvailable })
  expect(second.metadata.uid).not.toBe(first.metadata.uid)

  await kubectl(cluster, `scale -n ${namespace} deployment foo-sample --replicas=5`)
  await waitFor(cluster.client, Deployment, key, {
    until: {
      name: 'at 2 replicas again',
      judge: ({ spec, metadata }) =>
        spec?.replicas === 2 && (metadata.generation ?? 0) > (second.metadata.generation ?? 0) + 1
          ? { state: 'met' }
          : { state: 'pending', seen: `${spec?.replicas} replicas` },
    },
  })
})

test('a Deployment of somebody else is left alone, and the Foo says why', async () => {
  const namespace = await createNamespace(cluster, 'foo')
  await kubectl(cluster, `create -n ${namespace} deployment foo-sample --image=nginx`)
  const stranger = await cluster.client.get(Deployment, { namespace, name: 'foo-sample' })
  await kubectl(cluster, `apply -n ${namespace} -f -`, sample({ deploymentName: 'foo-sample', replicas: 3 }))

  const message = 'Resource "foo-sample" already exists and is not managed by Foo'
  await expect
    .poll(() => kubectl(cluster, `get -n ${namespace} event --field-selector involvedObject.kind=Foo`), {
      timeout: 60_000,
    })
    .toContain(`ErrResourceExists`)
  const events = await kubectl(cluster, `get -n ${namespace} event --field-selector involvedObject.kind=Foo`)
  expect(events).toMatch(/Warning +ErrResourceExists +foo\/foo-sample/)
  expect(events).toContain(message)

  const untouched = await cluster.client.get(Deployment, { namespace, name: 'foo-sample' })
  expect(untouched.spec).toEqual(stranger.spec)
  expect(untouched.metadata.ownerReferences).toBeUndefined()

  // It is retried: when the stranger makes room, the Foo gets its Deployment.
  await kubectl(cluster, `delete -n ${namespace} deployment foo-sample`)
  const own = await waitFor(
    cluster.client,
    Deployment,
    { namespace, name: 'foo-sample' },
    { until: deploymentAvailable },
  )
  expect(own.metadata.ownerReferences).toMatchObject([{ kind: 'Foo' }])
})

test('an empty deploymentName is logged and not retried', async () => {
  const namespace = await createNamespace(cluster, 'foo')
  await kubectl(cluster, `apply -n ${namespace} -f -`, sample({ deploymentName: '' }, 'nameless'))
  await example.printed(new RegExp(`${namespace}/nameless settled`))
  // Logs come by another pipe than the lines of the runs.
  await example.printed('deploymentName must be specified')
  expect(example.output.match(new RegExp(`${namespace}/nameless (settled|failed)`, 'g'))).toHaveLength(1)
})

test('an object that the schema forbids is refused with the same message here and by the server', async () => {
  const namespace = await createNamespace(cluster, 'foo')
  const { stderr, exitCode } = await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], {
    input: sample({ deploymentName: 'foo-sample', replicas: 11 }),
  })
  expect(exitCode).not.toBe(0)
  const validator = await loadValidator(Foo)
  const [error, ...others] = validator.validate(
    JSON.parse(sample({ deploymentName: 'foo-sample', replicas: 11 })),
  )
  expect(others).toEqual([])
  expect(error?.field).toBe('spec.replicas')
  expect(stderr).toContain(`${error?.field}: ${error?.message}`)
})

test('kubectl explains the fields in the words of the schema', async () => {
  expect(await kubectl(cluster, 'explain foo.spec.replicas')).toContain(
    'How many replicas the Deployment shall have.',
  )
})

test('the example ends cleanly when it is told to', async () => {
  expect(await example.stop()).toBe(0)
  expect(example.output).not.toContain('unhandled')
})
