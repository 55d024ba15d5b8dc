import { describe, expect, test } from 'vitest'
import { ApiFailure } from '../failure.js'
import { readLabelSelector } from './label-selector.js'

const keyRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const operators = 'in, notin, =, ==, !=, gt, lt'

// The answers of kube-apiserver 1.36.3.
const refused: readonly (readonly [string, string])[] = [
  ['a in', "unable to parse requirement: found '' expected: '('"],
  ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
  ['a in (b,c', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in x', "unable to parse requirement: found 'x' expected: '('"],
  ['a in b)', "unable to parse requirement: found 'b' expected: '('"],
  ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ['-a', `unable to parse requirement: <nil>: Invalid value: "-a": ${keyRule}`],
  ['a=b,-c', `unable to parse requirement: <nil>: Invalid value: "-c": ${keyRule}`],
  ['/a=1', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
  [
    'a/=1',
    `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; ${keyRule}`,
  ],
  ['a=-b', `unable to parse requirement: values[0][a]: Invalid value: "-b": ${valueRule}`],
  [
    'a in (-x,_y)',
    `unable to parse requirement: [values[0][a]: Invalid value: "-x": ${valueRule}, values[1][a]: Invalid value: "_y": ${valueRule}]`,
  ],
  [
    `a=${'x'.repeat(64)}`,
    `unable to parse requirement: values[0][a]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
  ],
  ['a=b=c', "found '=', expected: ',' or 'end of string'"],
  ['!a=b', "found '=', expected: ',' or 'end of string'"],
  [
    'a>x',
    `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  [
    'a<',
    `unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  ['a gt 1', `unable to parse requirement: found 'gt', expected: ${operators}`],
  ['a b', `unable to parse requirement: found 'b', expected: ${operators}`],
  ['a!', `unable to parse requirement: found '!', expected: ${operators}`],
  ['a!b', `unable to parse requirement: found '!', expected: ${operators}`],
  ['a)', `unable to parse requirement: found ')', expected: ${operators}`],
  ['a=!b', "unable to parse requirement: found '!', expected: identifier"],
  ['a=<b', "unable to parse requirement: found '<', expected: identifier"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['!!a', "unable to parse requirement: found '!', expected: identifier"],
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['a,', "found '', expected: identifier after ','"],
  ['a,,b', "found ',', expected: identifier after ','"],
  ['=a', "found '=', expected: !, identifier, or 'end of string'"],
  ['==', "found '==', expected: !, identifier, or 'end of string'"],
  ['()', "found '(', expected: !, identifier, or 'end of string'"],
]

describe('what the real server refuses is refused in its words', () => {
  test.each(refused)('%s', (selector, message) => {
    const error = (() => {
      try {
        return readLabelSelector(selector)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(ApiFailure)
    expect(error).toMatchObject({ status: { code: 400, reason: 'BadRequest', message } })
  })
})

test('what it takes is read as it reads it, in the order of keys', () => {
  expect(readLabelSelector(' z=1, a in (x,,y), b , !c,d notin (),e>5,in in (in),f==,g in (,)')).toEqual([
    { key: 'a', operator: 'in', values: ['', 'x', 'y'] },
    { key: 'b', operator: 'exists', values: [] },
    { key: 'c', operator: '!', values: [] },
    { key: 'd', operator: 'notin', values: [''] },
    { key: 'e', operator: '>', values: ['5'] },
    { key: 'f', operator: '=', values: [''] },
    { key: 'g', operator: 'in', values: [''] },
    { key: 'in', operator: 'in', values: ['in'] },
    { key: 'z', operator: '=', values: ['1'] },
  ])
  expect(readLabelSelector('')).toEqual([])
})
