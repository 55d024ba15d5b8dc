import type { Cluster } from 'kubewright/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExampleProcess, runExample } from './example-process.js'
import { kubectl, sharedCluster } from './shared-cluster.js'

const sample = (name: string, command: string): string =>
  JSON.stringify({
    apiVersion: 'insujang.github.io/v1beta1',
    kind: 'TestResource',
    metadata: { name },
    spec: { command, customProperty: 'asdasd=1234' },
  })

let cluster: Cluster
let example: ExampleProcess

beforeAll(async () => {
  cluster = await sharedCluster()
  example = runExample('test-resource', ['--kubeconfig', cluster.kubeconfig])
  await example.printed('Starting custom controller.')
})

afterAll(async () => {
  await example.stop()
  await cluster.stop()
})

test('the CRD is registered from code, with its short name and its column', async () => {
  await kubectl(
    cluster,
    'wait --for=condition=Established crd/testresources.insujang.github.io --timeout=60s',
  )
  const table = await kubectl(cluster, 'get ts -n default')
  expect(table).toMatch(/NAME +COMMAND/)
  expect(table).toMatch(/example-tr2 +echo Hello World!/)
})

test('an object made from code and one made from YAML are both handled', async () => {
  await kubectl(cluster, 'apply -n default -f -', sample('example-tr', 'echo Hello World!'))
  for (const name of ['example-tr', 'example-tr2']) {
    await kubectl(cluster, `wait -n default ts/${name} --for=jsonpath='{.status}'=HANDLED --timeout=60s`)
  }
  await expect
    .poll(() => kubectl(cluster, 'get events -n default --field-selector involvedObject.kind=TestResource'), {
      timeout: 60_000,
    })
    .toMatch(/Normal +ObjectHandled +testresource\/example-tr +Object is handled by custom controller\./)
})

test('a command that does not match the pattern is refused by the server', async () => {
  const { exitCode, stderr } = await cluster.kubectl(['apply', '-n', 'default', '-f', '-'], {
    input: sample('bad', 'ls'),
  })
  expect(exitCode).not.toBe(0)
  expect(stderr).toContain("spec.command in body should match '^(echo).*'")
})

test('the example ends cleanly when it is told to', async () => {
  expect(await example.stop()).toBe(0)
})
