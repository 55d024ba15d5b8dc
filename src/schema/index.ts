/**
 * Kinds without code generation: one value is the type, the CustomResourceDefinition and the validator of a kind.
 * Schema libraries, the RE2 engine and CEL are loaded only by those who use them.
 *
 * @module
 */
export {
  type CelExpression,
  type CelInput,
  type CelOutcome,
  type CelResult,
  type CelResultType,
  type CelVariableType,
  type ExpressionEngine,
  type ExpressionOptions,
  loadExpressionEngine,
} from './cel/expression.js'
export { CelRuleError } from './cel/index.js'
export type { AuthorizationCheck, AuthorizationCheckQuestion } from './cel/library/authorizer.js'
export { quoteText } from './cel/value/text.js'
export { type FieldError, type FieldErrorReason, formatFieldErrors } from './field-error.js'
export type {
  CrdConversion,
  CrdVersion,
  CrdWebhookConversion,
  CustomResourceDefinition,
} from './kind/crd.js'
export { type DefinedInput, type DefinedObject, defineKind, type KindOptions } from './kind/define-kind.js'
export { InvalidKindError, type KindProblem } from './kind/problem.js'
export {
  atomic,
  cel,
  embeddedResource,
  intOrString,
  listMap,
  listSet,
  preserveUnknownFields,
  quantity,
  quantitySchema,
  type RuleDetails,
} from './kind/schema-meta.js'
export {
  type SchemaInput,
  type SchemaOutput,
  type StandardJsonSchema,
  structural,
} from './kind/standard-schema.js'
export { type ToCrdOptions, toCrd } from './kind/to-crd.js'
export type { DefinedKind, PrinterColumn, ScalePaths, VersionDefinition } from './kind/version-definition.js'
export type { JsonType, StructuralSchema, ValidationRule } from './structural-schema.js'
export { NestingTooDeepError } from './validator/depth.js'
export {
  InvalidPatternError,
  loadValidator,
  type ValidateOptions,
  type Validator,
} from './validator/validator.js'
