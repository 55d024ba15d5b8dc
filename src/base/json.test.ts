import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { KubewrightError } from './errors.js'
import { JsonSyntaxError, parseJson, stringifyJson } from './json.js'
import { JsonValueError } from './json-writer.js'

const syntaxError = expect.objectContaining({ code: 'KW_JSON_SYNTAX' })
const valueError = expect.objectContaining({ code: 'KW_JSON_VALUE' })

/** JSON texts with the awkward parts in front: long integers, exponents, odd keys, every escape, odd spacing. */
const digits = (max: number): fc.Arbitrary<string> =>
  fc.bigInt({ min: 0n, max: 10n ** BigInt(max) }).map((value) => value.toString())
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(digits(3), digits(17), digits(40)),
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.stringMatching(/^\.\d{1,20}$/)),
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''))
const stringLiteral = fc
  .array(
    fc.oneof(
      fc
        .string({
          unit: fc.constantFrom('a', '9', '\n', '"', '\\', '\u00e4', '\u6f22', '\u{1f600}', '\ud800'),
        })
        .map((text) => JSON.stringify(text).slice(1, -1)),
      fc.constantFrom(
        '\\n',
        '\\"',
        '\\\\',
        '\\/',
        '\\u0000',
        '\\ud800',
        '\\u00e9',
        '9007199254740993',
        ':1e999,',
        '[{',
      ),
    ),
    { maxLength: 4 },
  )
  .map((parts) => `"${parts.join('')}"`)
const keyLiteral = fc.oneof(
  stringLiteral.map((text) => `"k${text.slice(1)}`),
  fc.constantFrom('"__proto__"', '"constructor"', '"toString"', '""'),
)
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r\n ')
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc
    .tuple(
      space,
      fc.oneof(
        { maxDepth: 5, depthSize: 'small' },
        fc.constantFrom('true', 'false', 'null'),
        literal,
        stringLiteral,
        fc.array(tie('value'), { maxLength: 5 }).map((items) => `[${items.join(',') || ' '}]`),
        fc
          .uniqueArray(fc.tuple(keyLiteral, space, tie('value')), {
            maxLength: 5,
            selector: ([key]) => JSON.parse(key) as string,
          })
          .map((members) => `{${members.map(([key, gap, value]) => `${key}${gap}:${value}`).join(',')}}`),
      ),
      space,
    )
    .map((parts) => parts.join('')),
})).value

/** What the text says, token by token, by a route that shares no code with the parser. */
function canonical(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\s+/g, (token) => {
    if (token.startsWith('"')) return JSON.stringify(JSON.parse(token))
    if (token.trim() === '') return ''
    return /^-?\d+$/.test(token) ? BigInt(token).toString() : JSON.stringify(Number(token))
  })
}

const hasInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasInfinity)
    : value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY

const refused = 'refused'
const longInteger = '12345678901234567890'

function textOrRefused(run: () => string): string {
  try {
    return run()
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonValueError) return refused
    throw error
  }
}

/** The value that JSON.parse reads, written again; refused when it reads none, or Infinity. */
function parsedByNode(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return hasInfinity(value) ? refused : JSON.stringify(value)
  } catch {
    return refused
  }
}

