import { expect, test } from 'vitest'
import { parseServer } from './server-url.js'

test.each([
  ['https://example.com', 'https://example.com'],
  ['https://example.com:6443/', 'https://example.com:6443'],
  ['https://example.com/k8s/clusters/c-1/', 'https://example.com/k8s/clusters/c-1'],
  ['https://example.com/a?b=c#d', 'https://example.com/a'],
  ['https://[::1]:6443', 'https://[::1]:6443'],
  ['localhost:8080', 'http://localhost:8080'],
  ['10.0.0.1:8080', 'http://10.0.0.1:8080'],
  ['example', 'http://example'],
])('%s is the server %s', (text, base) => {
  expect(parseServer(text)).toMatchObject({ kind: 'server', base })
})

test.each([
  ['', 'not a URL'],
  ['https://', 'not a URL'],
  ['a b', 'not a URL'],
  ['ftp://example.com', 'ftp: is not supported'],
  ['https://me:SECRET@example.com', 'move them to the user entry'],
])('%j is a problem', (text, message) => {
  const parsed = parseServer(text)
  expect(parsed).toMatchObject({ kind: 'problem', message: expect.stringContaining(message) })
  expect(JSON.stringify(parsed)).not.toContain('SECRET')
})
