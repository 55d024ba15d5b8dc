/**
 * For the other rooms of this house, not for users: the server's words and notation, which built-in kinds share with
 * custom ones.
 *
 * @module
 */

export { fieldAtPath } from './definition/field-at-path.js'
export { unknownFormats } from './definition/formats.js'
export { goList, goPointer, goStruct, schemaJson } from './definition/internal-form.js'
export { normalizeSchema, SchemaDecodeError } from './definition/normalize-schema.js'
export { unsupported } from './definition/openapi-rules.js'
export { schemaErrors } from './definition/schema-check.js'
export { hasDefaults, type SchemaProps } from './definition/schema-props.js'
export { dns1035LabelProblems, dnsSubdomainProblems, labelKeyProblems } from './name-rules.js'
export {
  childPath,
  duplicate,
  forbidden,
  invalid,
  invalidAs,
  required,
  shownValue,
  tooLong,
} from './validator/field-errors.js'
export { compareCodePoints, goJson, goPrint, goQuote, goTypeName } from './validator/go-text.js'
export {
  annotationErrors,
  labelErrors,
  metadataErrors,
  metadataUpdateErrors,
} from './validator/object-meta.js'
export { coerceMetadata, metadataDecodeProblem } from './validator/object-meta-type.js'
export {
  createResourceValidator,
  loadSchemaEngines,
  type SchemaEngines,
} from './validator/validator.js'
