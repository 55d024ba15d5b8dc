import { deepEqual } from '../../base/index.js'
import type { StructuralSchema } from '../structural-schema.js'
import { guardDepth } from '../validator/depth.js'
import { embeddedResourceErrors } from '../validator/embedded-resources.js'
import { toFieldError, withoutRepeats } from '../validator/issue.js'
import { listTypeErrors } from '../validator/list-types.js'
import type { PatternCompiler } from '../validator/patterns.js'
import { pruneValue } from '../validator/prune.js'
import { compileLiterally, compileSchema } from '../validator/schema-node.js'
import { schemaIssues } from '../validator/schema-walk.js'
import { requirePatternCompiler } from './check-patterns.js'
import type { ProblemList } from './problem.js'

/** A default must be valid itself, and may hold nothing that the schema would drop. */
export function checkDefaults(schema: StructuralSchema, path: string, problems: ProblemList): void {
  checkNode(schema, path, new DefaultChecker(problems), 0)
}

function checkNode(schema: StructuralSchema, path: string, checker: DefaultChecker, depth: number): void {
  guardDepth(depth)
  if (schema.default !== undefined) checker.check(schema, schema.default, path)
  if (schema.items !== undefined) checkNode(schema.items, `${path}[]`, checker, depth + 1)
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    checkNode(child, `${path}.${name}`, checker, depth + 1)
  if (typeof schema.additionalProperties === 'object') {
    checkNode(schema.additionalProperties, `${path}[*]`, checker, depth + 1)
  }
}

class DefaultChecker {
  readonly #problems: ProblemList
  #engine: PatternCompiler | undefined

  constructor(problems: ProblemList) {
    this.#problems = problems
  }

  check(schema: StructuralSchema, value: unknown, path: string): void {
    const shown = JSON.stringify(value)
    const node = compileSchema(schema, this.#compilePattern)
    if (!deepEqual(pruneValue(node, value, { isResource: node.isEmbedded }), value)) {
      this.#problems.add(path, `The default ${shown} has fields that the schema does not know. Remove them.`)
    }
    const literal = compileLiterally(schema, this.#compilePattern)
    const issues = [...schemaIssues(node, value, path), ...schemaIssues(literal, value, path)]
    const errors = [
      ...withoutRepeats(issues).map((issue) => toFieldError(issue, '')),
      ...embeddedResourceErrors(node, value, path),
      ...listTypeErrors(node, value, path),
    ]
    for (const { field, message } of errors) {
      const place = field === '<nil>' ? path : field
      this.#problems.add(
        place,
        `The default ${shown} is not valid: ${message}. Correct the default or the schema.`,
      )
    }
  }

  /** The engine is needed only when a pattern is really tried. */
  readonly #compilePattern: PatternCompiler = (pattern) => (text) => {
    this.#engine ??= requirePatternCompiler()
    try {
      return this.#engine?.(pattern)(text) ?? true
    } catch {
      // Reported with the pattern itself.
      return true
    }
  }
}
