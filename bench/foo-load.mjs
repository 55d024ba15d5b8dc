// The user of the foo and start workloads, as a process of its own: makes and changes Foos, and watches until the peer
// has done what they ask for. Reads one task a line from its input and answers each with a line of JSON.
import { Agent, request } from 'node:https'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fooDefinition, newFoo } from './kinds.mjs'
import { accessFrom } from './raw-http.mjs'

const access = accessFrom(process.env.KUBECONFIG)
const agent = new Agent({ ...access, keepAlive: true, maxSockets: 16 })
const foosOf = (namespace) => `/apis/samplecontroller.k8s.io/v1alpha1/namespaces/${namespace}/foos`
const deploymentsOf = (namespace) => `/apis/apps/v1/namespaces/${namespace}/deployments`

function open(method, path, body, { contentType = 'application/json', ...options } = {}) {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', ...(body && { 'content-type': contentType }) }
    request({ host: access.host, port: access.port, agent, method, path, headers, ...options }, resolve)
      .on('error', reject)
      .end(body && JSON.stringify(body))
  })
}

async function send(method, path, body, options) {
  const response = await open(method, path, body, options)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, text }
}

async function must(statuses, answer) {
  const { status, text } = await answer
  if (!statuses.includes(status)) throw new Error(`The server answered ${status}: ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

const setReplicas = (namespace, index, replicas) =>
  must(
    [200],
    send(
      'PATCH',
      `${foosOf(namespace)}/foo-${index}`,
      { spec: { replicas } },
      {
        contentType: 'application/merge-patch+json',
      },
    ),
  )

/** Calls back for each object that was added or changed, from now on, until the returned function is called. */
async function follow(path, onObject) {
  const { metadata } = await must([200], send('GET', `${path}?limit=1`))
  // Not from the pool, which it would hold a place of.
  const own = new Agent(access)
  const query = `?watch=true&resourceVersion=${metadata.resourceVersion}`
  const response = await open('GET', `${path}${query}`, undefined, { agent: own })
  createInterface({ input: response }).on('line', (line) => onObject(JSON.parse(line).object))
  return () => response.destroy()
}

/** Resolves when so many objects fulfil a condition; tells the moment for each. */
async function until(path, count, condition, act) {
  const moments = new Map()
  let settle
  const all = new Promise((resolve) => (settle = resolve))
  const stop = await follow(path, (object) => {
    const { name } = object.metadata
    if (moments.has(name) || !condition(object)) return
    moments.set(name, performance.now())
    if (moments.size === count) settle()
  })
  const begin = performance.now()
  await act()
  await all
  stop()
  return { moments, seconds: (performance.now() - begin) / 1000 }
}

const inParallel = (count, work) =>
  Promise.all(
    Array.from({ length: 16 }, async (_, lane) => {
      for (let index = lane; index < count; index += 16) await work(index)
    }),
  )

const tasks = {
  async define() {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    await must([201, 409], send('POST', path, fooDefinition))
    while ((await send('GET', foosOf('default'))).status !== 200) await sleep(50)
  },
  async namespace({ namespace }) {
    await must([201], send('POST', '/api/v1/namespaces', { metadata: { name: namespace } }))
  },
  async one({ namespace }) {
    await must([201], send('POST', foosOf(namespace), newFoo(0)))
  },
  /** Until each has a status, which a peer writes when the Deployment is there. */
  async create({ namespace, count }) {
    const { seconds } = await until(
      foosOf(namespace),
      count,
      ({ status }) => status?.availableReplicas !== undefined,
      () => inParallel(count, (index) => must([201], send('POST', foosOf(namespace), newFoo(index)))),
    )
    return { seconds }
  },
  /** Until each Deployment has so many replicas. */
  async change({ namespace, count, replicas }) {
    const { seconds } = await until(
      deploymentsOf(namespace),
      count,
      ({ spec }) => spec.replicas === replicas,
      () => inParallel(count, (index) => setReplicas(namespace, index, replicas)),
    )
    return { seconds }
  },
  /** The same, so many in a second: milliseconds from the request to the changed Deployment, for each. */
  async pace({ namespace, count, replicas, perSecond }) {
    const sent = new Map()
    const { moments } = await until(
      deploymentsOf(namespace),
      count,
      ({ spec }) => spec.replicas === replicas,
      async () => {
        const begin = performance.now()
        const answers = []
        for (let index = 0; index < count; index++) {
          await sleep(Math.max(0, begin + (index * 1000) / perSecond - performance.now()))
          sent.set(`foo-${index}`, performance.now())
          answers.push(setReplicas(namespace, index, replicas))
        }
        await Promise.all(answers)
      },
    )
    return { latencies: [...moments].map(([name, moment]) => moment - sent.get(name)) }
  },
  /** So that the next peer does not pay for what this one has made. */
  async clear({ namespace }) {
    await must([200], send('DELETE', foosOf(namespace)))
    await must([200], send('DELETE', deploymentsOf(namespace)))
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { task, ...parameters } = JSON.parse(line)
  const answer = await tasks[task](parameters)
  process.stdout.write(`${JSON.stringify(answer ?? {})}\n`)
}
process.exit(0)
