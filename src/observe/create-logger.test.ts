import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Clock, KubewrightError } from '../base/index.js'
import { createLogger, type LoggerOptions } from './create-logger.js'
import type { LogFields, Logger, LogLevel } from './logger.js'

const noon: Clock = {
  now: () => Date.UTC(2026, 7, 20, 12, 0, 0, 7),
  monotonic: () => 0,
  setTimer: () => ({ cancel: () => {} }),
}

function recording(options: LoggerOptions = {}): {
  log: Logger
  lines: string[]
  last: () => Record<string, unknown>
} {
  const lines: string[] = []
  const log = createLogger({ clock: noon, write: (line) => void lines.push(line), ...options })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

/** True for what a terminal does instead of showing it. */
function isObeyed(character: string): boolean {
  return /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(character)
}

const awkwardText = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '"',
    '\\',
    '\n',
    '\r',
    '\u0000',
    '\u001b',
    '[',
    '\u007f',
    '\u009b',
    '\u2028',
    '\u202e',
    '\ud800',
    '\u00e4',
  ),
})

/** What a field looks like in the record. */
function logged(value: unknown, name = 'value', level: LogLevel = 'info'): unknown {
  const { log, last } = recording({ level })
  log.error('Look.', { [name]: value })
  return last()[name]
}

