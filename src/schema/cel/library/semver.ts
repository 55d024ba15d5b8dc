import type { FunctionDeclaration, Overload } from '../check/declaration.js'
import { readingCost } from '../plan/cost.js'
import { boolType, type CelType, intType, stringType } from '../value/type.js'
import { type CelValue, failure, noSuchOverload } from '../value/value.js'
import { parseSemver, Semver, semverType, versionNumber } from './semver-value.js'
import { declare, member, overload } from './signature.js'

function toSemver(text: CelValue | undefined, normalize: CelValue): CelValue {
  if (typeof text !== 'string' || typeof normalize !== 'boolean') return noSuchOverload()
  const version = parseSemver(text, normalize)
  return typeof version === 'string' ? failure(version) : version
}

function isSemver(text: CelValue | undefined, normalize: CelValue): CelValue {
  if (typeof text !== 'string' || typeof normalize !== 'boolean') return noSuchOverload()
  return parseSemver(text, normalize) instanceof Semver
}

function comparison(id: string, result: CelType, run: (order: -1 | 0 | 1) => CelValue): Overload {
  return member(id, [semverType, semverType], result, ([left, right]) =>
    left instanceof Semver && right instanceof Semver ? run(left.compare(right)) : noSuchOverload(),
  )
}

function part(name: string, index: 0 | 1 | 2): FunctionDeclaration {
  return declare(name, [
    member(`semver_${name}`, [semverType], intType, ([version]) =>
      version instanceof Semver ? versionNumber(version.numbers[index]) : noSuchOverload(),
    ),
  ])
}

/** Semantic versions: `semver('1.2.3').isLessThan(semver('2.0.0'))`. */
export const semvers: readonly FunctionDeclaration[] = [
  declare(
    'semver',
    [
      overload('string_to_semver', [stringType], semverType, ([text]) => toSemver(text, false)),
      overload('string_bool_to_semver', [stringType, boolType], semverType, ([text, normalize = null]) =>
        toSemver(text, normalize),
      ),
    ],
    { cost: readingCost() },
  ),
  declare(
    'isSemver',
    [
      overload('is_semver_string', [stringType], boolType, ([text]) => isSemver(text, false)),
      overload('is_semver_string_bool', [stringType, boolType], boolType, ([text, normalize = null]) =>
        isSemver(text, normalize),
      ),
    ],
    { cost: readingCost() },
  ),
  declare('isGreaterThan', [comparison('semver_is_greater_than', boolType, (order) => order === 1)]),
  declare('isLessThan', [comparison('semver_is_less_than', boolType, (order) => order === -1)]),
  declare('compareTo', [comparison('semver_compare_to', intType, (order) => BigInt(order))]),
  part('major', 0),
  part('minor', 1),
  part('patch', 2),
]
