// Serves prepared lists and watches at full speed over plain HTTP, in a process of its own, so that the peers' CPU time is
// decoding and keeping, and nothing else: `node server.mjs <objects> <updates>`. Prints its port. The updates of a watch
// are sent at once, or with a third argument `hold` when the line `go` is read.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { group, namespace, plural, version, widget } from './widgets.mjs'

const count = Number(process.argv[2])
const updates = Number(process.argv[3])
const isHeld = process.argv[4] === 'hold'
const apiVersion = `${group}/${version}`
const base = `/apis/${apiVersion}/namespaces/${namespace}/${plural}`
const listRevision = 1_000_000
const linesOfBlock = 1000

/** Lines of a watch in blocks, made once: the server must never be what limits a peer. */
function blocksOf(total, line) {
  const blocks = []
  for (let from = 0; from < total; from += linesOfBlock) {
    const lines = Array.from({ length: Math.min(linesOfBlock, total - from) }, (_, at) => line(from + at))
    blocks.push(Buffer.from(lines.join('')))
  }
  return blocks
}

const items = Array.from({ length: count }, (_, index) => JSON.stringify(widget(index, 1000 + index)))
const additions = blocksOf(count, (at) => `{"type":"ADDED","object":${items[at]}}\n`)
const changes = blocksOf(
  updates,
  (at) => `{"type":"MODIFIED","object":${JSON.stringify(widget(at % count, listRevision + 1 + at))}}\n`,
)
const endOfAdditions = Buffer.from(
  `${JSON.stringify({
    type: 'BOOKMARK',
    object: {
      apiVersion,
      kind: 'Widget',
      metadata: {
        resourceVersion: `${listRevision}`,
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
    },
  })}\n`,
)

const pages = new Map()

function page(limit, from) {
  const key = `${limit}/${from}`
  let body = pages.get(key)
  if (body === undefined) {
    const end = limit === 0 ? count : Math.min(count, from + limit)
    const metadata = { resourceVersion: `${listRevision}`, ...(end < count && { continue: `${end}` }) }
    body = Buffer.from(
      `{"apiVersion":"${apiVersion}","kind":"WidgetList","metadata":${JSON.stringify(metadata)},"items":[${items.slice(from, end).join(',')}]}`,
    )
    pages.set(key, body)
  }
  return body
}

// As much of discovery as controller-runtime asks for.
const groupVersion = { groupVersion: apiVersion, version }
const apiGroup = { name: group, versions: [groupVersion], preferredVersion: groupVersion }
const discovery = {
  '/api': { kind: 'APIVersions', versions: [] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [apiGroup] },
  [`/apis/${group}`]: { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup },
  [`/apis/${apiVersion}`]: {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersion,
    resources: [
      {
        name: plural,
        singularName: 'widget',
        kind: 'Widget',
        namespaced: true,
        verbs: ['get', 'list', 'watch'],
      },
    ],
  },
}
const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }

let release
const released = isHeld ? new Promise((resolve) => (release = resolve)) : Promise.resolve()
createInterface({ input: process.stdin })
  .on('line', (line) => line === 'go' && release())
  .on('close', () => process.exit(0))

async function watch(response, hasInitialEvents) {
  if (hasInitialEvents) await send(response, [...additions, endOfAdditions])
  response.flushHeaders()
  await released
  await send(response, changes)
  // A cache goes on watching.
  if (!isHeld) response.end()
}

async function send(response, blocks) {
  for (const block of blocks)
    if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve))
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const document = discovery[pathname]
  response.writeHead(pathname === base || document !== undefined ? 200 : 404, {
    'content-type': 'application/json',
  })
  if (pathname !== base) return response.end(JSON.stringify(document ?? notFound))
  if (!['true', '1'].includes(searchParams.get('watch')))
    return response.end(
      page(Number(searchParams.get('limit') ?? 0), Number(searchParams.get('continue') ?? 0)),
    )
  void watch(response, searchParams.get('sendInitialEvents') === 'true')
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
