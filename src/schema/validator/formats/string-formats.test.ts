import { describe, expect, test } from 'vitest'
import { stringFormatCheck } from './string-formats.js'

// Taken from what Go's own parsers say, oddities included.
const samples: Readonly<
  Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>
> = {
  bsonobjectid: { valid: ['507f1f77bcf86cd799439011'], invalid: ['507f1f77', 'zz7f1f77bcf86cd799439011'] },
  uri: {
    valid: [
      'http://a',
      '/path',
      'mailto:a@b.c',
      '*',
      'http://[::1]:80/',
      'http://[fe80::1%25en0]/',
      'x://u:p@h/%41',
    ],
    invalid: [
      '',
      'a.b',
      './a',
      ':a',
      'http://a b',
      'http://[1.2.3.4]/',
      'http://a:b/',
      'http://a/%zz',
      'http://a#b',
    ],
  },
  email: {
    valid: [
      'a@b',
      'Bob <bob@example.com>',
      '"a b"@c.d',
      'a@[127.0.0.1]',
      'a@b (comment)',
      'team: a@b;',
      'ü@ö.example',
    ],
    invalid: [
      '',
      'a',
      '@b',
      'a@',
      'a..b@c',
      '.a@b',
      'a@b, c@d',
      '"a@b',
      'a@[x]',
      'a b@c',
      '=?nope?q?x?= <a@b>',
    ],
  },
  hostname: {
    valid: ['a', 'a.example', 'xn--p1ai.example', '🦓.example'],
    invalid: ['', '-a', 'a.b-', 'a_b', 'a.1'],
  },
  ipv4: { valid: ['1.2.3.4', '01.2.3.4', '::1.2.3.4'], invalid: ['1.2.3', '1.2.3.256', '::1', '1.2.3.4.5'] },
  ipv6: {
    valid: ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
    invalid: ['1.2.3.4', ':::', '1::2::3', '::1%en0', '::01.2.3.4'],
  },
  cidr: {
    valid: ['10.0.0.0/8', '::/0', '10.0.0.0/08'],
    invalid: ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/a'],
  },
  mac: {
    valid: ['00:11:22:33:44:55', '00-11-22-33-44-55', '0011.2233.4455', '001122334455'],
    invalid: ['00:11', '00:11:22:33:44-55', 'g0:11:22:33:44:55'],
  },
  uuid: {
    valid: ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6BA7B8109DAD11D180B400C04FD430C8'],
    invalid: ['6ba7b810', ''],
  },
  uuid3: {
    valid: ['6fa459ea-ee8a-3ca4-894e-db77e160355e'],
    invalid: ['6fa459ea-ee8a-4ca4-894e-db77e160355e'],
  },
  uuid4: {
    valid: ['16fd2706-8baf-433b-82eb-8c7fada847da'],
    invalid: ['16fd2706-8baf-433b-12eb-8c7fada847da'],
  },
  uuid5: {
    valid: ['886313e1-3b8a-5372-9b90-0c9aee199e5d'],
    invalid: ['886313e1-3b8a-4372-9b90-0c9aee199e5d'],
  },
  isbn: { valid: ['0321751043', '978-0321751041'], invalid: ['0321751044', '978'] },
  isbn10: { valid: ['3 401 01319 X'], invalid: ['978-0321751041'] },
  isbn13: { valid: ['978 3401013190'], invalid: ['3401013190'] },
  creditcard: { valid: ['4220 8554 2622 2389', '374953669708156'], invalid: ['4220855426213389', ''] },
  ssn: { valid: ['191-60-2869', '191 60 2869'], invalid: ['191602869', '191-60-28690'] },
  hexcolor: { valid: ['#fff', 'CCccCC'], invalid: ['#ff', '#ff12FG'] },
  rgbcolor: {
    valid: ['rgb(0,31,255)', 'rgb( 0 , 31 , 255 )'],
    invalid: ['rgb(1,349,275)', 'rgb(01,31,255)'],
  },
  byte: { valid: ['aGk=', 'aGVsbG8h'], invalid: ['', 'aGk', 'aG k='] },
  password: { valid: ['', 'anything'], invalid: [] },
  date: { valid: ['2024-02-29', '0000-01-01'], invalid: ['2023-02-29', '2024-2-29', '2024-13-01', ''] },
  'date-time': {
    valid: ['2024-02-29T12:00:00Z', '2024-02-29t12:00:00.5+01:00', '2024-02-29T12:00:00x5Z'],
    invalid: ['2024-02-29', '2024-02-30T12:00:00Z', '2024-02-29T24:00:00Z', '2024-02-29T12:00:00'],
  },
  duration: {
    valid: ['1h30m', '-1.5s', '0', '3 days', 'P1D', '1 wk'],
    invalid: ['', '1', 'P1Y', '1 fortnight', '99999999999999999999h'],
  },
  'k8s-short-name': { valid: ['my-name', '0'], invalid: ['My-Name', 'a.b', '-a', 'a'.repeat(64)] },
  'k8s-long-name': { valid: ['my-name.example', 'a'.repeat(253)], invalid: ['A.b', 'a..b', 'a'.repeat(254)] },
}

describe.each(Object.entries(samples))('format %s', (format, { valid, invalid }) => {
  const check = stringFormatCheck(format)

  test('takes what the API server takes, and nothing else', () => {
    expect(valid.filter((text) => check?.(text) !== true)).toEqual([])
    expect(invalid.filter((text) => check?.(text) !== false)).toEqual([])
  })
})

test('of any other format nothing is known', () => {
  expect(stringFormatCheck('jwt')).toBeUndefined()
  expect(stringFormatCheck('constructor')).toBeUndefined()
})

// A check that backtracks would take minutes for these, not milliseconds.
test('long texts are answered like short ones', () => {
  const parts = ['a', 'a.', '(', '\\', '1', '1.', 'a@', '::', '1 ', '0:', '%41', '"a" ', '1s', 'b@c,']
  const texts = parts.flatMap((part) => [
    part.repeat(20_000),
    `"${part.repeat(20_000)}`,
    `http://${part.repeat(20_000)}!`,
  ])
  const checks = ['email', 'duration', 'hostname', 'ipv6', 'cidr', 'date-time', 'k8s-long-name'].map(
    stringFormatCheck,
  )
  const accepted = checks.flatMap((check) => texts.filter((text) => check?.(text) === true))
  expect(accepted.map((text) => text.slice(0, 8))).toEqual(['1s1s1s1s', '"1s1s1s1', 'http://1'])
})