describe('a record in JSON', () => {
  test('has the names that people know, in their order, on one line', () => {
    const { log, lines } = recording({ fields: { logger: 'controller' } })
    log.info('Reconciled.', {
      namespace: 'default',
      durationMs: 12.5,
      ok: true,
      nothing: null,
      absent: undefined,
    })
    expect(lines).toEqual([
      '{"level":"info","ts":"2026-08-20T12:00:00.007Z","logger":"controller","msg":"Reconciled.","namespace":"default","durationMs":12.5,"ok":true,"nothing":null}\n',
    ])
  })

  test('carries the facts of its logger and of the loggers above', () => {
    const { log, last } = recording({ fields: { app: 'foo' } })
    log.with({ controller: 'c' }).with({ key: 'default/x' }).info('Hello.', { n: 1 })
    expect(last()).toMatchObject({ app: 'foo', controller: 'c', key: 'default/x', n: 1 })
  })

  test('has each fact once: the nearest one', () => {
    const { log, lines, last } = recording({ fields: { a: 1, b: 1 } })
    const inner = log.with({ a: 2, c: 2 })
    inner.info('One.', { c: 3, d: 3 })
    expect(last()).toMatchObject({ a: 2, b: 1, c: 3, d: 3 })
    expect(lines[0]?.match(/"[abcd]":/g)).toHaveLength(4)
    inner.info('Two.')
    expect(last()).toMatchObject({ a: 2, b: 1, c: 2 })
  })

  test('a logger below may speak under another name', () => {
    const { log, last } = recording({ fields: { logger: 'manager' } })
    log.with({ logger: 'cache' }).info('Synced.')
    expect(last()['logger']).toBe('cache')
    log.info('Started.', { logger: 'once' })
    expect(last()['logger']).toBe('once')
  })

  test('our own words cannot be forged by a field', () => {
    const { log, lines, last } = recording()
    log.info('Real.', { msg: 'forged', level: 'error', ts: 'yesterday' })
    expect(last()).toEqual({
      level: 'info',
      ts: '2026-08-20T12:00:00.007Z',
      msg: 'Real.',
      'field.msg': 'forged',
      'field.level': 'error',
      'field.ts': 'yesterday',
    })
    expect(lines[0]?.match(/"msg":/g)).toHaveLength(1)
  })

  test('is written from its level up, info unless said otherwise', () => {
    const spoken = (level?: LogLevel): string[] => {
      const { log, lines } = recording(level === undefined ? {} : { level })
      log.debug('debug')
      log.info('info')
      log.warn('warn')
      log.error('error')
      return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    }
    expect(spoken('debug')).toEqual(['debug', 'info', 'warn', 'error'])
    expect(spoken()).toEqual(['info', 'warn', 'error'])
    expect(spoken('warn')).toEqual(['warn', 'error'])
    expect(spoken('error')).toEqual(['error'])
  })

  test('tells the time of its own moment', () => {
    let now = Date.UTC(2026, 0, 1)
    const { log, last } = recording({ clock: { ...noon, now: () => now } })
    for (const [ms, ts] of [
      [Date.UTC(2026, 0, 1, 0, 0, 0, 999), '2026-01-01T00:00:00.999Z'],
      [Date.UTC(2026, 0, 1, 0, 0, 1, 0), '2026-01-01T00:00:01.000Z'],
      [Date.UTC(2025, 11, 31, 23, 59, 59, 10), '2025-12-31T23:59:59.010Z'],
    ] as const) {
      now = ms
      log.info('Tick.')
      expect(last()['ts']).toBe(ts)
    }
  })

  test('is one line of valid JSON without control characters, whatever it is asked to say', () => {
    fc.assert(
      fc.property(
        awkwardText,
        fc.dictionary(
          awkwardText,
          fc.anything({
            withBigInt: true,
            withDate: true,
            withMap: true,
            withSet: true,
            withNullPrototype: true,
            withTypedArray: true,
            withSparseArray: true,
            withBoxedValues: true,
            maxDepth: 2,
            maxKeys: 3,
          }),
          { maxKeys: 5 },
        ),
        (message, fields) => {
          const { log, lines, last } = recording()
          log.with(fields).info(message, { again: fields })
          expect(lines).toHaveLength(1)
          expect(last()['level']).toBe('info')
          const [line = ''] = lines
          expect(line.slice(0, -1).split('').filter(isObeyed)).toEqual([])
          expect(line.endsWith('\n')).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('an escape sequence or a line feed in any text is shown, not obeyed', () => {
    const { log, lines } = recording()
    const evil = '\u001b[2J\u009b31m\nlevel=error forged\u202e'
    log.info(evil, { [evil]: evil, list: [evil], error: new Error(evil) })
    expect(lines[0]?.slice(0, -1)).toMatch(/^[ -~]*$/)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: evil, list: [evil] })
  })
})

describe('the size of a record', () => {
  /** The same list in each place of a list, and so on: small in memory, endless on paper. */
  const nested = (levels: number, width: number, leaf: unknown): unknown => {
    let list = leaf
    for (let level = 0; level < levels; level++) list = Array.from({ length: width }, () => list)
    return list
  }

  const byteLength = (line: string | undefined): number => Buffer.byteLength(line ?? '')

  test.each([
    ['a long message', 'x'.repeat(5_000_000), {}],
    ['a long string', 'm', { text: 'x'.repeat(5_000_000) }],
    ['a string of wide characters', 'm', { text: '\u6f22'.repeat(100_000), more: '\u0001'.repeat(100_000) }],
    ['a long list', 'm', { list: Array.from({ length: 100_000 }, (_item, index) => index) }],
    ['many strings', 'm', { list: Array.from({ length: 90 }, () => 'x'.repeat(1_000)) }],
    [
      'a wide object',
      'm',
      { map: Object.fromEntries(Array.from({ length: 50_000 }, (_item, i) => [`k${i}`, i])) },
    ],
    [
      'many fields',
      'm',
      Object.fromEntries(Array.from({ length: 50_000 }, (_item, i) => [`k${i}`, 'x'.repeat(50)])),
    ],
    ['long keys', 'm', { ['k'.repeat(1_000_000)]: 1, map: { ['k'.repeat(1_000_000)]: 1 } }],
    ['lists of lists', 'm', { list: nested(5, 90, 1) }],
    ['lists of nothing', 'm', { list: nested(7, 50, undefined) }],
    ['a huge integer', 'm', { n: 10n ** 20_000n }],
    [
      'a big error',
      'm',
      { error: Object.assign(new Error('e'.repeat(100_000)), { fact: 'f'.repeat(100_000) }) },
    ],
  ])('is bounded for %s', (_name, message, fields: LogFields) => {
    const { log, lines, last } = recording()
    log.with(fields).info(message)
    log.info(message, fields)
    for (const line of lines) expect(byteLength(line)).toBeLessThanOrEqual(16_384)
    expect(last()['level']).toBe('info')
  })

  test('what was left out is said', () => {
    expect(logged('x'.repeat(5_000))).toBe(`${'x'.repeat(4_096)}...`)
    expect(logged(Array.from({ length: 103 }, () => 1))).toEqual([
      ...Array.from({ length: 100 }, () => 1),
      '[3 more]',
    ])
    expect(logged('x'.repeat(2_000_000))).toBe('[2000000 characters]')
  })

  test('depth is bounded', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 100_000; level++) deep = { deep }
    expect(JSON.stringify(logged(deep))).toBe(`${'{"deep":'.repeat(8)}"[object]"${'}'.repeat(8)}`)
  })
})

describe('odd values', () => {
  test.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [9007199254740993n, '9007199254740993'],
    [Symbol('s'), 'Symbol(s)'],
    [function named() {}, '[function named]'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Uint8Array(5), '[5 bytes]'],
    [Buffer.from('secret'), '[6 bytes]'],
    [new Map([['a', 1]]), { a: 1 }],
    [new Set([1, 2]), [1, 2]],
    [new URL('https://example.com/x'), 'https://example.com/x'],
    [Object.create(null), {}],
    [
      [undefined, () => 1],
      [null, expect.any(String)],
    ],
    [{ a: undefined, b: 1 }, { b: 1 }],
  ])('%o is written as %o', (value, expected) => {
    expect(logged(value)).toEqual(expected)
  })

  test('data that contains itself ends', () => {
    const cycle: Record<string, unknown> = { a: 1 }
    cycle['self'] = cycle
    cycle['list'] = [cycle]
    expect(logged(cycle)).toEqual({ a: 1, self: '[circular]', list: ['[circular]'] })
  })

  test('data that appears twice is written twice', () => {
    const shared = { a: 1 }
    expect(logged([shared, shared])).toEqual([{ a: 1 }, { a: 1 }])
  })

  test('a getter, a toJSON or a proxy that throws costs its own value and no more', () => {
    const fails = (): never => {
      throw new Error('no')
    }
    const { log, last } = recording()
    const proxy = Proxy.revocable({}, {})
    proxy.revoke()
    log.info('Still here.', {
      get getter() {
        return fails()
      },
      json: { toJSON: fails },
      self: {
        toJSON() {
          return this
        },
      },
      proxy: proxy.proxy,
      ok: 1,
    })
    expect(last()).toMatchObject({ msg: 'Still here.', getter: '[unreadable]', json: '[unreadable]', ok: 1 })
  })

  test('fields that are no object, and messages that are no string, do not break the line', () => {
    const { log, last } = recording()
    // Plain JavaScript may pass anything.
    log.info('Null.', null as never)
    expect(last()['msg']).toBe('Null.')
    log.info(5 as never)
    expect(last()['msg']).toBe('5')
    log.info(Object.create(null) as never)
    expect(last()['msg']).toBe('[a record that cannot be read]')
  })

  test('__proto__ as a name is data', () => {
    const { log, lines } = recording()
    log.info('Look.', JSON.parse('{"__proto__":{"x":1},"constructor":2}') as LogFields)
    expect(lines[0]).toContain('"__proto__":{"x":1},"constructor":2')
  })

  test('a writer that throws does not stop the work', () => {
    const log = createLogger({
      write: () => {
        throw new Error('disk gone')
      },
    })
    expect(() => log.info('Hello.')).not.toThrow()
  })
})

