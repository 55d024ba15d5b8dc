// The load of the embedded workload, as a process of its own so that its CPU time is nobody else's. Reads one task a line
// from its input and answers each with a line: { operations, seconds }.
import { createInterface } from 'node:readline'
import { newDeployment, newWidget, widgetDefinition } from './kinds.mjs'
import { accessFrom, openConnection } from './raw-http.mjs'
import { group, namespace, plural, version } from './widgets.mjs'

const widgets = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`
const nameOf = (index) => newWidget(index).metadata.name

let access
let connections = []
let listed = []
const watching = []
let events = 0
let awaited
// Never the same value twice: a change that changes nothing is no event.
let changes = 1_000

const tasks = {
  /** Answered as soon as this process is up. */
  async greet() {
    return 0
  },
  /** Until the server says that it is ready. */
  async connect({ kubeconfig }) {
    access = accessFrom(kubeconfig)
    connections = [await openConnection(access)]
    await must(200, connections[0].request('GET', '/readyz'))
    return 1
  },
  async prepare({ connections: count }) {
    while (connections.length < count) connections.push(await openConnection(access))
    const send = (path, object) => connections[0].request('POST', path, JSON.stringify(object))
    await must(201, send('/api/v1/namespaces', { metadata: { name: namespace } }))
    await must(201, send('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition))
    // Served as soon as it is established, which the real server takes a moment for.
    while ((await connections[0].request('GET', widgets)).status !== 200);
    return 1
  },
  createWidgets: ({ count }) =>
    each(count, (connection, index) =>
      must(201, connection.request('POST', widgets, JSON.stringify(newWidget(index)))),
    ),
  createDeployments: ({ count }) =>
    each(count, (connection, index) =>
      must(201, connection.request('POST', deployments, JSON.stringify(newDeployment(index)))),
    ),
  getWidgets: ({ count, of }) =>
    each(count, (connection, index) =>
      must(200, connection.request('GET', `${widgets}/${nameOf((index * 7919) % of)}`)),
    ),
  changeWidgets: ({ count }) => changeWidgets(count),
  async listWhole({ times }) {
    for (let time = 0; time < times; time++)
      listed = [await must(200, connections[0].request('GET', widgets))]
    return times
  },
  async listPaged({ times }) {
    for (let time = 0; time < times; time++) {
      listed = []
      for (let next = ''; next !== undefined; next = continueOf(listed.at(-1))) {
        const path = `${widgets}?limit=500&continue=${next}`
        listed.push(await must(200, connections[0].request('GET', path)))
      }
    }
    return times
  },
  /** A server that leaves objects out is not faster. */
  async check({ count }) {
    const seen = listed.flatMap((body) => JSON.parse(body).items).length
    if (seen !== count) throw new Error(`A list had ${seen} objects in place of ${count}.`)
    return seen
  },
  async watch({ count }) {
    const from = JSON.parse(await must(200, connections[0].request('GET', `${widgets}?limit=1`))).metadata
    for (let at = 0; at < count; at++) {
      const connection = await openConnection(access)
      await connection.watch(`${widgets}?watch=true&resourceVersion=${from.resourceVersion}`, onEvent)
      watching.push(connection)
    }
    return count
  },
  /** Changes, each told to all watchers: until the last of them has the last. */
  async fanOut({ count }) {
    const all = new Promise((resolve) => {
      awaited = { events: count * watching.length, resolve }
    })
    await changeWidgets(count)
    await all
    for (const connection of watching.splice(0)) connection.close()
    return awaited.events
  },
}

function onEvent() {
  if (++events === awaited.events) awaited.resolve()
}

function changeWidgets(count) {
  return each(count, (connection, index) =>
    must(
      200,
      connection.request(
        'PATCH',
        `${widgets}/${nameOf(index)}`,
        `{"spec":{"generationSeed":${++changes}}}`,
        'application/merge-patch+json',
      ),
    ),
  )
}

/** The metadata of a list are before its items or after them; parsing the whole would cost the load more than the list. */
function continueOf(body) {
  const ends = [body.subarray(0, 500), body.subarray(-1500)].map(String)
  return ends.map((end) => /"continue":"([^"]+)"/.exec(end)?.[1]).find(Boolean)
}

/** So many operations, shared out among the connections. */
async function each(count, operation) {
  let next = 0
  const work = async (connection) => {
    while (next < count) await operation(connection, next++)
  }
  await Promise.all(connections.map(work))
  return count
}

async function must(status, answer) {
  const { status: actual, body } = await answer
  if (actual !== status) throw new Error(`The server answered ${actual}: ${body.toString().slice(0, 500)}`)
  return body
}

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const { task, ...parameters } = JSON.parse(line)
  const begin = performance.now()
  const operations = await tasks[task](parameters)
  const seconds = (performance.now() - begin) / 1000
  say({ operations, seconds })
}
process.exit(0)
