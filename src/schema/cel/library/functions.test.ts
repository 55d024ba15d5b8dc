import { describe, expect, test } from 'vitest'
import { compileProgram, createEnvironment } from '../kubernetes/program.js'
import { boolType, dynType } from '../value/type.js'
import type { CelValue } from '../value/value.js'

const environment = createEnvironment()

/** What a condition yields: true, false, or the text of the failure. */
function run(source: string, self: CelValue = null): unknown {
  const program = compileProgram(environment, {
    source,
    selfType: dynType,
    optionalOldSelf: false,
    resultType: boolType,
    wrongResult: 'not a bool',
    prefix: '',
  })
  const result = program.run(self, undefined)
  if (result.kind === 'exceeded') return 'exceeded'
  const { value } = result
  return typeof value === 'object' && value?.kind === 'failure' ? value.message : value
}

const holds: Readonly<Record<string, readonly string[]>> = {
  numbers: [
    '7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1',
    'dyn(1) == 1.0 && 1 in [1, 2]',
    'dyn(1) == dyn(1u) && dyn(2u) == dyn(2.0)',
    '1 < 1.5 && 2u > 1 && 1.0 <= 1u',
    'int(2.9) == 2 && int(-2.9) == -2 && uint(3) == 3u',
    "double('1e3') == 1000.0 && string(1000000.0) == '1e+06' && string(0.1) == '0.1'",
    'double("NaN") != double("NaN")',
  ],
  texts: [
    "'tacocat'.charAt(3) == 'o' && 'abc'.charAt(3) == ''",
    "'hello mellow'.indexOf('ello', 2) == 7 && 'hello mellow'.lastIndexOf('ello', 6) == 1",
    "'😀b'.size() == 2 && '😀b'.indexOf('b') == 1 && '😀b'.substring(1) == 'b'",
    "'hello hello'.replace('he', 'we', 1) == 'wello hello' && 'ab'.replace('', '-') == '-a-b-'",
    "'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'abc'.split('', 0) == [] && ''.split(',') == ['']",
    "['a', 'b'].join('-') == 'a-b' && [].join() == ''",
    "'ÄB'.lowerAscii() == 'Äb' && 'äb'.upperAscii() == 'äB'",
    "' \\u00a0x\\t'.trim() == 'x'",
    'strings.quote(\'a"\\n\') == \'"a\\\\"\\\\n"\'',
    "'\\uffff' < '\\U0001F600'",
  ],
  formats: [
    "'%d %x %X %o %b'.format([-255, 255, 255, 8, 5]) == '-255 ff FF 10 101'",
    "'%s %s %s'.format([1.5, true, null]) == '1.5 true null'",
    "'%s'.format([{'b': [1.5], 'a': ['x']}]) == '{\"a\":[\"x\"], \"b\":[1.500000]}'",
    "'%.2f %f'.format([1234.567, 0.5]) == '1,234.57 0.500000'",
    "'%e'.format([1234.5]) == '1.234500×10⁰³'",
    "'%s'.format([[duration('90s'), timestamp('2024-01-01T00:00:00Z')]]) == '[duration(\"90s\"), timestamp(\"2024-01-01T00:00:00Z\")]'",
    "'100%%'.format([]) == '100%'",
  ],
  patterns: [
    "'foobar'.matches('o+b') && !'foobar'.matches('^o')",
    "'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''",
    "'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'abab'.findAll('a', 1) == ['a']",
    "'abxc'.findAll('x*') == ['', '', 'x', '']",
    "'ÄÖ'.matches('(?i)äö') && 'x'.matches('[[:alpha:]]')",
  ],
  lists: [
    '[1, 3, 2].sort() == [1, 2, 3] && [3, 1].sortBy(x, x) == [1, 3] && [1, 2].reverse() == [2, 1]',
    '[1, 2, 1].distinct() == [1, 2] && [1, 2, 3].slice(1, 2) == [2] && [[1], [2, 3]].flatten() == [1, 2, 3]',
    '[[[1]]].flatten(2) == [1] && lists.range(3) == [0, 1, 2] && lists.range(-1) == []',
    '[1, 2].sum() == 3 && [1.5].sum() == 1.5 && [1, 2].min() == 1 && [1, 2].max() == 2',
    "[duration('1s'), duration('1m')].sum() == duration('61s')",
    '[1, 2].isSorted() && ![2, 1].isSorted() && [1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2',
    'sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && sets.intersects([1], [1, 2])',
    '[1].first() == optional.of(1) && ![].last().hasValue()',
  ],
  comprehensions: [
    "{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'}",
    "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2) == {'b': 4}",
    '[5, 6].transformList(i, v, i + v) == [5, 7] && [5, 6].existsOne(i, v, v == 6 && i == 1)',
    '[1, 2, 3].map(x, x > 1, x * x) == [4, 9] && [1, 2].exists_one(x, x > 1)',
    'optional.of(2).optMap(x, x * 2) == optional.of(4) && !optional.none().optMap(x, x).hasValue()',
    'optional.of(2).optFlatMap(x, x > 5 ? optional.of(x) : optional.none()).orValue(7) == 7',
    '[?optional.none(), 1] == [1] && {?"a": optional.of(1)} == {"a": 1} && optional.unwrap([optional.of(1), optional.none()]) == [1]',
    '!optional.ofNonZeroValue("").hasValue() && optional.none().or(optional.of(1)).value() == 1',
  ],
  times: [
    "timestamp('2024-02-29T12:00:00Z').getDayOfYear() == 59 && timestamp('2024-02-29T12:00:00Z').getDayOfWeek() == 4",
    "timestamp('2024-01-01T00:30:00Z').getHours('-01:00') == 23 && timestamp('2024-01-01T00:30:00Z').getDate('-01:00') == 31",
    "timestamp('2024-07-01T00:00:00Z').getHours('Europe/Berlin') == 2",
    "timestamp('2024-01-01T00:00:00+02:00') == timestamp('2023-12-31T22:00:00Z')",
    "string(timestamp('2024-01-01T00:00:00.500+02:00')) == '2024-01-01T00:00:00.5+02:00'",
    "duration('1h30m').getMinutes() == 90 && string(duration('1.5s')) == '1.5s' && duration('-1m') < duration('0')",
    "timestamp(0) == timestamp('1970-01-01T00:00:00Z') && int(timestamp('1970-01-01T00:00:01Z')) == 1",
  ],
  quantities: [
    "quantity('1Ki') == quantity('1024') && quantity('1.5').compareTo(quantity('1500m')) == 0",
    "quantity('50k').add(20) == quantity('50020') && quantity('50k').sub(quantity('20k')) == quantity('30k')",
    "quantity('50k').isInteger() && quantity('50k').asInteger() == 50000 && !quantity('0.5').isInteger()",
    "quantity('200M').isLessThan(quantity('200Mi')) && sign(quantity('-1')) == -1",
    "isQuantity('1.3Gi') && !isQuantity('1,3G') && !isQuantity('200K') && quantity('0.5').asApproximateFloat() == 0.5",
    "quantity('1e999999999').isGreaterThan(quantity('1')) && quantity('1e-999999999').isGreaterThan(quantity('0'))",
  ],
  networks: [
    "ip('::1').family() == 6 && ip('127.0.0.1').isLoopback() && ip('fe80::1').isLinkLocalUnicast()",
    "isIP('1.2.3.4') && !isIP('01.2.3.4') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0')",
    "ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD') && string(ip('2001:DB8:0:0::1')) == '2001:db8::1'",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
    "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.1.2.3/8').prefixLength() == 8 && !isCIDR('10.0.0.0/33')",
  ],
  urls: [
    "url('https://user:pw@example.com:80/a%20b?k=v&k=w#f').getHost() == 'example.com:80'",
    "url('https://[::1]:80/').getHostname() == '::1' && url('https://[::1]:80/').getPort() == '80'",
    "url('https://a/a b').getEscapedPath() == '/a%20b' && url('https://a/?k=v&k=w').getQuery() == {'k': ['v', 'w']}",
    "isURL('/path') && isURL('https://a') && !isURL('relative') && !isURL('https://a:x/')",
  ],
  versions: [
    "semver('1.2.3-beta.2').isLessThan(semver('1.2.3-beta.10')) && semver('1.2.3').isGreaterThan(semver('1.2.3-rc'))",
    "semver('v01.2', true) == semver('1.2.0') && !isSemver('v1.2.3') && semver('1.2.3+a') == semver('1.2.3+b')",
    "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
  ],
  'named formats': [
    "!format.dns1123Label().validate('abc').hasValue() && format.dns1123Label().validate('a.b').value() == ['must not contain dots']",
    "format.named('uuid').value().validate('x').value() == ['does not match the UUID format'] && !format.named('nope').hasValue()",
    "!format.qualifiedName().validate('a.b/c').hasValue() && format.labelValue().validate('-').hasValue()",
  ],
  types: [
    "type(1) == int && type('a') == string && type([]) == list && type({}) == map && type(type(1)) == type",
    'type(timestamp(0)) == google.protobuf.Timestamp && type(null) == null_type',
  ],
}

