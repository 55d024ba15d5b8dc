import type { FunctionDeclaration, Overload } from '../check/declaration.js'
import { deepReadingCost, readingCost, sizeOf, traversal } from '../plan/cost.js'
import { CostLimitExceeded } from '../plan/meter.js'
import { describeValue } from '../value/describe.js'
import { elementsOf, listOf } from '../value/list.js'
import { characterCount, characters, trimSpace } from '../value/text.js'
import { boolType, type CelType, intType, listTypeOf, stringType } from '../value/type.js'
import { type CelList, type CelValue, failure, isFailure, noSuchOverload, ofKind } from '../value/value.js'
import { declare, member, overload } from './signature.js'

const listOfStrings: CelType = listTypeOf(stringType)
// What no request could carry is not worth building: the server would run out of memory.
const longestText = 64 * 1024 * 1024

type TextFunction = (text: string, ...rest: CelValue[]) => CelValue

function textMember(id: string, rest: readonly CelType[], result: CelType, run: TextFunction): Overload {
  return member(id, [stringType, ...rest], result, ([text, ...others]) =>
    typeof text === 'string' ? run(text, ...others) : noSuchOverload(),
  )
}

function outOfRange(index: bigint): CelValue {
  return failure(`index out of range: ${index}`)
}

function charAt(text: string, index: bigint): CelValue {
  const all = characters(text)
  if (index < 0n || index > BigInt(all.length)) return outOfRange(index)
  return all[Number(index)] ?? ''
}

function indexOf(text: string, part: string, offset: bigint): CelValue {
  if (part === '') return offset
  if (offset < 0n) return outOfRange(offset)
  const all = characters(text)
  if (offset >= BigInt(all.length)) return -1n
  const start = all.slice(0, Number(offset)).join('').length
  const found = text.indexOf(part, start)
  return found === -1 ? -1n : BigInt(characterCount(text.slice(0, found)))
}

function lastIndexOf(text: string, part: string, offset: bigint | undefined): CelValue {
  const all = characters(text)
  if (part === '') return offset ?? BigInt(all.length)
  if (offset === undefined) {
    if (text.length < part.length) return -1n
    offset = BigInt(all.length - 1)
  }
  if (offset < 0n) return outOfRange(offset)
  if (offset >= BigInt(all.length)) return -1n
  const found = text.lastIndexOf(part, all.slice(0, Number(offset)).join('').length)
  return found === -1 ? -1n : BigInt(characterCount(text.slice(0, found)))
}

function replace(text: string, part: string, by: string, limit: number): CelValue {
  if (limit === 0 || part === by) return text
  const pieces = part === '' ? characters(text) : text.split(part)
  // An empty part is found before every character and at the end.
  const places = part === '' ? pieces.length + 1 : pieces.length - 1
  const count = limit < 0 ? places : Math.min(limit, places)
  if (text.length + count * by.length > longestText) throw new CostLimitExceeded()
  if (part !== '') {
    const kept = pieces.slice(count).join(part)
    return count === 0 ? text : pieces.slice(0, count).join(by) + by + kept
  }
  let replaced = ''
  for (const [index, piece] of pieces.entries()) replaced += index < count ? by + piece : piece
  return count > pieces.length ? replaced + by : replaced
}

function split(text: string, separator: string, limit: number): CelValue {
  if (limit === 0) return listOf([])
  const pieces = separator === '' ? characters(text) : text.split(separator)
  if (limit < 0 || pieces.length <= limit) return listOf(pieces)
  return listOf([...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(separator)])
}

function substring(text: string, start: bigint, end: bigint | undefined): CelValue {
  const all = characters(text)
  const length = BigInt(all.length)
  if (end !== undefined && start > end)
    return failure(`invalid substring range. start: ${start}, end: ${end}`)
  if (start < 0n || start > length) return outOfRange(start)
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end)
  return all.slice(Number(start), end === undefined ? undefined : Number(end)).join('')
}

function join(list: CelList, separator: string): CelValue {
  const parts: string[] = []
  for (const element of elementsOf(list)) {
    if (typeof element !== 'string') return failure(`join: invalid input: ${describeValue(element)}`)
    parts.push(element)
  }
  return parts.join(separator)
}

/** The size of the joined text is known before it is built. */
function joinCost(args: readonly CelValue[]): number {
  const list = ofKind(args[0] ?? null, 'list')
  if (list === undefined || args.some(isFailure)) return 1
  let size = args[1] === undefined ? 0 : sizeOf(args[1]) * Math.max(0, list.size - 1)
  for (const element of elementsOf(list)) size += sizeOf(element)
  return traversal(size * 2)
}

const quoteEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

function quote(text: string): string {
  return `"${characters(text)
    .map((character) => quoteEscapes[character] ?? character)
    .join('')}"`
}

const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase())
const asciiUpper = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase())

