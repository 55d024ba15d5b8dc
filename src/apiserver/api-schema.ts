import type { StructuralSchema } from '../schema/index.js'

/**
 * The shape of a value, of a built-in kind or of a CRD: what validation, pruning, server-side apply, strategic merge and
 * OpenAPI need to know of it. Schemas of built-in kinds share parts and may contain themselves (JSONSchemaProps does):
 * whoever walks one walks along a value, never the schema alone.
 */
export interface ApiSchema extends StructuralSchema {
  readonly items?: ApiSchema
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly additionalProperties?: ApiSchema | boolean
  /** How strategic merge treats a list or an object: `merge`, `replace`, `retainKeys`, or two of them with a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  /** The Go type behind an object of a built-in kind, which decoding errors name: `DeploymentSpec`. */
  readonly goType?: string
  /** The Go type of any value of a built-in kind, as decoding errors print it: `v1.DeploymentSpec`, `[]v1.Container`, `int32`. */
  readonly goValue?: string
  /**
   * What a built-in kind makes of a field that is empty (null, "", 0, false, no items): `omit` leaves it out, `keep` leaves
   * out only null, `zero` writes "" or 0 or {} also where nothing was, `null` writes null. Lists and maps without items are
   * empty, other objects are not. Absent in CRDs.
   */
  readonly empty?: 'omit' | 'keep' | 'zero' | 'null'
}