describe.each(Object.entries(holds))('%s', (_, conditions) => {
  test.each(conditions)('%s', (source) => {
    expect(run(source)).toBe(true)
  })
})

test.each([
  ['1 / (1 - 1) == 1', 'division by zero'],
  ['1 % (1 - 1) == 1', 'modulus by zero'],
  ['9223372036854775807 + size("a") > 0', 'integer overflow'],
  ['1u - uint(size("ab")) > 0u', 'unsigned integer overflow'],
  ['int(1e300 * double(size("a"))) > 0', 'integer overflow'],
  ['[1][size("a")] == 1', 'index out of bounds: 1'],
  ["{'a': 1}['b' + ''] == 1", 'no such key: b'],
  ["'abc'.substring(2, 1) == ''", 'invalid substring range. start: 2, end: 1'],
  ["'abc'.charAt(4) == ''", 'index out of range: 4'],
  ['[].min() == 1', 'min called on empty list'],
  ['optional.none().value() == 1', 'optional.none() dereference'],
  [
    "quantity('x' + '') == quantity('1')",
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    "ip('1.2.3' + '').family() == 4",
    'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
  ],
  ["semver('1' + '').major() == 1", 'No Major.Minor.Patch elements found'],
  ["'a'.matches('(' + '')", 'error parsing regexp: missing closing ): `(`'],
  ["dyn('a') < 1", 'no such overload'],
  ['dyn(1).startsWith("a")', 'no such overload'],
  ['dyn([]) + 1 == 1', 'no such overload'],
  ["timestamp('9999-12-31T00:00:00Z') + duration('48h') > timestamp(0)", 'timestamp overflow'],
  [
    "{'a': 1}.transformMapEntry(k, v, {'x': v}).size() + {'a': 1, 'b': 2}.transformMapEntry(k, v, {'x': v}).size() == 1",
    'insert failed: key x already exists',
  ],
])('%s fails: %s', (source, failure) => {
  expect(run(source)).toBe(failure)
})

test('text with half a surrogate pair is counted, cut and compared without harm', () => {
  expect(
    run('size(self) == 3 && self.substring(1) != "" && self < "z" == false', '\ud83d\ude00a\ud83d'),
  ).toBe(true)
})

test('a huge precision is not printed', () => {
  expect(run("'%.999999999f'.format([double(size('a'))]) == ''")).toBe('exceeded')
})