describe('errors', () => {
  class Refused extends KubewrightError {
    readonly namespace = 'default'
    readonly big = { not: 'a plain fact' }
    constructor(cause?: unknown) {
      super('It was refused: ask again.', { code: 'KW_TEST_REFUSED', cause })
    }
  }

  test('an error that was foreseen has its code, its message, its facts and its causes, but no stack', () => {
    const root = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', port: 443 })
    expect(logged(new Refused(root), 'error')).toEqual({
      code: 'KW_TEST_REFUSED',
      message: 'It was refused: ask again.',
      namespace: 'default',
      cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED', port: 443 },
    })
  })

  test('an error that nobody expected has its stack', () => {
    expect(logged(new TypeError('x is not a function'))).toEqual({
      name: 'TypeError',
      message: 'x is not a function',
      stack: expect.stringContaining('create-logger.test'),
    })
    const misuse = Object.assign(new TypeError('bad argument'), { code: 'ERR_INVALID_ARG_TYPE' })
    expect(logged(misuse)).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE', stack: expect.any(String) })
  })

  test('at debug every error has its stack', () => {
    expect(logged(new Refused(), 'error', 'debug')).toMatchObject({ stack: expect.any(String) })
  })

  test('a chain of causes is bounded, also when it is a circle', () => {
    const first = new Refused()
    Object.defineProperty(first, 'cause', { value: first })
    expect(JSON.stringify(logged(first)).match(/KW_TEST_REFUSED/g)).toHaveLength(5)
  })

  test('several errors in one, and causes that are no errors, are shown', () => {
    expect(logged(new AggregateError([new Refused(), 'text'], 'all failed'))).toMatchObject({
      message: 'all failed',
      errors: [{ code: 'KW_TEST_REFUSED' }, 'text'],
    })
    expect(logged(new Refused({ status: 500 }))).toMatchObject({ cause: { status: 500 } })
  })
})

