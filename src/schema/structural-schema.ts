/** A CEL rule of a CRD (`x-kubernetes-validations`). */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate'
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'

/**
 * The part of OpenAPI v3 that a CRD may use (JSONSchemaProps of apiextensions.k8s.io/v1), read-only.
 * "Structural" is a promise about its shape, kept by the code that makes one: see the API server's documentation.
 */
export interface StructuralSchema {
  readonly type?: JsonType
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly example?: unknown
  readonly nullable?: boolean
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly exclusiveMinimum?: boolean
  readonly maximum?: number
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: StructuralSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  readonly additionalProperties?: StructuralSchema | boolean
  readonly allOf?: readonly StructuralSchema[]
  readonly anyOf?: readonly StructuralSchema[]
  readonly oneOf?: readonly StructuralSchema[]
  readonly not?: StructuralSchema
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
}
