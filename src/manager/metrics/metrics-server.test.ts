import { request as httpsRequest } from 'node:https'
import { afterEach, describe, expect, test } from 'vitest'
import { type Clock, isPlainObject, type Timer } from '../../base/index.js'
import { createClient } from '../../client/index.js'
import type { Transport } from '../../objects/index.js'
import { createMetrics } from '../../observe/index.js'
import { createSelfSignedCertificate } from '../http/self-signed-certificate.js'
import { registerManagerMetrics } from '../manager-metrics.js'
import { createMetricsServer, type MetricsServing } from './metrics-server.js'
import { createRequestAccess } from './request-access.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function serve(serving: MetricsServing, content: () => string | Promise<string> = () => 'up 1\n') {
  const server = createMetricsServer({ address: '127.0.0.1:0', content, serving })
  const abort = new AbortController()
  const run = server.run(abort.signal)
  stops.push(async () => {
    abort.abort()
    await run
  })
  await server.ready(abort.signal)
  return server.port ?? 0
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly challenge: string | undefined
}

function get(port: number, path: string, authorization?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = authorization === undefined ? {} : { authorization }
    httpsRequest(
      { port, path, headers, host: '127.0.0.1', rejectUnauthorized: false, agent: false },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body,
            challenge: response.headers['www-authenticate'],
          }),
        )
      },
    )
      .on('error', reject)
      .end()
  })
}

/** An API server that knows two users and lets one of them read metrics. */
function reviewer() {
  const reviews: Record<string, unknown>[] = []
  const state = { failWith: undefined as number | undefined, failures: 0 }
  const transport: Transport = async ({ path, body }) => {
    const review: unknown = JSON.parse(String(body))
    if (!isPlainObject(review) || !isPlainObject(review['spec'])) throw new Error('not a review')
    const { spec } = review
    if (state.failWith !== undefined) {
      state.failures++
      return answer(state.failWith, { kind: 'Status', code: state.failWith, reason: 'InternalError' })
    }
    reviews.push({ path, ...spec })
    return answer(201, {
      ...review,
      status: path.includes('tokenreviews') ? tokenStatus(spec) : accessStatus(spec),
    })
  }
  return { transport, reviews, state }
}

function tokenStatus({ token }: Record<string, unknown>): unknown {
  if (token !== 'prometheus-token' && token !== 'guest-token')
    return { authenticated: false, error: 'unknown' }
  const username = token === 'prometheus-token' ? 'prometheus' : 'guest'
  return {
    authenticated: true,
    user: { username, uid: 'u-1', groups: ['scrapers'], extra: { scope: ['x'] } },
  }
}

function accessStatus({ user, nonResourceAttributes }: Record<string, unknown>): unknown {
  const isRead =
    isPlainObject(nonResourceAttributes) &&
    nonResourceAttributes['path'] === '/metrics' &&
    nonResourceAttributes['verb'] === 'get'
  return { allowed: user === 'prometheus' && isRead }
}

function answer(status: number, body: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield bytes
    })(),
  }
}

