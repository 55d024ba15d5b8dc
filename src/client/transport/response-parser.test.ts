import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HttpProtocolError } from './http-head.js'
import { ResponseParser } from './response-parser.js'

interface Heard {
  status: number | undefined
  headers: Record<string, unknown>
  body: string
  ended: number
  keepsAlive: boolean
}

/** What is heard of a response that arrives in these pieces. */
function read(pieces: readonly (string | Buffer)[], method = 'GET'): Heard {
  const heard: Heard = { status: undefined, headers: {}, body: '', ended: 0, keepsAlive: false }
  const body: Buffer[] = []
  const parser = new ResponseParser()
  parser.begin(method, {
    onHead({ status, headers }) {
      expect(heard.status).toBeUndefined()
      heard.status = status
      heard.headers = headers
    },
    onBody: (piece) => void body.push(Buffer.from(piece)),
    onEnd: () => void heard.ended++,
  })
  for (const piece of pieces) parser.push(Buffer.from(piece))
  parser.finish()
  heard.body = Buffer.concat(body).toString()
  heard.keepsAlive = parser.keepsAlive
  expect(parser.isComplete).toBe(heard.ended === 1)
  return heard
}

const ok = 'HTTP/1.1 200 OK\r\n'

describe('a response', () => {
  test('is read the same however it is cut', () => {
    const chunk = fc.uint8Array({ minLength: 1, maxLength: 40 })
    const framed = fc.oneof(
      fc.array(chunk).map((chunks) => ({
        bytes: Buffer.concat([
          Buffer.from(`${ok}Transfer-Encoding: chunked\r\n\r\n`),
          ...chunks.flatMap((data) => [
            Buffer.from(`${data.length.toString(16)};a=b\r\n`),
            data,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('0\r\nchecksum: 1\r\n\r\n'),
        ]),
        body: Buffer.concat(chunks),
      })),
      fc.uint8Array().map((data) => ({
        bytes: Buffer.concat([Buffer.from(`${ok}content-length: ${data.length}\r\n\r\n`), data]),
        body: Buffer.from(data),
      })),
    )
    fc.assert(
      fc.property(framed, fc.array(fc.nat()), ({ bytes, body }, cuts) => {
        const positions = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b)
        const pieces = positions.slice(1).map((end, at) => bytes.subarray(positions[at], end))
        const heard = read(pieces)
        expect(heard).toMatchObject({ status: 200, ended: 1, keepsAlive: true })
        expect(heard.body).toBe(body.toString())
      }),
    )
  })

  test('without a length lasts until the connection closes', () => {
    const heard = read([`${ok}\r\none`, 'two'])
    expect(heard).toMatchObject({ body: 'onetwo', ended: 1, keepsAlive: false })
  })

  test.each([
    ['HEAD', `${ok}content-length: 7\r\n\r\n`],
    ['GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n'],
    ['GET', `${ok}content-length: 0\r\n\r\n`],
  ])('to %s that has no body ends with its head: %j', (method, bytes) => {
    expect(read([bytes], method)).toMatchObject({ body: '', ended: 1, keepsAlive: true })
  })

  test('may be announced by others', () => {
    const heard = read([
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${ok}content-length: 1\r\n\r\n!`,
    ])
    expect(heard).toMatchObject({ status: 200, body: '!', ended: 1 })
  })

  test('keeps repeated headers apart, and names that mean something to JavaScript', () => {
    const { headers } = read([
      `${ok}Warning: 299 - "a, b"\r\nwarning:299 - "c"\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n`,
    ])
    expect(headers['warning']).toEqual(['299 - "a, b"', '299 - "c"'])
    expect(Object.keys(headers)).toEqual(['warning', '__proto__', 'constructor', 'content-length'])
  })

  test('has headers in UTF-8', () => {
    const { headers } = read([`${ok}Warning: 299 - "– ünïcode"\r\ncontent-length: 0\r\n\r\n`])
    expect(headers['warning']).toBe('299 - "– ünïcode"')
  })

  test.each([['Connection: close'], ['connection: keep-alive, Close']])(
    'that says %j is the last one',
    (header) => {
      expect(read([`${ok}${header}\r\ncontent-length: 0\r\n\r\n`]).keepsAlive).toBe(false)
    },
  )

  test('of HTTP/1.0 is the last one', () => {
    expect(read(['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n']).keepsAlive).toBe(false)
  })
})

test('one parser reads one response after the other', () => {
  const parser = new ResponseParser()
  for (let turn = 0; turn < 3; turn++) {
    let body = ''
    parser.begin('GET', { onHead() {}, onBody: (piece) => void (body += piece.toString()), onEnd() {} })
    parser.push(Buffer.from(`${ok}content-length: 1\r\n\r\n${turn}`))
    expect([parser.isComplete, body]).toEqual([true, String(turn)])
  }
})

test('a connection that closes in the middle of a response is noticed', () => {
  for (const begun of [
    ok,
    `${ok}content-length: 5\r\n\r\n1234`,
    `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`,
  ]) {
    const parser = new ResponseParser()
    parser.begin('GET', { onHead() {}, onBody() {}, onEnd() {} })
    parser.push(Buffer.from(begun))
    expect(parser.finish()).toBe(false)
  }
})

describe('refused is', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n'],
    ['another protocol, from its first byte', '\u0015'],
    ['another version of HTTP', 'HTTP/2 200 OK\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 OK\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a line that is no header', `${ok}nonsense\r\n\r\n`],
    ['a header that goes on in the next line', `${ok}a: b\r\n c\r\ncontent-length: 0\r\n\r\n`],
    ['a control character in a header', `${ok}a: b\nc: d\r\n\r\n`],
    ['two lengths', `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n`],
    ['a length and chunks', `${ok}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`],
    ['a length that is none', `${ok}content-length: 1x\r\n\r\n`],
    ['a length beyond all numbers', `${ok}content-length: 99999999999999999999\r\n\r\n`],
    ['an encoding that nobody asked for', `${ok}transfer-encoding: gzip, chunked\r\n\r\n`],
    ['a chunk without a size', `${ok}transfer-encoding: chunked\r\n\r\n\r\n`],
    ['a chunk with a size that is none', `${ok}transfer-encoding: chunked\r\n\r\n-1\r\n`],
    ['a chunk with a size beyond all numbers', `${ok}transfer-encoding: chunked\r\n\r\nfffffffffffffff\r\n`],
    ['a chunk longer than it says', `${ok}transfer-encoding: chunked\r\n\r\n1\r\nab\r\n`],
    ['half a line end', `${ok}transfer-encoding: chunked\r\n\r\n1\na\r\n`],
    ['bytes that nobody asked for', `${ok}content-length: 1\r\n\r\nab`],
    ['a head without an end', `${ok}${'a: b\r\n'.repeat(12_000)}`],
    ['a line without an end', `${ok}transfer-encoding: chunked\r\n\r\n1;${'x'.repeat(70_000)}`],
  ])('%s', (_name, bytes) => {
    expect(() => read([bytes])).toThrow(HttpProtocolError)
  })
})
