import type { FieldError } from '../field-errors.js'

/** What an expression of a policy may use, and give. */
export interface ExpressionUse {
  /** The types that it may give. */
  readonly returns: readonly string[]
  readonly hasParams: boolean
}

/** What is wrong with a CEL expression about a request. */
export function compileExpression(
  _expression: string,
  _path: string,
  _use: ExpressionUse,
): readonly FieldError[] {
  return []
}
