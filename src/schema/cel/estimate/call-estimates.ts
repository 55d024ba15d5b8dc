import type { CelType } from '../value/type.js'
import { isSameType } from '../value/type.js'
import { languageEstimate } from './language-estimates.js'
import { matching } from './matching.js'
import { type CallEstimate, type CallOperands, integerOf, type Operand, sizeOf } from './operand.js'
import {
  add,
  addSizes,
  byFactor,
  fixedSize,
  multiply,
  multiplySizes,
  type Size,
  unionOf,
  unlimited,
} from './size.js'

type Estimate = (call: CallOperands) => CallEstimate | undefined

const perCharacter = 0.1
const perPatternCharacter = 0.25
const listCreation = 10
// A named format is charged as a pattern of this length, whatever it is.
const formatPatternLength = 128
const longestFormat = 64
// An address is 4 or 16 bytes.
const longestAddress = 16

/** Reading the operand once per `times`; the result is as large as the operand. */
const reading =
  (from: 'target' | 'argument', times = 1, keepsSize = true): Estimate =>
  ({ target, args, sizeByPath }) => {
    const operand = from === 'target' ? target : args[0]
    if (operand === undefined) return undefined
    const size = sizeOf(operand, sizeByPath)
    const cost = byFactor(size.max, times * perCharacter)
    return keepsSize ? { cost, size } : { cost }
  }

const nominal: Estimate = () => ({ cost: 1 })

/** The elements of a list, with the place that they come from if the list has one. */
function elementOf(list: Operand): Operand | undefined {
  const [type] = list.type.parameters
  if (type === undefined) return undefined
  const path = list.path.length === 0 ? [] : [...list.path, '@items']
  return { expr: undefined, type, path, size: undefined }
}

const isText = (type: CelType): boolean => type.sort === 'string' || type.sort === 'bytes'

const searching: Estimate = ({ target, sizeByPath }) => {
  if (target === undefined) return undefined
  const size = sizeOf(target, sizeByPath)
  const element = elementOf(target)
  if (element === undefined) return { cost: byFactor(size.max, perCharacter) }
  const each = isText(element.type) ? 1 + byFactor(sizeOf(element, sizeByPath).max, perCharacter) : 1
  return { cost: multiply(size.max, each) }
}

const replacing: Estimate = ({ target, args, sizeByPath }) => {
  const [from, to] = args
  if (target === undefined || from === undefined || to === undefined) return undefined
  const text = sizeOf(target, sizeByPath)
  const replaced = sizeOf(from, sizeByPath)
  const replacement = sizeOf(to, sizeByPath)
  const size = {
    min: shortestResult(text, replaced, replacement),
    max: longestResult(text, replaced, replacement),
  }
  return { cost: byFactor(text.max, 2 * perCharacter), size }
}

function longestResult(text: Size, replaced: Size, replacement: Size): number {
  // Nothing is replaced between all characters, and around them.
  if (replaced.min === 0) return add(multiply(add(text.max, 1), replacement.max), text.max)
  if (replacement.max <= replaced.min) return text.max
  return multiply(Math.ceil(text.max / replaced.min), replacement.max)
}

function shortestResult(text: Size, replaced: Size, replacement: Size): number {
  if (replaced.max === 0) return add(multiply(add(text.min, 1), replacement.min), text.min)
  if (replaced.max <= replacement.min) return text.min
  return multiply(Math.ceil(text.min / replaced.max), replacement.min)
}

const splitting: Estimate = ({ target, args, sizeByPath }) => {
  if (target === undefined) return undefined
  const size = sizeOf(target, sizeByPath)
  const limit = args[1]?.expr
  const value = limit?.node === 'literal' ? limit.value : undefined
  // A negative limit is a huge one: the server reads it without its sign.
  const max = typeof value === 'bigint' ? (value < 0n ? unlimited : Number(value)) : size.max
  return { cost: byFactor(size.max, 2 * perCharacter), size: { min: 0, max } }
}

const joining: Estimate = ({ target, args, sizeByPath }) => {
  if (target === undefined) return undefined
  const list = sizeOf(target, sizeByPath)
  const element = elementOf(target)
  let size = element === undefined ? fixedSize(0) : multiplySizes(list, sizeOf(element, sizeByPath))
  const [separator] = args
  if (separator !== undefined) {
    const count = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) }
    size = addSizes(size, multiplySizes(sizeOf(separator, sizeByPath), count))
  }
  return { cost: byFactor(size.max, perCharacter), size }
}

const finding: Estimate = ({ target, args, sizeByPath }) => {
  const [pattern] = args
  if (target === undefined || pattern === undefined) return undefined
  const text = sizeOf(target, sizeByPath)
  return { cost: matching(text, sizeOf(pattern, sizeByPath)), size: { min: 0, max: text.max } }
}

const containing =
  (isRange: boolean, parsesText: boolean): Estimate =>
  ({ args, sizeByPath }) => {
    const [other] = args
    if (other === undefined) return undefined
    const comparing = byFactor(2 * longestAddress, perCharacter)
    const masking = isRange ? byFactor(longestAddress, perCharacter) + 1 : 0
    const parsing = parsesText ? byFactor(sizeOf(other, sizeByPath).max, perCharacter) : 0
    return { cost: add(comparing + masking, parsing) }
  }

