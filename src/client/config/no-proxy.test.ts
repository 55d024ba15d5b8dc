import { expect, test } from 'vitest'
import { parseNoProxy } from './no-proxy.js'

test.each([
  // Domains: themselves and everything below; a leading dot or star means only what is below.
  ['example.com', 'example.com', '443', true],
  ['example.com', 'api.example.com', '443', true],
  ['example.com', 'notexample.com', '443', false],
  ['.example.com', 'api.example.com', '443', true],
  ['.example.com', 'example.com', '443', false],
  ['*.example.com', 'api.example.com', '443', true],
  ['*.example.com', 'example.com', '443', false],
  ['EXAMPLE.com', 'example.com', '443', true],
  [' a.com , example.com ', 'example.com', '443', true],
  ['bücher.example', 'xn--bcher-kva.example', '443', true],
  // Ports.
  ['example.com:6443', 'example.com', '6443', true],
  ['example.com:6443', 'example.com', '443', false],
  ['10.0.0.1:6443', '10.0.0.1', '6443', true],
  ['10.0.0.1:6443', '10.0.0.1', '443', false],
  ['[fd00::1]:6443', 'fd00::1', '6443', true],
  ['[fd00::1]:6443', 'fd00::1', '443', false],
  // Addresses and blocks.
  ['10.0.0.1', '10.0.0.1', '443', true],
  ['10.0.0.1', '10.0.0.11', '443', false],
  ['10.1.2.3/8', '10.200.0.1', '443', true],
  ['10.0.0.0/8', '11.0.0.1', '443', false],
  ['10.0.0.0/0', '192.0.2.1', '443', true],
  ['fd00::/8', 'fd12::1', '443', true],
  ['fd00::1', 'fd00::1', '443', true],
  ['10.0.0.0/8', '::ffff:a01:203', '443', true],
  ['10.0.0.0/8', 'ten.example.com', '443', false],
  ['::/0', '10.0.0.1', '443', false],
  ['::/0', '::ffff:a01:203', '443', false],
  ['0.0.0.0/0', 'fd00::1', '443', false],
  ['[fd00::1]', 'fd00::1', '443', true],
  // A domain rule never matches an address.
  ['.1', '10.0.0.1', '443', false],
  // Everything.
  ['*', 'example.com', '443', true],
  ['a.com,*', '192.0.2.1', '443', true],
  // This machine, whatever the rules.
  ['', 'localhost', '443', true],
  ['', '127.0.0.1', '443', true],
  ['', '127.9.9.9', '443', true],
  ['', '::1', '443', true],
  ['', 'localhost.example.com', '443', false],
  // Entries without sense are ignored.
  [',,:443,10.0.0.0/33,10.0.0.0/x,/8', 'example.com', '443', false],
  ['', 'example.com', '443', false],
])('NO_PROXY=%j leaves %s:%s alone: %s', (noProxy, host, port, expected) => {
  expect(parseNoProxy(noProxy)(host, port)).toBe(expected)
})
