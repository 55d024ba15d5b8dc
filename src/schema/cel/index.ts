/**
 * The rules of CRDs (`x-kubernetes-validations`), evaluated as kube-apiserver 1.36 evaluates them: the same types,
 * the same verdicts, the same words, the same budget.
 *
 * The language is implemented here rather than taken from a library. What decides whether an object is accepted is in
 * the corners, and no JavaScript implementation has them: the checker's overload resolution and its messages, lists
 * that compare as sets or by keys, optionals that lose their schema, the cost of every single operation, failures that
 * are values. The best candidate, @marcbachmann/cel-js 8, counts no cost, words its errors differently, lacks the
 * libraries of Kubernetes, and matches patterns with the engine of JavaScript (an exponential one) in a way that cannot
 * be replaced. Had it been bent to all of that, its parser would have been left. Patterns are matched by re2js.
 *
 * Nothing of the engine is loaded before {@link loadCel}.
 *
 * @module
 */
import type { FieldError } from '../field-error.js'
import type { StructuralSchema } from '../structural-schema.js'
import type { RuleInspection } from './kubernetes/rule-inspection.js'

export type { InspectedRule, RuleInspection } from './kubernetes/rule-inspection.js'
export { CelRuleError } from './rule-error.js'

/** Compiles the rules of schemas. */
export interface CelEngine {
  /**
   * Compiles every rule of a schema once. The schema is taken for the root of a resource, unless it is said not to be.
   * Throws {@link CelRuleError} for the first rule that the server would refuse; with `keepsBroken` such a rule is kept
   * and reported where it is applied.
   */
  compile(
    schema: StructuralSchema,
    options?: { readonly isResourceRoot?: boolean; readonly keepsBroken?: boolean },
  ): CelProgram
  /**
   * What the server finds when it compiles the rules of this schema, those below it left out; `undefined` for data
   * of no type, which rules cannot see.
   */
  inspect(schema: StructuralSchema, options: { readonly isResourceRoot: boolean }): RuleInspection | undefined
}

/** The compiled rules of one schema. */
export interface CelProgram {
  /** How many rules the schema has in all. */
  readonly ruleCount: number
  /**
   * What the rules have against an object, in the server's order and words; nothing if they all hold.
   *
   * With an `old` object it is an update: rules that use `oldSelf` run, and broken rules on parts that did not change
   * are forgiven, as on the server, unless it is to be `isStrict`. `path` is where the object is, empty for the whole
   * resource. Never throws for what is in the objects, and stops at the server's budget.
   */
  evaluate(
    value: unknown,
    old: unknown,
    options: { readonly path: string; readonly isStrict?: boolean },
  ): FieldError[]
}

/** Loads the engine. */
export async function loadCel(): Promise<CelEngine> {
  const { createEngine } = await import('./engine.js')
  return createEngine()
}
