import { KubewrightError } from '../../base/index.js'

/** A rule (`x-kubernetes-validations`) that the API server would refuse together with its CRD. */
export class CelRuleError extends KubewrightError {
  declare readonly code: 'KW_CEL_RULE'
  /** Where the rule stands in the schema: `properties[spec].x-kubernetes-validations[0].rule`. */
  readonly schemaPath: string
  /** The program, or the other part of the rule that is wrong. */
  readonly rule: string
  /** What is wrong, in the server's words. */
  readonly detail: string

  constructor(options: { schemaPath: string; rule: string; detail: string; cause?: unknown }) {
    const { schemaPath, rule, detail, cause } = options
    super(
      `The CEL rule at ${schemaPath} does not compile: ${JSON.stringify(rule)}: ${detail}\n` +
        'Correct the rule; the API server refuses a CRD that has it.',
      { code: 'KW_CEL_RULE', cause },
    )
    this.schemaPath = schemaPath
    this.rule = rule
    this.detail = detail
  }
}
