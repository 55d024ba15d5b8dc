import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isPlainObject } from '../../../base/index.js'
import { type ApiServer, createApiServer } from '../../api-server.js'

let server: ApiServer

beforeEach(async () => {
  server = await createApiServer({ simulation: false })
})

afterEach(() => server.stop())

async function call(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const response = await server.transport()({
    method,
    path,
    headers: { accept: 'application/json', 'content-type': type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  const answer: unknown = JSON.parse(Buffer.concat(chunks).toString())
  if (!isPlainObject(answer)) throw new Error('no object')
  return answer
}

const pods = '/api/v1/namespaces/default/pods'

async function createPod(name: string, labels: Record<string, string> = {}): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'x' }], automountServiceAccountToken: false }
  await call('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec })
}

function bind(name: string, more: object = {}): Promise<Readonly<Record<string, unknown>>> {
  return call('POST', `${pods}/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { kind: 'Node', name: 'n' },
    ...more,
  })
}

function evict(name: string): Promise<Readonly<Record<string, unknown>>> {
  return call('POST', `${pods}/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
  })
}

// The answers are those of a real server.
describe('binding a pod', () => {
  test('puts it on the node and says so in a condition', async () => {
    await createPod('p')
    expect(await bind('p', { metadata: { name: 'p', annotations: { a: 'b' } } })).toMatchObject({
      kind: 'Status',
      status: 'Success',
      code: 201,
    })
    expect(await call('GET', `${pods}/p`)).toMatchObject({
      metadata: { annotations: { a: 'b' } },
      spec: { nodeName: 'n' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastProbeTime: null }] },
    })
  })

  test('is done once', async () => {
    await createPod('p')
    await bind('p')
    expect(await bind('p')).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n"',
    })
  })

  test('needs a node', async () => {
    await createPod('p')
    expect(await bind('p', { target: { kind: 'x' } })).toMatchObject({
      code: 500,
      message:
        '[target.kind: Unsupported value: "x": supported values: "Node", "<empty>", target.name: Required value]',
    })
  })

  test('of another uid is refused', async () => {
    await createPod('p')
    expect(await bind('p', { metadata: { name: 'p', uid: 'other' } })).toMatchObject({
      code: 409,
      reason: 'Conflict',
    })
  })

  test('of a pod that is not there finds none', async () => {
    expect(await bind('p')).toMatchObject({ code: 404, message: 'pods "p" not found' })
  })
})

describe('evicting a pod', () => {
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'

  async function createBudget(status: object): Promise<void> {
    const spec = { minAvailable: 5, selector: { matchLabels: { a: 'b' } } }
    const metadata = { name: 'e' }
    await call('POST', budgets, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec })
    await call('PATCH', `${budgets}/e/status`, { status: { observedGeneration: 1, ...status } })
  }

  async function createRunningPod(): Promise<void> {
    await createPod('p', { a: 'b' })
    await bind('p')
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
    await call('PATCH', `${pods}/p/status`, { status })
  }

  test('that does not run yet deletes it', async () => {
    await createBudget({})
    await createPod('p', { a: 'b' })
    expect(await evict('p')).toMatchObject({ status: 'Success', code: 201 })
    expect(await call('GET', `${pods}/p`)).toMatchObject({ code: 404 })
  })

  test('is refused when its budget is spent', async () => {
    await createBudget({ disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 5, expectedPods: 1 })
    await createRunningPod()
    expect(await evict('p')).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      reason: 'TooManyRequests',
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget e needs 5 healthy pods and has 1 currently',
          },
        ],
      },
      code: 429,
    })
  })

  test('spends the budget, and tells of it in a condition of the pod', async () => {
    await createBudget({ disruptionsAllowed: 1, currentHealthy: 6, desiredHealthy: 5, expectedPods: 6 })
    await createRunningPod()
    expect(await evict('p')).toMatchObject({ status: 'Success' })
    expect(await call('GET', `${budgets}/e`)).toMatchObject({
      status: { disruptionsAllowed: 0, disruptedPods: { p: expect.any(String) as string } },
    })
    expect(await call('GET', `${pods}/p`)).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 30 },
      status: {
        conditions: [
          { type: 'Ready' },
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'EvictionByEvictionAPI',
            message: 'Eviction API: evicting',
          },
        ],
      },
    })
  })

  test('waits until the budget was looked at', async () => {
    await createBudget({ observedGeneration: 0, disruptionsAllowed: 1 })
    await createRunningPod()
    expect(await evict('p')).toMatchObject({
      code: 429,
      details: {
        causes: [{ message: 'The disruption budget e is still being processed by the server.' }],
        retryAfterSeconds: 10,
      },
    })
  })

  test('must name the pod of the path', async () => {
    expect(
      await call('POST', `${pods}/p/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'q' },
      }),
    ).toMatchObject({ code: 400, message: 'name in URL does not match name in Eviction object' })
  })
})
