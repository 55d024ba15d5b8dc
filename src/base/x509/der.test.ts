import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  der,
  namedBits,
  objectIdentifier,
  octetString,
  readDer,
  sequence,
  time,
  unsignedInteger,
} from './der.js'

const hex = (bytes: Buffer): string => bytes.toString('hex')

test('a length below 128 takes one octet, a longer one says how many it takes', () => {
  expect(hex(octetString(Buffer.alloc(0)))).toBe('0400')
  expect(hex(octetString(Buffer.alloc(127)).subarray(0, 2))).toBe('047f')
  expect(hex(octetString(Buffer.alloc(128)).subarray(0, 3))).toBe('048180')
  expect(hex(octetString(Buffer.alloc(65_536)).subarray(0, 5))).toBe('0483010000')
})

test('an integer never reads as negative and carries no superfluous zero', () => {
  expect(hex(unsignedInteger(Buffer.from([])))).toBe('020100')
  expect(hex(unsignedInteger(Buffer.from([0, 0, 0])))).toBe('020100')
  expect(hex(unsignedInteger(Buffer.from([0, 0x7f])))).toBe('02017f')
  expect(hex(unsignedInteger(Buffer.from([0x80])))).toBe('02020080')
})

test('object identifiers use base 128 with continuation bits', () => {
  expect(hex(objectIdentifier('1.2.840.10045.4.3.2'))).toBe('06082a8648ce3d040302')
  expect(hex(objectIdentifier('2.5.29.17'))).toBe('0603551d11')
})

test('named bits end with the last one that is set', () => {
  expect(hex(namedBits(0))).toBe('03020780')
  expect(hex(namedBits(0, 5, 6))).toBe('03020186')
  expect(hex(namedBits(8))).toBe('0303070080')
})

test('a year until 2049 has two digits, a later one four', () => {
  expect(time(Date.UTC(2049, 11, 31, 23, 59, 59)).toString('latin1')).toBe('\x17\x0d491231235959Z')
  expect(time(Date.UTC(2050, 0, 1)).toString('latin1')).toBe('\x18\x0f20500101000000Z')
})

test('what was written is read back, whatever its length', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (contents) => {
      const written = sequence(...contents.map((content) => octetString(content)))
      const [read] = readDer(written)
      expect(read?.tag).toBe(0x30)
      expect(readDer(read?.content ?? Buffer.alloc(0)).map((value) => [...value.content])).toEqual(
        contents.map((content) => [...content]),
      )
    }),
  )
})

test('input that ends inside a value is refused', () => {
  expect(() => readDer(der(0x04, Buffer.alloc(10)).subarray(0, 8))).toThrow(RangeError)
  expect(() => readDer(Buffer.from([0x30]))).toThrow(RangeError)
})
