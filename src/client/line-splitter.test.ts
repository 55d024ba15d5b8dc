import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineSplitter, decodeUtf8 } from './line-splitter.js'

function split(chunks: readonly Uint8Array[], maxLineBytes?: number): string[] {
  const splitter = createLineSplitter(maxLineBytes === undefined ? {} : { maxLineBytes })
  const lines: string[] = []
  for (const chunk of chunks) splitter.push(chunk, (line) => lines.push(decodeUtf8(line)))
  return lines
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')

describe('lines', () => {
  test('come out as they are completed, several or none for a chunk', () => {
    expect(split([bytes('a\nb\nc'), bytes(''), bytes('d\n')])).toEqual(['a', 'b', 'cd'])
  })

  test('survive a cut at every byte, in the middle of characters too', () => {
    const whole = bytes('{"name":"Größe 𝄞"}\n{"name":"日本"}\n')
    for (let at = 0; at <= whole.length; at++) {
      expect(split([whole.subarray(0, at), whole.subarray(at)])).toEqual([
        '{"name":"Größe 𝄞"}',
        '{"name":"日本"}',
      ])
    }
    expect(split([...whole].map((byte) => Uint8Array.of(byte)))).toEqual([
      '{"name":"Größe 𝄞"}',
      '{"name":"日本"}',
    ])
  })

  test('lose a byte order mark, carriage returns and blank lines, wherever they are cut', () => {
    const whole = bytes('\ufeffa\r\n\r\n\nb\n')
    for (let at = 0; at <= whole.length; at++) {
      expect(split([whole.subarray(0, at), whole.subarray(at)])).toEqual(['a', 'b'])
    }
  })

  test('are the same however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().map((text) => text.replace(/[\r\n\ufeff]/g, '')),
          { maxLength: 20 },
        ),
        fc.array(fc.nat(200), { maxLength: 30 }),
        (lines, sizes) => {
          const whole = bytes(lines.map((line) => `${line}\n`).join(''))
          const chunks: Uint8Array[] = []
          let at = 0
          for (const size of sizes) {
            chunks.push(whole.subarray(at, at + size))
            at += size
          }
          chunks.push(whole.subarray(at))
          expect(split(chunks)).toEqual(lines.filter((line) => line !== ''))
        },
      ),
    )
  })

  test('of three million bytes in small chunks take no time that grows with the square', () => {
    const line = Buffer.alloc(3 * 1024 * 1024, 'x')
    const chunks: Uint8Array[] = []
    for (let at = 0; at < line.length; at += 64) chunks.push(line.subarray(at, at + 64))
    chunks.push(bytes('\n'))
    const splitter = createLineSplitter()
    let joined = 0
    for (const chunk of chunks) splitter.push(chunk, (whole) => (joined += whole.byteLength))
    expect(joined).toBe(line.length)
  })

  test('that do not end are kept until they do', () => {
    const splitter = createLineSplitter()
    splitter.push(bytes('a\nhalf'), () => {})
    expect(decodeUtf8(splitter.rest() ?? bytes(''))).toBe('half')
    splitter.push(bytes(' and half\n'), () => {})
    expect(splitter.rest()).toBeUndefined()
  })

  test('longer than the limit are an error, ended or not', () => {
    expect(() => split([bytes('12345\n')], 4)).toThrow(expect.objectContaining({ code: 'KW_LINE_TOO_LONG' }))
    expect(() => split([bytes('123'), bytes('45')], 4)).toThrow(/longer than 4 bytes/)
    expect(split([bytes('1234\n')], 4)).toEqual(['1234'])
  })
})

test('bytes that are no Buffer are decoded too', () => {
  expect(decodeUtf8(new Uint8Array(bytes('xGrößex')).subarray(1, 8))).toBe('Größe')
})
