import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer, type PeerCertificate, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../clock.js'
import {
  type CertificateRequest,
  createCertificateAuthority,
  issueCertificate,
  type KeyedCertificate,
} from './certificate-authority.js'

const run = promisify(execFile)
const dayMs = 86_400_000
const clockAt = (nowMs: number): Clock => ({ ...systemClock, now: () => nowMs })
const server: CertificateRequest = {
  commonName: 'webhook',
  purposes: ['server'],
  dnsNames: ['webhook.default.svc', '*.example.com', 'localhost'],
  ipAddresses: ['127.0.0.1', '::1', 'fd00::a:0:12', '::ffff:10.0.0.1'],
}

const newAuthority = (): KeyedCertificate => createCertificateAuthority({ commonName: 'test authority' })

test('an authority is self-signed, may sign certificates and nothing below it may', () => {
  const authority = new X509Certificate(newAuthority().cert)
  expect(authority.ca).toBe(true)
  expect(authority.subject).toBe('CN=test authority')
  expect(authority.verify(authority.publicKey)).toBe(true)
  expect(authority.checkIssued(authority)).toBe(true)
})

test('an issued certificate carries its names, its user and its groups', () => {
  const authority = newAuthority()
  const issued = issueCertificate(authority, {
    ...server,
    commonName: 'jane:ä',
    organizations: ['system:masters', 'dev'],
    purposes: ['server', 'client'],
  })
  const certificate = new X509Certificate(issued.cert)
  expect(certificate.ca).toBe(false)
  expect(certificate.subject).toBe('O=system:masters\nO=dev\nCN=jane:ä')
  expect(certificate.subjectAltName).toBe(
    'DNS:webhook.default.svc, DNS:*.example.com, DNS:localhost, IP Address:127.0.0.1, ' +
      'IP Address:0:0:0:0:0:0:0:1, IP Address:FD00:0:0:0:0:A:0:12, IP Address:0:0:0:0:0:FFFF:A00:1',
  )
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  expect(certificate.checkHost('a.example.com')).toBe('*.example.com')
  expect(certificate.checkIssued(new X509Certificate(authority.cert))).toBe(true)
  expect(certificate.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
})

test('a certificate begins five minutes in the past and never outlives its authority', () => {
  const nowMs = Date.UTC(2026, 5, 1)
  const clock = clockAt(nowMs)
  const authority = createCertificateAuthority({ commonName: 'a', clock, validForMs: 30 * dayMs })
  const short = new X509Certificate(issueCertificate(authority, { ...server, clock, validForMs: dayMs }).cert)
  expect([Date.parse(short.validFrom), Date.parse(short.validTo)]).toEqual([nowMs - 300_000, nowMs + dayMs])
  const long = new X509Certificate(issueCertificate(authority, { ...server, clock }).cert)
  expect(Date.parse(long.validTo)).toBe(nowMs + 30 * dayMs)
})

test('serial numbers are positive, never zero, and come from the given source', () => {
  const authority = newAuthority()
  const serial = (fill: number): string =>
    new X509Certificate(
      issueCertificate(authority, { ...server, randomBytes: (length) => new Uint8Array(length).fill(fill) })
        .cert,
    ).serialNumber
  expect(serial(0)).toBe(`40${'00'.repeat(15)}`)
  expect(serial(255)).toBe(`7F${'FF'.repeat(15)}`)
})

test.each([
  ['dnsNames', { dnsNames: ['under score'] }],
  ['dnsNames', { dnsNames: ['-a.example.com'] }],
  ['dnsNames', { dnsNames: ['a..b'] }],
  ['dnsNames', { dnsNames: ['bücher.example'] }],
  ['dnsNames', { dnsNames: [], ipAddresses: [] }],
  ['ipAddresses', { ipAddresses: ['127.0.0.256'] }],
  ['ipAddresses', { ipAddresses: ['fe80::1%eth0'] }],
  ['commonName', { commonName: '' }],
  ['commonName', { commonName: 'admin\0evil' }],
  ['organizations', { organizations: ['\ud800'] }],
  ['purposes', { purposes: [] }],
  ['validForMs', { validForMs: -dayMs }],
] satisfies [string, Partial<CertificateRequest>][])(
  'a request with wrong %s is refused: %o',
  (field, wrong) => {
    expect(() => issueCertificate(newAuthority(), { ...server, ...wrong })).toThrow(
      expect.objectContaining({ code: 'KW_CERTIFICATE_REQUEST_INVALID', field }),
    )
  },
)

test('an authority that cannot sign is refused: expired, not an authority, a foreign key, no PEM', () => {
  const authority = newAuthority()
  const leaf = issueCertificate(authority, server)
  const invalid = expect.objectContaining({ code: 'KW_CERTIFICATE_AUTHORITY_INVALID' })
  const late = clockAt(Date.now() + 3651 * dayMs)
  expect(() => issueCertificate(authority, { ...server, clock: late })).toThrow(invalid)
  expect(() => issueCertificate(leaf, server)).toThrow(invalid)
  expect(() => issueCertificate({ cert: authority.cert, key: leaf.key }, server)).toThrow(invalid)
  expect(() => issueCertificate({ cert: 'no', key: 'no' }, server)).toThrow(invalid)
})

const openssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
)

