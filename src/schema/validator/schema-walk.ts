import { deepEqual } from '../../base/index.js'
import type { Correlation } from './correlation.js'
import { isEnumMember } from './enum-member.js'
import { goQuote } from './go-text.js'
import { type GoKind, goKindOf } from './go-value.js'
import {
  enumIssue,
  forbiddenPropertyIssue,
  generalIssue,
  type Issue,
  maxItemsIssue,
  maxLengthIssue,
  maxPropertiesIssue,
  minItemsIssue,
  minLengthIssue,
  minPropertiesIssue,
  patternIssue,
  repeatedItemsIssue,
  requiredIssue,
  typeIssue,
} from './issue.js'
import { isNearlyInteger, numberIssues } from './numbers.js'
import type { SchemaNode, StringRules } from './schema-node.js'

/** What the schema has against the value, in the server's words. Its order too, except that Go visits maps at random. */
export function schemaIssues(node: SchemaNode, value: unknown, path = ''): Issue[] {
  const walk = new SchemaWalk()
  walk.check(node, value, path, undefined)
  return walk.issues
}

/** As {@link schemaIssues}, but what was wrong before and did not change is forgiven. */
export function schemaUpdateIssues(correlation: Correlation): Issue[] {
  const walk = new SchemaWalk()
  walk.checkCorrelated(correlation, '')
  return walk.issues
}

/** What became of one branch of `anyOf`, `oneOf`, `allOf` or `not`. */
interface Attempt {
  readonly issues: Issue[]
  readonly matches: number
}

/**
 * One walk over one value. Each check returns how many of its parts matched: of the branches of an `anyOf` that all
 * fail, the server reports the one with the most matches, so the count must be the server's to the last one.
 * A walk goes no deeper than the schema, whose depth was limited when it was compiled.
 */
class SchemaWalk {
  issues: Issue[] = []

  checkCorrelated(correlation: Correlation, path: string): number {
    const before = this.issues.length
    const matches = this.check(correlation.node, correlation.value, path, correlation)
    if (this.issues.length > before && correlation.isUnchanged) this.issues.length = before
    return matches
  }

  check(node: SchemaNode, value: unknown, path: string, correlation: Correlation | undefined): number {
    const kind = goKindOf(value)
    if (kind === 'null') return this.#checkNull(node, path)

    // One for the value itself, one each for the composite and the enum check, which apply to every value.
    let matches = 3
    if (node.types.length > 0 || node.format !== '') matches += 1 + this.#checkType(node, value, kind, path)
    matches += this.#checkComposites(node, value, path)
    if (kind === 'string') {
      matches += node.formatCheck === undefined ? 1 : 2
      this.#checkString(node, String(value), path)
    } else if (kind === 'int' || kind === 'float') {
      matches += 2
      if (node.numbers !== undefined) {
        // The kind proves that it is a number.
        const issues = numberIssues(node.numbers, value as number | bigint, kind === 'int', path)
        if (issues.length > 0) this.issues.push(...issues)
      }
    } else if (kind === 'array') {
      matches += 2 + this.#checkItems(node, value as unknown[], path, correlation)
    }
    if (node.enum.length > 0 && !isEnumMember(value, node.enum))
      this.issues.push(enumIssue(path, value, node.enum))
    if (kind === 'object') {
      matches += 1 + this.#checkProperties(node, value as Record<string, unknown>, path, correlation)
    }
    return matches
  }

