/** The API server's word for what is wrong with a field: the `reason` of a cause in a Status. */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'InternalError'

/** One thing wrong with one field, in the server's own words and notation. */
export interface FieldError {
  readonly reason: FieldErrorReason
  /** `spec.ports[2].name`, `spec.labels[a.b/c]`; `<nil>` for the whole object. */
  readonly field: string
  /** As a cause's message: `Invalid value: 11: spec.replicas in body should be less than or equal to 10`. */
  readonly message: string
}

/** The text the server joins into `Foo.example.com "x" is invalid: ...`. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = errors.map((error) => `${error.field}: ${error.message}`)
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}
