import { maxUint, parseUint64 } from '../value/int64.js'
import { compareText, quoteText } from '../value/text.js'
import { type CelType, structType } from '../value/type.js'
import { type CelOpaque, type CelValue, type CelVerdict, noSuchOverload } from '../value/value.js'

/** The type of `semver(...)`. */
export const semverType: CelType = structType('kubernetes.Semver')

type Identifier = bigint | string

/** Thrown for text that is no version; the message is the server's. */
class VersionError extends Error {
  override readonly name = 'VersionError'
}

/** A semantic version. Build metadata is kept but has no say in comparisons. */
export class Semver implements CelOpaque {
  readonly kind = 'opaque'
  readonly type: CelType = semverType
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint]
  readonly #prerelease: readonly Identifier[]
  readonly #text: string

  constructor(text: string) {
    const [major, minor, rest] = splitVersion(text)
    const plus = rest.indexOf('+')
    const withoutBuild = plus === -1 ? rest : rest.slice(0, plus)
    const dash = withoutBuild.indexOf('-')
    const patch = dash === -1 ? withoutBuild : withoutBuild.slice(0, dash)
    this.#text = text
    this.numbers = [
      number(major, 'Major', 'major'),
      number(minor, 'Minor', 'minor'),
      number(patch, 'Patch', 'patch'),
    ]
    this.#prerelease =
      dash === -1
        ? []
        : withoutBuild
            .slice(dash + 1)
            .split('.')
            .map(identifier)
    if (plus !== -1)
      rest
        .slice(plus + 1)
        .split('.')
        .forEach(checkBuild)
  }

  get nativeText(): string {
    return `(semver.Version)${this.#text}`
  }

  equals(other: CelValue): CelVerdict {
    return other instanceof Semver ? this.compare(other) === 0 : noSuchOverload()
  }

  compare(other: Semver): -1 | 0 | 1 {
    for (const index of [0, 1, 2] as const) {
      const left = this.numbers[index]
      const right = other.numbers[index]
      if (left !== right) return left < right ? -1 : 1
    }
    return comparePrereleases(this.#prerelease, other.#prerelease)
  }
}

/** A version, or what is wrong with the text in the server's words. */
export function parseSemver(text: string, normalize: boolean): Semver | string {
  try {
    return new Semver(normalize ? normalized(text) : text)
  } catch (error) {
    if (error instanceof VersionError) return error.message
    throw error
  }
}

function splitVersion(text: string): [string, string, string] {
  if (text === '') throw new VersionError('Version string empty')
  const first = text.indexOf('.')
  const second = first === -1 ? -1 : text.indexOf('.', first + 1)
  if (second === -1) throw new VersionError('No Major.Minor.Patch elements found')
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)]
}

function number(text: string, title: string, name: string): bigint {
  if (!/^[0-9]*$/.test(text))
    throw new VersionError(`Invalid character(s) found in ${name} number ${quoteText(text)}`)
  if (/^0[0-9]/.test(text))
    throw new VersionError(`${title} number must not contain leading zeroes ${quoteText(text)}`)
  return parseNumber(text)
}

function parseNumber(text: string): bigint {
  const value = parseUint64(text)
  if (value !== undefined) return value
  const reason = text === '' ? 'invalid syntax' : 'value out of range'
  throw new VersionError(`strconv.ParseUint: parsing ${quoteText(text)}: ${reason}`)
}

function identifier(text: string): Identifier {
  if (text === '') throw new VersionError('Prerelease is empty')
  if (/^[0-9]+$/.test(text)) {
    if (/^0[0-9]/.test(text))
      throw new VersionError(`Numeric PreRelease version must not contain leading zeroes ${quoteText(text)}`)
    return parseNumber(text)
  }
  if (/^[0-9A-Za-z-]+$/.test(text)) return text
  throw new VersionError(`Invalid character(s) found in prerelease ${quoteText(text)}`)
}

function checkBuild(text: string): void {
  if (text === '') throw new VersionError('Build meta data is empty')
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new VersionError(`Invalid character(s) found in build meta data ${quoteText(text)}`)
}

function comparePrereleases(left: readonly Identifier[], right: readonly Identifier[]): -1 | 0 | 1 {
  // A release comes after all its pre-releases.
  if (left.length === 0 || right.length === 0) {
    if (left.length === right.length) return 0
    return left.length === 0 ? 1 : -1
  }
  for (const [index, mine] of left.entries()) {
    const theirs = right[index]
    if (theirs === undefined) return 1
    const order = compareIdentifiers(mine, theirs)
    if (order !== 0) return order
  }
  return left.length < right.length ? -1 : 0
}

function compareIdentifiers(left: Identifier, right: Identifier): -1 | 0 | 1 {
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  return typeof left === 'bigint' ? -1 : 1
}

/** `v1.2` as `1.2.0`: without the `v`, without leading zeros, with all three numbers. */
function normalized(text: string): string {
  const body = text.startsWith('v') ? text.slice(1) : text
  const pieces = body.split('.')
  const parts = pieces.length > 3 ? [...pieces.slice(0, 2), pieces.slice(2).join('.')] : pieces
  const trimmed = parts.map((part) => {
    if (part.length <= 1) return part
    const rest = part.replace(/^0+/, '')
    return /^[0-9]/.test(rest) ? rest : `0${rest}`
  })
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? ''))
    throw new VersionError('short version cannot contain PreRelease/Build meta data')
  while (trimmed.length < 3) trimmed.push('0')
  return trimmed.join('.')
}

/** A number of a version as an int: the server lets the largest ones wrap around. */
export function versionNumber(value: bigint): bigint {
  return BigInt.asIntN(64, value & maxUint)
}
