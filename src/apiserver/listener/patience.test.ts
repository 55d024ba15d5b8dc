import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { textResponse } from '../text-response.js'
import { type ListenOptions, listen } from './listener.js'

/** Everything that comes back on a connection on which this is sent, once it is closed. */
async function open(patience: NonNullable<ListenOptions['patience']>, bytes: string): Promise<string> {
  const authority = createCertificateAuthority({ commonName: 'test' })
  const serving = issueCertificate(authority, {
    commonName: 'test',
    purposes: ['server'],
    ipAddresses: ['127.0.0.1'],
  })
  const listener = await listen(() => Promise.resolve(textResponse(200, 'ok')), {
    host: '127.0.0.1',
    port: 0,
    isExposed: false,
    serving,
    clientAuthority: authority.cert,
    patience,
  })
  onTestFinished(() => listener.close(0))
  const socket = connect({ host: listener.host, port: listener.port, ca: authority.cert })
  socket.on('error', () => {})
  // Nothing is read before all is sent, as many a client does it.
  await new Promise((resolve) => socket.write(bytes, resolve))
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString()
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return answer
}

const hour = 3_600_000

test('a request whose headers never end is given up', async () => {
  const answer = await open({ headersMs: 50, requestMs: hour }, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('a request whose body never ends is given up', async () => {
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n'
  const answer = await open({ headersMs: 50, requestMs: 50 }, `${head}half`)
  expect(answer).not.toMatch(/^HTTP\/1\.1 200 /)
})

test('an answer that is given before all of a body was read arrives all the same', async () => {
  const length = 16 * 1024 * 1024
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
  const answer = await open({ headersMs: hour, requestMs: hour }, head + 'x'.repeat(length))
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})
