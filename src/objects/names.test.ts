import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../base/index.js'
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  generateName,
  labelKeyErrors,
  labelValueErrors,
} from './names.js'

const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

describe('names of objects', () => {
  test.each([['a'], ['0'], ['my-name'], ['1--a'], ['a'.repeat(63)]])('%s is a DNS label', (name) => {
    expect(dns1123LabelErrors(name)).toEqual([])
  })

  test.each([
    ['', [labelRule]],
    ['My-Name', [labelRule]],
    ['-a', [labelRule]],
    ['a_b', [labelRule]],
    ['a.b', ['must not contain dots']],
    ['a'.repeat(64), ['must be no more than 63 characters']],
    ['\u00e4', [labelRule]],
    ['a\n', [labelRule]],
  ])('%o is no DNS label, in the words of the server', (name, errors) => {
    expect(dns1123LabelErrors(name)).toEqual(errors)
  })

  test.each([
    ['example.com', []],
    ['a'.repeat(253), []],
    ['a..b', [subdomainRule]],
    ['a'.repeat(254), ['must be no more than 253 characters']],
    [`${'a'.repeat(254)}_`, ['must be no more than 253 characters', subdomainRule]],
  ])('%s as a DNS subdomain', (name, errors) => {
    expect(dns1123SubdomainErrors(name)).toEqual(errors)
  })

  test('a Service is named by a DNS label that starts with a letter', () => {
    expect(dns1035LabelErrors('abc-123')).toEqual([])
    expect(dns1035LabelErrors('1abc')).toEqual([
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ])
  })

  test('a hostile name of a megabyte is judged in no time', () => {
    expect(dns1123SubdomainErrors(`${'a-'.repeat(500_000)}!`)).toHaveLength(2)
    expect(labelValueErrors(`${'a.'.repeat(500_000)}!`)).toHaveLength(2)
  })
})

describe('labels', () => {
  test.each([
    ['app', []],
    ['example.com/My_Name.x', []],
    ['', ['name part must be non-empty', `name part ${nameRule()}`]],
    ['/a', ['prefix part must be non-empty']],
    ['a/', ['name part must be non-empty', `name part ${nameRule()}`]],
    ['Example.com/a', [`prefix part ${subdomainRule}`]],
    [
      'a/b/c',
      [
        `a valid label key ${nameRule()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
    ['a'.repeat(64), ['name part must be no more than 63 bytes']],
    [`${'a'.repeat(254)}/b`, ['prefix part must be no more than 253 bytes']],
  ])('%o as a key', (key, errors) => {
    expect(labelKeyErrors(key)).toEqual(errors)
  })

  test.each([
    ['', []],
    ['My_Value.1', []],
    ['a'.repeat(64), ['must be no more than 63 bytes']],
    [
      '-a',
      [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
  ])('%o as a value', (value, errors) => {
    expect(labelValueErrors(value)).toEqual(errors)
  })

  function nameRule(): string {
    return "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
  }
})

describe('generateName', () => {
  test('adds five characters that spell nothing', () => {
    expect(generateName('web-', seededRandom(1))).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  })

  test('makes a valid name of every valid prefix, and never one longer than 63 characters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]([-a-z0-9]{0,80}[a-z0-9])?-?$/), fc.integer(), (prefix, seed) => {
        const name = generateName(prefix, seededRandom(seed))
        expect(dns1123LabelErrors(name)).toEqual([])
        expect(name.startsWith(prefix.slice(0, 58))).toBe(true)
      }),
    )
  })

  test('survives the ends of its randomness', () => {
    expect(generateName('a-', () => 0)).toBe('a-bbbbb')
    expect(generateName('a-', () => 1 - Number.EPSILON)).toBe('a-99999')
  })
})