/** With every bigint rounded as JSON.parse would have rounded it. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(rounded(member))}`,
  )
  return JSON.parse(`{${members.join(',')}}`)
}

describe('parseJson and stringifyJson', () => {
  test('every JSON text survives a round trip without a change in what it says', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const expected = hasInfinity(JSON.parse(text)) ? refused : canonical(text)
        expect(textOrRefused(() => stringifyJson(parseJson(text)))).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('the strict parser gives the value that JSON.parse gives, except for the numbers that it would round', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        // The long integer in front sends the whole text to the strict parser.
        const strict = `[${longInteger},${text}]`
        const node = parsedByNode(strict)
        expect(textOrRefused(() => JSON.stringify(rounded(parseJson(strict))))).toBe(node)
      }),
      { numRuns: 300 },
    )
  })

  test('a damaged text is refused exactly when JSON.parse refuses it', () => {
    const damage = fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.oneof(
        fc.constant(''),
        fc.constantFrom(
          '"',
          '\\',
          '[',
          ']',
          '{',
          '}',
          ',',
          ':',
          '0',
          '-',
          '+',
          '.',
          'e',
          '\n',
          '\u0000',
          '\ufeff',
          '\u00a0',
        ),
      ),
    )
    fc.assert(
      fc.property(
        jsonText,
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (text, wounds, strict) => {
          let damaged = text
          for (const [at, removed, inserted] of wounds) {
            const position = at % (damaged.length + 1)
            damaged = damaged.slice(0, position) + inserted + damaged.slice(position + removed)
          }
          if (strict) damaged = `[${longInteger},${damaged}]`
          const read = textOrRefused(() => {
            const value = parseJson(damaged)
            // Refuses what could not be written again.
            stringifyJson(value)
            return JSON.stringify(rounded(value))
          })
          expect(read).toBe(parsedByNode(damaged))
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('parseJson', () => {
  test.each([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['[0, 18446744073709551615]', [0, 18446744073709551615n]],
    ['{"a":9007199254740993}', { a: 9007199254740993n }],
    ['{"a": \n9007199254740993 }', { a: 9007199254740993n }],
  ])('%s keeps its last digit', (text, value) => {
    expect(parseJson(text)).toStrictEqual(value)
  })

  test.each([
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['1000000000000000', 1e15],
    ['0.1000000000000000055', 0.1],
    ['1e100', 1e100],
    ['"9007199254740993"', '9007199254740993'],
  ])('%s is an ordinary value', (text, value) => {
    expect(parseJson(text)).toBe(value)
  })

  test.each([['1e400'], ['-1e400'], ['[1E+400]'], ['{"a":1.5e0999}']])(
    'a number beyond a double is refused instead of being written as null: %s',
    (text) => {
      expect(() => stringifyJson(parseJson(text))).toThrow(valueError)
    },
  )

  test('400 digits are refused too, without an exponent', () => {
    expect(() => parseJson('9'.repeat(400))).toThrow(syntaxError)
    expect(() => parseJson(`[${'9'.repeat(400)}.5]`)).toThrow(syntaxError)
  })

  test('__proto__ is kept as data, by the fast and by the strict parser', () => {
    for (const number of ['1', '9007199254740993']) {
      const value = parseJson(`{"__proto__":{"x":${number}},"a":${number}}`)
      expect(Object.keys(Object(value))).toEqual(['__proto__', 'a'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect('x' in Object(value)).toBe(false)
      expect(stringifyJson(value)).toBe(`{"__proto__":{"x":${number}},"a":${number}}`)
    }
  })

  test('a repeated key has its last value, by the fast and by the strict parser', () => {
    expect(parseJson('{"a":1,"b":2,"a":3}')).toStrictEqual({ a: 3, b: 2 })
    expect(parseJson('{"a":1,"b":9007199254740993,"a":3}')).toStrictEqual({ a: 3, b: 9007199254740993n })
  })

  const nested = (depth: number, innermost: string): string =>
    `${'['.repeat(depth)}${innermost}${']'.repeat(depth)}`

  test.each([[''], ['1'], ['9007199254740993']])(
    '10,000 levels around %o survive a round trip',
    (innermost) => {
      const text = nested(10_000, innermost)
      expect(stringifyJson(parseJson(text))).toBe(text)
      const objects = `${'{"a":'.repeat(9_999)}[${innermost}]${'}'.repeat(9_999)}`
      expect(stringifyJson(parseJson(objects))).toBe(objects)
    },
  )

  test.each([
    ['10,001 arrays', nested(10_001, '')],
    ['10,001 arrays around a long integer', nested(10_001, '9007199254740993')],
    ['200,000 arrays', nested(200_000, '')],
    ['10,001 objects', `${'{"a":'.repeat(10_001)}1${'}'.repeat(10_001)}`],
    ['200,000 opening brackets', '['.repeat(200_000)],
    ['200,000 opening brackets after a long integer', `[9007199254740993,${'['.repeat(200_000)}`],
  ])('%s cannot be sent on, and overflow no stack', (_name, text) => {
    expect(() => stringifyJson(parseJson(text))).toThrow(KubewrightError)
  })

  test('brackets in strings and brackets side by side do not count as depth', () => {
    const text = `{"a\\"[":${JSON.stringify('[{'.repeat(20_000))},"b":[${'[],{},'.repeat(20_000)}1]}`
    expect(stringifyJson(parseJson(text))).toBe(text)
  })

  test('a string of many megabytes in a text with a long integer is read', () => {
    const text = `["${'a'.repeat(20_000_000)}",9007199254740993]`
    expect(parseJson(text)).toHaveLength(2)
  })

  test('the error names the place', () => {
    expect(() => parseJson('[9007199254740993,x]')).toThrow('unexpected "x" at position 18')
    expect(() => parseJson('[9007199254740993')).toThrow('unexpected the end at position 17')
    expect(() => parseJson('[9007199254740993,"a')).toThrow('the string at position 18 has no end')
    expect(() => parseJson('{"a":}')).toThrow(syntaxError)
    expect(() => parseJson('')).toThrow(syntaxError)
  })
})

describe('stringifyJson', () => {
  test('writes a bigint as a plain integer wherever it stands', () => {
    expect(stringifyJson(9007199254740993n)).toBe('9007199254740993')
    expect(stringifyJson({ a: [1n, { b: -5n }], c: 'x' })).toBe('{"a":[1,{"b":-5}],"c":"x"}')
  })

  test('a bigint changes nothing about how its neighbours are written', () => {
    const neighbours = {
      none: undefined,
      run: () => 1,
      symbol: Symbol('s'),
      list: [undefined, () => 1, Symbol('s'), -0],
      date: new Date(0),
      nested: { toJSON: (key: string) => `key ${key}` },
      boxed: [Object(1), Object('s'), Object(true)],
      map: new Map([[1, 2]]),
      'a"b': null,
    }
    expect(stringifyJson({ ...neighbours, big: 1n })).toBe(
      `${JSON.stringify(neighbours).slice(0, -1)},"big":1}`,
    )
    expect(stringifyJson([1n, { toJSON: () => 2n }, Object(3n)])).toBe('[1,2,3]')
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%s is refused', (value) => {
    expect(() => stringifyJson({ a: [{ b: value }] })).toThrow(valueError)
    expect(() => stringifyJson({ a: [{ b: value }], big: 1n })).toThrow(valueError)
    expect(stringifyJson({ a: null })).toBe('{"a":null}')
  })

  test('a value that JSON has no word for is null', () => {
    expect(stringifyJson(undefined)).toBe('null')
    expect(stringifyJson(() => 1)).toBe('null')
  })

  test('data nested deeper than the parser accepts is refused with a code, not with an overflow of the stack', () => {
    let deep: unknown = 1
    for (let level = 0; level < 200_000; level++) deep = [deep]
    expect(() => stringifyJson(deep)).toThrow(valueError)
  })

  test('data that contains itself is refused with a code', () => {
    const cycle: Record<string, unknown> = { big: 1n }
    cycle['self'] = [cycle]
    expect(() => stringifyJson(cycle)).toThrow(valueError)
    delete cycle['big']
    expect(() => stringifyJson(cycle)).toThrow(valueError)
  })

  test('data that appears twice without containing itself is written twice', () => {
    const shared = { n: 1n }
    expect(stringifyJson([shared, shared])).toBe('[{"n":1},{"n":1}]')
  })

  test('a toJSON or getter that throws is reported with its error as the cause', () => {
    const cause = new Error('lazy loading failed')
    const fails = (): never => {
      throw cause
    }
    expect(() => stringifyJson({ toJSON: fails })).toThrow(
      expect.objectContaining({ code: 'KW_JSON_VALUE', cause }),
    )
    expect(() =>
      stringifyJson({
        get a() {
          return fails()
        },
      }),
    ).toThrow(expect.objectContaining({ code: 'KW_JSON_VALUE', cause }))
  })

  describe('in a program that taught BigInt to write itself as a string', () => {
    afterEach(() => {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON')
    })

    test('a number of the cluster stays a number', () => {
      Object.assign(BigInt.prototype, {
        toJSON(this: bigint) {
          return this.toString()
        },
      })
      expect(stringifyJson(parseJson('{"a":9007199254740993}'))).toBe('{"a":9007199254740993}')
    })
  })

  test('says the same as JSON.stringify for all JSON data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyJson(value)).toBe(JSON.stringify(value))
        expect(stringifyJson([1n, value])).toBe(`[1,${JSON.stringify(value)}]`)
      }),
      { numRuns: 100 },
    )
  })
})
