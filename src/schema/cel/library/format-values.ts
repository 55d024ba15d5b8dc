import type { FunctionDeclaration } from '../check/declaration.js'
import { readingCost } from '../plan/cost.js'
import { CostLimitExceeded, type Meter } from '../plan/meter.js'
import { convertValue } from '../value/convert.js'
import { formatFixed, formatScientific } from '../value/double.js'
import { elementsOf } from '../value/list.js'
import { runtimeType } from '../value/runtime-type.js'
import { compareText, quoteText } from '../value/text.js'
import { dynType, listTypeOf, stringType } from '../value/type.js'
import {
  type CelList,
  type CelMap,
  type CelValue,
  failure,
  isFailure,
  noSuchOverload,
  ofKind,
} from '../value/value.js'
import { type FormatClause, FormatError, renderFormat, wrongFormatType } from './format-string.js'
import { declare, member } from './signature.js'

const defaultPrecision = 6
// Beyond this a number is all zeros; the server would print them.
const highestPrecision = 100_000

function asText(value: CelValue): string {
  const text = convertValue(value, stringType)
  if (typeof text === 'string') return text
  const reason = isFailure(text) ? text.message : ''
  throw new FormatError(`could not convert argument ${quoteText(reason)} to string`)
}

function wholeNumber(value: CelValue): bigint | undefined {
  return typeof value === 'bigint' ? value : ofKind(value, 'uint')?.value
}

function renderText(value: CelValue, meter: Meter): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return asText(value)
  switch (value.kind) {
    case 'list':
      return renderList(value, meter)
    case 'map':
      return renderMap(value, meter)
    case 'uint':
    case 'bytes':
    case 'timestamp':
    case 'duration':
    case 'type':
      return asText(value)
    default:
      throw wrongFormatType('s', runtimeType(value).name)
  }
}

/** A value inside a list or map, as a program would write it. */
function renderNested(value: CelValue, meter: Meter): string {
  meter.work(1)
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'number') {
    const text = formatFixed(value, defaultPrecision)
    return Number.isFinite(value) ? text : quoteText(text)
  }
  if (typeof value !== 'object' || value === null) return renderText(value, meter)
  switch (value.kind) {
    case 'bytes':
      return `b${quoteText(asText(value))}`
    case 'timestamp':
      return `timestamp(${quoteText(asText(value))})`
    case 'duration':
      return `duration(${quoteText(asText(value))})`
    case 'uint':
    case 'list':
    case 'map':
    case 'type':
      return renderText(value, meter)
    default:
      throw new FormatError(`no formatting function for ${runtimeType(value).name}`)
  }
}

function renderList(list: CelList, meter: Meter): string {
  return `[${Array.from(elementsOf(list), (element) => renderNested(element, meter)).join(', ')}]`
}

function renderMap(map: CelMap, meter: Meter): string {
  const pairs: [string, string][] = []
  for (const key of map.keys()) {
    const isKey = typeof key === 'string' || typeof key === 'boolean' || wholeNumber(key) !== undefined
    if (!isKey) throw new FormatError(`no formatting function for map key of type ${runtimeType(key).name}`)
    pairs.push([renderNested(key, meter), renderNested(map.find(key) ?? null, meter)])
  }
  pairs.sort(([left], [right]) => compareText(left, right))
  return `{${pairs.map(([key, value]) => `${key}:${value}`).join(', ')}}`
}

function realNumber(value: CelValue, verb: 'f' | 'e'): number {
  if (typeof value === 'number') return value
  if (value === 'NaN') return Number.NaN
  if (value === 'Infinity') return Number.POSITIVE_INFINITY
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY
  throw wrongFormatType(verb, runtimeType(value).name)
}

function infinite(value: number): string | undefined {
  if (Number.isFinite(value)) return undefined
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞'
}

/** With a comma after every three digits: the server formats for American English. */
function renderFixed(value: number, precision: number): string {
  const special = infinite(value)
  if (special !== undefined) return special
  if (precision > highestPrecision) throw new CostLimitExceeded()
  // A zero has no sign here, although a negative number that is rounded to zero keeps it.
  const [whole = '', fraction] = formatFixed(value === 0 ? 0 : value, precision).split('.')
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** As in print, `1.500000×10⁰³`. The server takes the precision for a width, so it has no effect on the digits. */
function renderScientific(value: number): string {
  const special = infinite(value)
  if (special !== undefined) return special
  const [mantissa = '', exponent = ''] = formatScientific(value === 0 ? 0 : value, defaultPrecision).split(
    'e',
  )
  const raised = Array.from(exponent, (character) =>
    character === '+' ? '' : character === '-' ? '⁻' : superscripts.charAt(Number(character)),
  )
  return `${mantissa}×10${raised.join('')}`
}

function renderRadix(value: CelValue, verb: 'b' | 'x' | 'X' | 'o'): string {
  const whole = wholeNumber(value)
  if (whole !== undefined) return whole.toString(verb === 'b' ? 2 : verb === 'o' ? 8 : 16)
  if (verb === 'b' && typeof value === 'boolean') return value ? '1' : '0'
  const data = typeof value === 'string' ? Buffer.from(value, 'utf8') : ofKind(value, 'bytes')?.bytes
  if (data === undefined || verb === 'b' || verb === 'o') throw wrongFormatType(verb, runtimeType(value).name)
  return Buffer.from(data).toString('hex')
}

function renderClause({ verb, precision }: FormatClause, value: CelValue, meter: Meter): string {
  switch (verb) {
    case 's':
      return renderText(value, meter)
    case 'd': {
      const whole = wholeNumber(value)
      if (whole === undefined) throw wrongFormatType('d', runtimeType(value).name)
      return whole.toString()
    }
    case 'f':
      return renderFixed(realNumber(value, 'f'), precision ?? defaultPrecision)
    case 'e':
      return renderScientific(realNumber(value, 'e')).padStart(Math.min(precision ?? defaultPrecision, 1000))
    case 'X':
      return renderRadix(value, 'X').toUpperCase()
    case 'b':
    case 'x':
    case 'o':
      return renderRadix(value, verb)
  }
}

function formatValues(format: string, args: CelList, meter: Meter): CelValue {
  try {
    return renderFormat(format, args.size, (clause, index) => renderClause(clause, args.at(index), meter))
  } catch (error) {
    if (error instanceof FormatError) return failure(error.message)
    throw error
  }
}

/** `'%s has %d'.format([name, count])`. */
export const stringFormat: FunctionDeclaration = declare('format', [
  member('string_format', [stringType, listTypeOf(dynType)], stringType, {
    run: ([format, args = null], meter) => {
      const list = ofKind(args, 'list')
      return typeof format === 'string' && list !== undefined
        ? formatValues(format, list, meter)
        : noSuchOverload()
    },
    cost: readingCost(),
    stopsEarly: true,
  }),
])