/** Time that moves when told to, and while somebody waits for it. */
function fakeClock() {
  let nowMs = 0
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback): Timer {
      if (delayMs >= 10_000) return { cancel: () => {} }
      const immediate = setImmediate(callback)
      return { cancel: () => clearImmediate(immediate) }
    },
  }
  return {
    clock,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

async function guarded() {
  const { transport, reviews, state } = reviewer()
  const { clock, advance } = fakeClock()
  const access = createRequestAccess({ client: createClient({ transport, clock }), clock, random: () => 0 })
  const port = await serve({ kind: 'https', certificate: createSelfSignedCertificate(), access })
  return { port, reviews, state, advance }
}

test('over HTTP the text is served to whoever asks, at /metrics only', async () => {
  const metrics = createMetrics()
  const ours = registerManagerMetrics(metrics)
  const election = ours.election('tiger')
  election.leading(true)
  election.slowPath()
  ours.certificates.read()
  const port = await serve({ kind: 'http' }, () => metrics.expose())
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  expect(text).toContain('leader_election_master_status{name="tiger"} 1\n')
  expect(text).toContain('leader_election_slowpath_total{name="tiger"} 1\n')
  expect(text).toContain('certwatcher_read_certificate_total 1\n')
  expect(text).toContain('certwatcher_read_certificate_errors_total 0\n')
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
})

test('content that cannot be made is answered with 500', async () => {
  const port = await serve({ kind: 'http' }, () => Promise.reject(new Error('no')))
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(500)
})

describe('over HTTPS with access control', () => {
  test('whom the cluster permits may read', async () => {
    const { port, reviews } = await guarded()
    expect(await get(port, '/metrics', 'Bearer prometheus-token')).toMatchObject({
      status: 200,
      body: 'up 1\n',
    })
    expect(reviews).toEqual([
      { path: '/apis/authentication.k8s.io/v1/tokenreviews', token: 'prometheus-token' },
      {
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        user: 'prometheus',
        uid: 'u-1',
        groups: ['scrapers'],
        extra: { scope: ['x'] },
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
      },
    ])
  })

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Bearer a b',
    `Bearer ${'x'.repeat(20_000)}`,
  ])('without a usable token (%j) nobody may, and the cluster is not asked', async (authorization) => {
    const { port, reviews } = await guarded()
    const refused = await get(port, '/metrics', authorization)
    expect(refused).toEqual({ status: 401, body: 'Unauthorized\n', challenge: 'Bearer realm="metrics"' })
    expect(reviews).toEqual([])
  })

  test('a token that the cluster does not know is refused with 401', async () => {
    const { port } = await guarded()
    expect(await get(port, '/metrics', 'Bearer stolen')).toMatchObject({ status: 401 })
  })

  test('a caller without permission is refused with 403, for pages that do not exist too', async () => {
    const { port } = await guarded()
    expect(await get(port, '/metrics', 'Bearer guest-token')).toMatchObject({
      status: 403,
      body: 'Forbidden\n',
    })
    expect(await get(port, '/debug', 'Bearer prometheus-token')).toMatchObject({ status: 403 })
  })

  test('when the cluster cannot be asked, nobody may read, and the question is put five times', async () => {
    const { port, state } = await guarded()
    state.failWith = 500
    expect(await get(port, '/metrics', 'Bearer prometheus-token')).toMatchObject({
      status: 500,
      body: 'Internal Server Error\n',
    })
    expect(state.failures).toBe(5)
    state.failWith = undefined
    expect(await get(port, '/metrics', 'Bearer prometheus-token')).toMatchObject({ status: 200 })
  })

  test('a refusal of the question itself is not repeated', async () => {
    const { port, state } = await guarded()
    state.failWith = 403
    expect(await get(port, '/metrics', 'Bearer prometheus-token')).toMatchObject({ status: 500 })
    expect(state.failures).toBe(1)
  })

  test('who is calling holds for a minute, yes for five, no for half a minute', async () => {
    const { port, reviews, advance } = await guarded()
    const asked = async (token: string): Promise<string[]> => {
      reviews.length = 0
      await get(port, '/metrics', `Bearer ${token}`)
      return reviews.map(({ path }) => String(path).split('/').at(-1) ?? '')
    }
    expect(await asked('prometheus-token')).toEqual(['tokenreviews', 'subjectaccessreviews'])
    expect(await asked('guest-token')).toEqual(['tokenreviews', 'subjectaccessreviews'])
    advance(29_000)
    expect([await asked('prometheus-token'), await asked('guest-token')]).toEqual([[], []])
    advance(2_000)
    expect([await asked('prometheus-token'), await asked('guest-token')]).toEqual([
      [],
      ['subjectaccessreviews'],
    ])
    advance(30_000)
    expect(await asked('prometheus-token')).toEqual(['tokenreviews'])
    advance(240_000)
    expect(await asked('prometheus-token')).toEqual(['tokenreviews', 'subjectaccessreviews'])
  })

  test('many scrapes at once are one question', async () => {
    const { port, reviews } = await guarded()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => get(port, '/metrics', 'Bearer prometheus-token')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(reviews).toHaveLength(2)
  })
})