const validating: Estimate = ({ args, sizeByPath }) => {
  const [text] = args
  if (text === undefined) return undefined
  const cost = byFactor(sizeOf(text, sizeByPath).max, perCharacter)
  return { cost: byFactor(cost, formatPatternLength * perPatternCharacter) }
}

const comparing: Estimate = ({ args: [left, right] }) => {
  if (left === undefined || right === undefined || !isSameType(left.type, right.type)) return undefined
  switch (left.type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: 1 }
    case 'kubernetes.NamedFormat':
      return { cost: byFactor(longestFormat, perCharacter) }
    case 'kubernetes.URL':
      return {
        cost: byFactor(right.size === undefined ? 1 : unionOf(right.size, right.size).max, perCharacter),
      }
    default:
      return undefined
  }
}

const byNames = (names: string, estimate: Estimate): [string, Estimate][] =>
  names.split(' ').map((name) => [name, estimate])

/** By the name of the function: what Kubernetes says about its own libraries and those of strings. */
const estimatesByFunction: ReadonlyMap<string, Estimate> = new Map([
  ...byNames('isSorted sum max min indexOf lastIndexOf', searching),
  ...byNames('url', reading('argument')),
  ...byNames('lowerAscii upperAscii substring trim', reading('target')),
  ...byNames('replace', replacing),
  ...byNames('split', splitting),
  ...byNames('join', joining),
  ...byNames('find findAll', finding),
  ...byNames('cidr isIP isCIDR quantity isQuantity semver isSemver', reading('argument', 1, false)),
  ...byNames('ip', ({ target, ...call }) =>
    target === undefined ? reading('argument', 1, false)({ target, ...call }) : { cost: 1 },
  ),
  ...byNames('ip.isCanonical', reading('argument', 2, false)),
  ...byNames(
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
    nominal,
  ),
  ...byNames('validate', validating),
  ...byNames(
    'format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
    nominal,
  ),
  ...byNames('getScheme getHostname getHost getPort getEscapedPath getQuery', nominal),
  ...byNames('_==_', comparing),
])

/** A call that makes a list of this size. */
function newList(size: Size, factor = 1): CallEstimate {
  return { cost: add(byFactor(size.max, factor), 1 + listCreation), size }
}

const pairwise =
  (factor: number, from: 'target' | 'argument'): Estimate =>
  ({ target, args, sizeByPath }) => {
    const list = from === 'target' ? target : args[0]
    if (list === undefined) return undefined
    const size = sizeOf(list, sizeByPath)
    return newList(multiplySizes(size, size), factor)
  }

const slicing: Estimate = ({ target, args, sizeByPath }) => {
  if (target === undefined) return undefined
  const start = integerOf(args[0], 0)
  const end = integerOf(args[1], sizeOf(target, sizeByPath).max)
  return newList(fixedSize(end < start ? unlimited : end - start))
}

const flattening: Estimate = ({ target, args, sizeByPath }) => {
  if (target === undefined) return undefined
  const depth = args.length === 0 ? 1 : integerOf(args[0], unlimited)
  return newList(sizeOf(target, sizeByPath), depth)
}

const onSets =
  (factor: number): Estimate =>
  ({ args: [left, right], sizeByPath }) => {
    if (left === undefined || right === undefined) return undefined
    const pairs = multiply(sizeOf(left, sizeByPath).max, sizeOf(right, sizeByPath).max)
    return { cost: add(byFactor(pairs, factor), 1) }
  }

const sortable = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
]
const sortFactor = (type: string): number => (type === 'string' || type === 'bytes' ? 2.1 : 2)

/** By the overload, asked first: the extensions for lists and sets, and overloads with a price of their own. */
const estimatesByOverload: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['list_slice', slicing],
  ['list_flatten', flattening],
  ['list_flatten_int', flattening],
  ['lists_range', ({ args }) => newList(fixedSize(integerOf(args[0], unlimited)))],
  [
    'list_reverse',
    ({ target, sizeByPath }) => (target === undefined ? undefined : newList(sizeOf(target, sizeByPath))),
  ],
  ['list_distinct', pairwise(2, 'target')],
  ...sortable.flatMap((type): [string, Estimate][] => [
    [`list_${type}_sort`, pairwise(sortFactor(type), 'target')],
    [`list_${type}_sortByAssociatedKeys`, pairwise(sortFactor(type), 'argument')],
  ]),
  ['list_sets_contains_list', onSets(1)],
  ['list_sets_intersects_list', onSets(1)],
  ['list_sets_equivalent_list', onSets(2)],
  ['cidr_contains_ip_string', containing(false, true)],
  ['cidr_contains_ip_ip', containing(false, false)],
  ['cidr_contains_cidr_string', containing(true, true)],
  ['cidr_contains_cidr', containing(true, false)],
])

/** What a call of one signature costs with its arguments, and how large its result is. */
export function estimateCall(name: string, overload: string, operands: CallOperands): CallEstimate {
  const argCost = operands.argCosts.reduce(add, 0)
  const known = estimatesByOverload.get(overload)?.(operands) ?? estimatesByFunction.get(name)?.(operands)
  if (known !== undefined) return { ...known, cost: add(known.cost, argCost) }
  return languageEstimate(overload, operands) ?? { cost: add(1, argCost) }
}