test.runIf(openssl)('openssl accepts the chain under its strictest rules, for both purposes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-x509-'))
  try {
    const authority = newAuthority()
    const leaf = issueCertificate(authority, { ...server, purposes: ['server', 'client'] })
    await writeFile(join(folder, 'ca.pem'), authority.cert)
    await writeFile(join(folder, 'leaf.pem'), leaf.cert)
    for (const purpose of ['sslserver', 'sslclient']) {
      const { stdout } = await run(
        'openssl',
        ['verify', '-x509_strict', '-policy_check', '-purpose', purpose, '-CAfile', 'ca.pem', 'leaf.pem'],
        { cwd: folder },
      )
      expect(stdout.trim()).toBe('leaf.pem: OK')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.runIf(openssl)(
  'an authority that openssl made with P-256 can sign, and its names are repeated exactly',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-x509-'))
    try {
      const request =
        'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem -subj /C=CH/O=x/CN=y -addext keyUsage=critical,keyCertSign'
      const { stdout: cert } = await run('openssl', request.split(' '), { cwd: folder })
      const { stdout: key } = await run('openssl', ['pkey', '-in', 'k.pem'], { cwd: folder })
      await writeFile(join(folder, 'ca.pem'), cert)
      await writeFile(join(folder, 'leaf.pem'), issueCertificate({ cert, key }, server).cert)
      const verified = await run('openssl', ['verify', '-x509_strict', '-CAfile', 'ca.pem', 'leaf.pem'], {
        cwd: folder,
      })
      expect(verified.stdout.trim()).toBe('leaf.pem: OK')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

test('a TLS handshake succeeds in both directions and shows the client its user and groups', async () => {
  const authority = newAuthority()
  const serving = issueCertificate(authority, server)
  const jane = issueCertificate(authority, {
    commonName: 'jane',
    organizations: ['dev'],
    purposes: ['client'],
  })
  const listener = createServer({
    ...serving,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  // A TCP server's address is never a string.
  const { port } = listener.address() as AddressInfo
  const seen = new Promise<PeerCertificate>((resolve) => {
    listener.once('secureConnection', (socket: TLSSocket) => {
      resolve(socket.getPeerCertificate())
      socket.end()
    })
  })
  const socket = connect({ host: '127.0.0.1', port, ca: authority.cert, ...jane })
  try {
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
    expect(socket.authorized).toBe(true)
    expect((await seen).subject).toEqual({ O: 'dev', CN: 'jane' })
  } finally {
    socket.destroy()
    listener.close()
  }
})
