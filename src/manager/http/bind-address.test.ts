import { expect, test } from 'vitest'
import { formatBindAddress, InvalidBindAddressError, parseBindAddress } from './bind-address.js'

test.each([
  [':8080', undefined, 8080],
  ['127.0.0.1:0', '127.0.0.1', 0],
  ['[::1]:8443', '::1', 8443],
  ['localhost:65535', 'localhost', 65_535],
])('%s says where to listen', (text, host, port) => {
  const address = parseBindAddress(text)
  expect(address).toEqual({ host, port })
  expect(address === undefined ? undefined : formatBindAddress(address)).toBe(text)
})

test.each(['', '0'])('%j switches the server off', (text) => {
  expect(parseBindAddress(text)).toBeUndefined()
})

test.each([
  '8080',
  ':',
  ':65536',
  ':-1',
  '::1:8080',
  '[::1]',
  '[nonsense]:80',
  'http://localhost:80',
  'a b:80',
  ':80 ',
  ':1e3',
])('%j is refused with the forms that would do', (text) => {
  expect(() => parseBindAddress(text)).toThrow(InvalidBindAddressError)
  expect(() => parseBindAddress(text)).toThrow('[::1]:8080')
})
