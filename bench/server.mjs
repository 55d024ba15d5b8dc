// Serves prepared lists and watch streams at full speed over plain HTTP, in a process of its own, so that the peers'
// CPU time is decoding and nothing else. Prints its port.
import { createServer } from 'node:http'
import { group, namespace, plural, version, widget } from './widgets.mjs'

const count = Number(process.argv[2])
const events = Number(process.argv[3])
const base = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`

const items = Array.from({ length: count }, (_, index) => JSON.stringify(widget(index, 1000 + index)))
const pages = new Map()

function page(limit, from) {
  const key = `${limit}/${from}`
  let body = pages.get(key)
  if (body === undefined) {
    const end = limit === 0 ? count : Math.min(count, from + limit)
    const metadata = { resourceVersion: '100000', ...(end < count && { continue: String(end) }) }
    body = Buffer.from(
      `{"apiVersion":"${group}/${version}","kind":"WidgetList","metadata":${JSON.stringify(metadata)},"items":[${items.slice(from, end).join(',')}]}`,
    )
    pages.set(key, body)
  }
  return body
}

// One block of lines, sent as often as needed: the server must never be what limits a peer.
const block = Buffer.from(
  Array.from(
    { length: 1000 },
    (_, at) => `{"type":"MODIFIED","object":${JSON.stringify(widget(at % count, 200_000 + at))}}\n`,
  ).join(''),
)

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost')
  if (url.pathname !== base) {
    response.writeHead(404, { 'content-type': 'application/json' })
    return response.end(
      '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}',
    )
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  if (!['true', '1'].includes(url.searchParams.get('watch'))) {
    return response.end(
      page(Number(url.searchParams.get('limit') ?? 0), Number(url.searchParams.get('continue') ?? 0)),
    )
  }
  let blocks = Math.ceil(events / 1000)
  const send = () => {
    while (blocks-- > 0) if (!response.write(block)) return response.once('drain', send)
    response.end()
  }
  send()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
