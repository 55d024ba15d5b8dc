import { describe, expect, test } from 'vitest'
import { parseYaml } from './yaml-source.js'

const valueOf = (text: string): unknown => parseYaml(text).source.value

describe('parseYaml', () => {
  // What kube-apiserver 1.36 made of them.
  test.each([
    ['yes', true],
    ['y', true],
    ['Off', false],
    ['"yes"', 'yes'],
    ['~', null],
    ['2020-01-01', '2020-01-01'],
    ['1:30', '1:30'],
    ['0777', 511],
    ['0o17', 15],
    ['0b11', 3],
    ['08', 8],
    ['+1', 1],
    ['1_000', 1000],
    ['1e3', 1000],
    ['9007199254740993', 9007199254740993n],
    ['12345678901234567890', 12345678901234567000],
    ['!!binary YQ==', 'a'],
    ['!foo b', 'b'],
  ])('%s is %s', (text, value) => {
    expect(valueOf(`a: ${text}`)).toStrictEqual({ a: value })
  })

  test('keys are texts', () => {
    expect(valueOf('1: x\ntrue: z')).toEqual({ 1: 'x', true: 'z' })
  })

  test('the last of repeated keys counts, and is told with its line', () => {
    const { source, strictErrors } = parseYaml('metadata:\n  name: a\n  name: b\n')
    expect(source.value).toEqual({ metadata: { name: 'b' } })
    expect(strictErrors).toEqual(['line 3: key "name" already set in map'])
  })

  test('merge keys give what the map does not have itself', () => {
    expect(valueOf('a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3')).toEqual({
      a: { b: 1, c: 2 },
      d: { b: 1, c: 3 },
    })
  })

  test('keys that are dangerous in JavaScript stay data', () => {
    const value = valueOf('__proto__: {x: 1}\nconstructor: 2')
    expect(Object.keys(Object(value))).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('aliases that multiply are refused', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 12; level++)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`)
    expect(() => parseYaml(lines.join('\n'))).toThrow('document contains excessive aliasing')
  })

  test('an anchor that contains itself is refused', () => {
    expect(() => parseYaml('a: &x [*x]')).toThrow("anchor 'x' value contains itself")
  })

  test.each([
    ['flow', `${'['.repeat(50_000)}`],
    ['flow that closes', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['block', Array.from({ length: 3000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['sequences', `${'- '.repeat(5000)}x`],
  ])('nesting of thousands of levels is refused, and ends no process: %s', (_name, text) => {
    expect(() => parseYaml(text)).toThrow('yaml: ')
  })

  test('what is not YAML is refused', () => {
    expect(() => parseYaml('a: b: c')).toThrow('yaml: ')
    expect(() => parseYaml('a: *nowhere')).toThrow("unknown anchor 'nowhere'")
  })
})