function bounded(limit: bigint): number {
  return limit < 0n ? -1 : Number(limit > 0x7fff_ffffn ? 0x7fff_ffffn : limit)
}

const isText = (value: CelValue | undefined): value is string => typeof value === 'string'
const isInt = (value: CelValue | undefined): value is bigint => typeof value === 'bigint'

/** A test of two texts. The server leaves the types of its operands to run time. */
function textTest(
  name: string,
  id: string,
  test: (text: string, part: string) => boolean,
): FunctionDeclaration {
  return declare(
    name,
    [
      {
        ...member(id, [stringType, stringType], boolType, ([text, part]) =>
          isText(text) && isText(part) ? test(text, part) : noSuchOverload(),
        ),
        cost:
          name === 'contains'
            ? ([text, part]) => traversal(sizeOf(text)) * traversal(sizeOf(part))
            : readingCost(),
      },
    ],
    { unguarded: true },
  )
}

const readAll: { cost: (args: readonly CelValue[]) => number } = { cost: ([first]) => deepReadingCost(first) }

/** Functions of texts: the standard ones and version 2 of the strings extension. */
export const strings: readonly FunctionDeclaration[] = [
  textTest('contains', 'contains_string', (text, part) => text.includes(part)),
  textTest('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
  textTest('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
  declare('charAt', [
    textMember('string_char_at_int', [intType], stringType, (text, index = null) =>
      isInt(index) ? charAt(text, index) : noSuchOverload(),
    ),
  ]),
  declare(
    'indexOf',
    [
      textMember('string_index_of_string', [stringType], intType, (text, part = null) =>
        isText(part) ? indexOf(text, part, 0n) : noSuchOverload(),
      ),
      textMember('string_index_of_string_int', [stringType, intType], intType, (text, part, offset) =>
        isText(part) && isInt(offset) ? indexOf(text, part, offset) : noSuchOverload(),
      ),
    ],
    readAll,
  ),
  declare(
    'lastIndexOf',
    [
      textMember('string_last_index_of_string', [stringType], intType, (text, part = null) =>
        isText(part) ? lastIndexOf(text, part, undefined) : noSuchOverload(),
      ),
      textMember('string_last_index_of_string_int', [stringType, intType], intType, (text, part, offset) =>
        isText(part) && isInt(offset) ? lastIndexOf(text, part, offset) : noSuchOverload(),
      ),
    ],
    readAll,
  ),
  declare('lowerAscii', [textMember('string_lower_ascii', [], stringType, asciiLower)], {
    cost: readingCost(),
  }),
  declare('upperAscii', [textMember('string_upper_ascii', [], stringType, asciiUpper)], {
    cost: readingCost(),
  }),
  declare('trim', [textMember('string_trim', [], stringType, trimSpace)], { cost: readingCost() }),
  declare(
    'replace',
    [
      textMember('string_replace_string_string', [stringType, stringType], stringType, (text, part, by) =>
        isText(part) && isText(by) ? replace(text, part, by, -1) : noSuchOverload(),
      ),
      textMember(
        'string_replace_string_string_int',
        [stringType, stringType, intType],
        stringType,
        (text, part, by, limit) =>
          isText(part) && isText(by) && isInt(limit)
            ? replace(text, part, by, bounded(limit))
            : noSuchOverload(),
      ),
    ],
    { cost: readingCost(2) },
  ),
  declare(
    'split',
    [
      textMember('string_split_string', [stringType], listOfStrings, (text, separator) =>
        isText(separator) ? split(text, separator, -1) : noSuchOverload(),
      ),
      textMember('string_split_string_int', [stringType, intType], listOfStrings, (text, separator, limit) =>
        isText(separator) && isInt(limit) ? split(text, separator, bounded(limit)) : noSuchOverload(),
      ),
    ],
    { cost: readingCost(2) },
  ),
  declare(
    'substring',
    [
      textMember('string_substring_int', [intType], stringType, (text, start) =>
        isInt(start) ? substring(text, start, undefined) : noSuchOverload(),
      ),
      textMember('string_substring_int_int', [intType, intType], stringType, (text, start, end) =>
        isInt(start) && isInt(end) ? substring(text, start, end) : noSuchOverload(),
      ),
    ],
    { cost: readingCost() },
  ),
  declare(
    'join',
    [
      member('list_join', [listOfStrings], stringType, ([list = null]) => joined(list, '')),
      member('list_join_string', [listOfStrings, stringType], stringType, ([list = null, separator = null]) =>
        joined(list, separator),
      ),
    ],
    { cost: joinCost },
  ),
  declare('strings.quote', [
    overload('strings_quote', [stringType], stringType, {
      run: ([text]) => (isText(text) ? quote(text) : noSuchOverload()),
      cost: readingCost(),
    }),
  ]),
]

function joined(value: CelValue, separator: CelValue): CelValue {
  const list = ofKind(value, 'list')
  return list === undefined || !isText(separator) ? noSuchOverload() : join(list, separator)
}