describe('credentials', () => {
  const secret = 'c3VwZXItc2VjcmV0'
  const everyWayToSay = (fields: LogFields): string[] =>
    (['debug', 'info'] as const).flatMap((level) =>
      (['json', 'human'] as const).flatMap((format) => {
        const { log, lines } = recording({ level, format })
        log.info('Look.', fields)
        log.with(fields).error('Look.')
        log.info('Look.', { deep: { list: [fields] }, map: new Map([['x', fields]]) })
        return lines
      }),
    )

  test.each([
    ['a header', { headers: { Authorization: `Bearer ${secret}`, accept: 'x' } }],
    ['a header in a list', { headers: [{ name: 'Cookie', value: `a=${secret}` }] }],
    ['raw headers', { rawHeaders: ['Accept', '*/*', 'Proxy-Authorization', `Basic ${secret}`] }],
    ['a header with several values', { headers: { 'set-cookie': [secret, secret] } }],
    ['a user of a kubeconfig', { user: { token: secret, 'client-key-data': secret, password: secret } }],
    [
      'the environment of a plugin',
      { user: { exec: { command: 'x', env: [{ name: 'A', value: secret }] } } },
    ],
    [
      'a Secret',
      { object: { apiVersion: 'v1', kind: 'Secret', data: { a: secret }, stringData: { b: secret } } },
    ],
    ['a list of Secrets', { list: { kind: 'SecretList', items: [{ metadata: {}, data: { a: secret } }] } }],
    ['a Secret without its kind', { secret: { metadata: { name: 'x' }, data: { a: secret } } }],
    ['a watch event', { event: { type: 'ADDED', object: { kind: 'Secret', data: { a: secret } } } }],
    [
      'what kubectl applied',
      {
        object: {
          kind: 'Secret',
          metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': secret } },
        },
      },
    ],
    ['a TokenReview', { review: { kind: 'TokenReview', spec: { token: secret }, status: { user: secret } } }],
    ['a TokenRequest', { request: { kind: 'TokenRequest', status: { token: secret, raw: secret } } }],
    [
      'a credential of a plugin',
      { credential: { kind: 'ExecCredential', status: { clientKeyData: secret } } },
    ],
    ['a body in JSON', { body: JSON.stringify({ data: { a: secret }, kind: 'Secret' }) }],
    ['a Secret in the place of the fields', { kind: 'Secret', data: { a: secret }, stringData: secret }],
    ['a TokenReview in the place of the fields', { kind: 'TokenReview', status: secret, spec: {} }],
    ['a number', { token: Number(1), password: secret }],
    [
      'the message of a cause',
      { error: new Error('failed', { cause: new Error(`Authorization: Bearer ${secret}`) }) },
    ],
    ['a fact of an error', { error: Object.assign(new Error('failed'), { token: secret }) }],
    ['a private key', { pem: `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----` }],
  ])('of %s are never written, at any level, depth or format', (_name, fields) => {
    const lines = everyWayToSay(fields)
    expect(lines).toHaveLength(12)
    for (const line of lines) {
      expect(line).not.toContain(secret)
      expect(line).toContain('[redacted]')
    }
  })

  test('in a message are never written', () => {
    const { log, lines } = recording()
    log.info(`GET https://user:${secret}@example.com with Authorization: Bearer ${secret}`)
    expect(lines.join('')).not.toContain(secret)
  })

  test('what is no secret stays readable: names, keys and whether a token is there', () => {
    expect(
      logged({ kind: 'Secret', metadata: { name: 'tls' }, type: 'Opaque', data: { 'tls.crt': 'x' } }),
    ).toEqual({
      kind: 'Secret',
      metadata: { name: 'tls' },
      type: 'Opaque',
      data: { 'tls.crt': '[redacted]' },
    })
    expect(logged('default/tls', 'secret')).toBe('default/tls')
    expect(logged(true, 'token')).toBe(true)
    expect(logged({ kind: 'ConfigMap', data: { a: 'shown' } })).toEqual({
      kind: 'ConfigMap',
      data: { a: 'shown' },
    })
  })
})

describe('the human format', () => {
  test('reads like a sentence with facts behind it', () => {
    const { log, lines } = recording({ format: 'human', fields: { logger: 'controller' } })
    log.info('Reconciled "foo".', { key: 'default/foo', took: '12 ms', list: [1] })
    log.warn('No facts.')
    expect(lines).toEqual([
      '2026-08-20T12:00:00.007Z INFO  controller Reconciled "foo".  key=default/foo took="12 ms" list=[1]\n',
      '2026-08-20T12:00:00.007Z WARN  controller No facts.\n',
    ])
  })

  test('has colours only when asked for', () => {
    const { log, lines } = recording({ format: 'human', colors: true })
    log.error('Red.', { a: 1 })
    expect(lines[0]).toBe(
      '\u001b[2m2026-08-20T12:00:00.007Z\u001b[0m \u001b[31mERROR\u001b[0m Red.  \u001b[2ma=\u001b[0m1\n',
    )
  })

  test('is one line without escape sequences of others', () => {
    const { log, lines } = recording({ format: 'human' })
    const evil = '\u001b[2J\nINFO forged\u009b'
    log.info(evil, { [evil]: evil, error: new Error(evil) })
    expect(lines[0]?.slice(0, -1)).toMatch(/^[ -~]*$/)
  })
})
