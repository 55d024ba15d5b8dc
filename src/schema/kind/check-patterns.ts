import { createRequire } from 'node:module'
import { toError } from '../../base/index.js'
import type { StructuralSchema } from '../structural-schema.js'
import { guardDepth } from '../validator/depth.js'
import { compilerOf, type PatternCompiler } from '../validator/patterns.js'
import type { ProblemList } from './problem.js'

/**
 * The RE2 engine, loaded at once: a kind is defined synchronously. Undefined where it cannot be found, which happens
 * in bundles; the check is then left to `loadValidator` and to the API server.
 */
export function requirePatternCompiler(): PatternCompiler | undefined {
  try {
    // The package describes its own exports; `require` has no types.
    return compilerOf(createRequire(import.meta.url)('re2js') as Parameters<typeof compilerOf>[0])
  } catch {
    return undefined
  }
}

/**
 * Patterns made of these parts mean the same to every engine, so that most kinds are defined without loading one:
 * literals, classes, groups, alternatives, anchors, small repetitions, and escapes of punctuation and of d, w and s.
 */
const plainPattern =
  /^(?:[^\\[\](){}*+?|.^$]|\\[dDwWsS./\-+*?()[\]{}|^$\\]|[.^$|]|\[\^?(?![\^\]])(?:[^\\[\]]|\\[dDwWsS./\-+*?()[\]{}|^$\\])+\]|\((?!\?)|\(\?:|\)|(?<=[^({*+?}|^])(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})\??(?![*+?{]))*$/

/** True when a pattern is certainly one of RE2. Others need the engine to know. */
export function isPlainPattern(pattern: string): boolean {
  if (!plainPattern.test(pattern)) return false
  try {
    // Balance of groups and order of ranges are the same for both engines. The expression is only built, never run.
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** Notes patterns that the API server's engine cannot compile. */
export function checkPatterns(schema: StructuralSchema, path: string, problems: ProblemList): void {
  let engine: PatternCompiler | undefined
  for (const [at, pattern] of patterns(schema, path, 0)) {
    if (isPlainPattern(pattern)) continue
    engine ??= requirePatternCompiler()
    try {
      engine?.(pattern)
    } catch (error) {
      problems.add(
        at,
        `The API server cannot compile the pattern ${pattern} (${toError(error).message}). RE2 has no look-around, no back-references and no \\u escapes: write the pattern without them, or use a CEL rule.`,
      )
    }
  }
}

function* patterns(schema: StructuralSchema, path: string, depth: number): Generator<[string, string]> {
  guardDepth(depth)
  if (schema.pattern !== undefined && schema.pattern !== '') yield [path, schema.pattern]
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (schema.not !== undefined) branches.push(schema.not)
  for (const branch of branches) yield* patterns(branch, path, depth + 1)
  if (schema.items !== undefined) yield* patterns(schema.items, `${path}[]`, depth + 1)
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    yield* patterns(child, `${path}.${name}`, depth + 1)
  if (typeof schema.additionalProperties === 'object')
    yield* patterns(schema.additionalProperties, `${path}[*]`, depth + 1)
}