  #checkNull(node: SchemaNode, path: string): number {
    const isAllowed = node.types.length === 0 || node.nullable
    if (!isAllowed) this.issues.push(typeIssue(path, node.types.join(','), 'null'))
    // No enum has room for null, not even one that lists it.
    if (node.enum.length > 0) this.issues.push(enumIssue(path, null, node.enum))
    return isAllowed ? 1 : 0
  }

  #checkType(node: SchemaNode, value: unknown, kind: Exclude<GoKind, 'null'>, path: string): number {
    const { types, format } = node
    const found = jsonTypeOf[kind]
    const isMatch =
      types.includes(found) ||
      (kind === 'int' && types.includes('number')) ||
      (kind === 'float' && types.includes('integer') && isNearlyInteger(Number(value)))
    const isText = kind === 'string' || kind === 'array'
    if (format !== '' && !isText && !isMatch) {
      this.issues.push(typeIssue(path, format, goFormatOf(kind)))
      return 0
    }
    // With a format of strings, the server does not notice that it was given an array.
    if (format !== '' && isText && !types.includes('number') && !types.includes('integer')) return 1
    if (isMatch) return 1
    this.issues.push(typeIssue(path, types.join(','), found))
    return 0
  }

  #checkComposites(node: SchemaNode, value: unknown, path: string): number {
    let matches = 1
    if (node.anyOf.length > 0) matches += this.#checkAnyOf(node.anyOf, value, path)
    if (node.oneOf.length > 0) matches += this.#checkOneOf(node.oneOf, value, path)
    if (node.allOf.length > 0) matches += this.#checkAllOf(node.allOf, value, path)
    if (node.not !== undefined && this.#attempt(node.not, value, path).issues.length === 0) {
      this.issues.push(generalIssue(`${goQuote(path)} must not validate the schema (not)`))
    }
    return matches
  }

  #checkAnyOf(branches: readonly SchemaNode[], value: unknown, path: string): number {
    let best: Attempt | undefined
    for (const branch of branches) {
      const attempt = this.#attempt(branch, value, path)
      if (attempt.issues.length === 0) return attempt.matches
      if (best === undefined || attempt.matches > best.matches) best = attempt
    }
    this.issues.push(generalIssue(`${goQuote(path)} must validate at least one schema (anyOf)`))
    this.issues.push(...(best?.issues ?? []))
    return best?.matches ?? 0
  }

  #checkOneOf(branches: readonly SchemaNode[], value: unknown, path: string): number {
    const attempts = branches.map((branch) => this.#attempt(branch, value, path))
    const valid = attempts.filter((attempt) => attempt.issues.length === 0)
    if (valid.length === 1) return valid[0]?.matches ?? 0
    const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`
    this.issues.push(generalIssue(`${goQuote(path)} must validate one and only one schema (oneOf). ${found}`))
    if (valid.length > 0) return 0
    const best = attempts.reduce((left, right) => (right.matches > left.matches ? right : left))
    this.issues.push(...best.issues)
    return best.matches
  }

  #checkAllOf(branches: readonly SchemaNode[], value: unknown, path: string): number {
    let matches = 0
    let valid = 0
    for (const branch of branches) {
      const attempt = this.#attempt(branch, value, path)
      matches += attempt.matches
      if (attempt.issues.length === 0) valid++
      else this.issues.push(...attempt.issues)
    }
    if (valid < branches.length) {
      const none = valid === 0 ? '. None validated' : ''
      this.issues.push(generalIssue(`${goQuote(path)} must validate all the schemas (allOf)${none}`))
    }
    return matches
  }

  #attempt(node: SchemaNode, value: unknown, path: string): Attempt {
    const outer = this.issues
    const issues: Issue[] = []
    this.issues = issues
    const matches = this.check(node, value, path, undefined)
    this.issues = outer
    return { issues, matches }
  }

  #checkString(node: SchemaNode, value: string, path: string): void {
    if (node.strings !== undefined) this.#checkStringRules(node.strings, value, path)
    if (node.formatCheck?.(value) === false) this.issues.push(typeIssue(path, node.format, value))
  }

  // Only the first of these three is reported.
  #checkStringRules(rules: StringRules, value: string, path: string): void {
    const { minLength, maxLength, pattern, test } = rules
    if (maxLength !== undefined && value.length > maxLength && countCharacters(value) > maxLength) {
      this.issues.push(maxLengthIssue(path, maxLength))
    } else if (minLength !== undefined && countCharacters(value) < minLength) {
      this.issues.push(minLengthIssue(path, minLength, value))
    } else if (test !== undefined && !test(value)) {
      this.issues.push(patternIssue(path, pattern, value))
    }
  }

  #checkItems(
    node: SchemaNode,
    value: readonly unknown[],
    path: string,
    correlation: Correlation | undefined,
  ): number {
    let matches = 0
    if (node.items !== undefined) {
      for (let index = 0; index < value.length; index++) {
        const itemPath = `${path}[${index}]`
        const item = correlation?.item(index)
        matches +=
          item === undefined
            ? this.check(node.items, value[index], itemPath, undefined)
            : this.checkCorrelated(item, itemPath)
      }
    }
    if (node.minItems !== undefined && value.length < node.minItems) {
      this.issues.push(minItemsIssue(path, node.minItems, value.length))
    }
    if (node.maxItems !== undefined && value.length > node.maxItems) {
      this.issues.push(maxItemsIssue(path, node.maxItems, value.length))
    }
    if (node.uniqueItems && hasRepeats(value)) this.issues.push(repeatedItemsIssue(path))
    return matches
  }

  #checkProperties(
    node: SchemaNode,
    value: Record<string, unknown>,
    path: string,
    correlation: Correlation | undefined,
  ): number {
    const { minProperties, maxProperties } = node
    if (minProperties !== undefined || maxProperties !== undefined) {
      const size = Object.keys(value).filter((key) => value[key] !== undefined).length
      if (minProperties !== undefined && size < minProperties) {
        this.issues.push(minPropertiesIssue(path, minProperties, size))
      }
      if (maxProperties !== undefined && size > maxProperties) {
        this.issues.push(maxPropertiesIssue(path, maxProperties, size))
      }
    }
    let matches = this.#checkOtherKeys(node, value, path, correlation)
    for (const { name, node: child } of node.fields) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) continue
      const childPath = path === '' ? name : `${path}.${name}`
      // Kind and version of both objects are those of the request: a change of them would not be visible.
      const isTypeField = path === '' && (name === 'kind' || name === 'apiVersion')
      const member = isTypeField ? undefined : correlation?.field(name)
      matches +=
        member === undefined
          ? this.check(child, value[name], childPath, undefined)
          : this.checkCorrelated(member, childPath)
    }
    for (const name of node.required) {
      if (!Object.hasOwn(value, name) || value[name] === undefined)
        this.issues.push(requiredIssue(`${path}.${name}`))
    }
    return matches
  }

  /** Keys that `properties` does not list. */
  #checkOtherKeys(
    node: SchemaNode,
    value: Record<string, unknown>,
    path: string,
    correlation: Correlation | undefined,
  ): number {
    const { additional } = node
    if (additional === undefined || additional === true) return 0
    let matches = 0
    for (const key of Object.keys(value)) {
      if (node.properties.has(key) || value[key] === undefined) continue
      if (additional === false) {
        this.issues.push(forbiddenPropertyIssue(path, key))
        continue
      }
      const childPath = `${path}.${key}`
      const member = correlation?.field(key)
      matches +=
        member === undefined
          ? this.check(additional, value[key], childPath, undefined)
          : this.checkCorrelated(member, childPath)
    }
    return matches
  }
}

const jsonTypeOf = {
  boolean: 'boolean',
  string: 'string',
  int: 'integer',
  float: 'number',
  array: 'array',
  object: 'object',
} as const

function goFormatOf(kind: GoKind): string {
  return kind === 'int' ? 'int64' : kind === 'float' ? 'float64' : ''
}

/** Characters as the server counts them: code points. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function hasRepeats(items: readonly unknown[]): boolean {
  return items.some((item, index) => items.slice(0, index).some((earlier) => deepEqual(earlier, item)))
}
