import type { Kind, KubeObject } from '../../objects/index.js'
import type { StructuralSchema } from '../structural-schema.js'

/** Where the scale subresource finds its numbers. Paths in dot notation: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** JSONPath from the root of the object: `.status.conditions[?(@.type=="Ready")].status`. */
  readonly jsonPath: string
  /** Above 0: shown only with `-o wide`. */
  readonly priority?: number
  readonly format?: 'int32' | 'int64' | 'float' | 'double' | 'byte' | 'date' | 'date-time' | 'password'
  readonly description?: string
}

/** What one version of a kind brings to its CustomResourceDefinition, besides names and schema. */
export interface VersionDefinition {
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly columns: readonly PrinterColumn[]
  /** JSON paths that field selectors may use. */
  readonly selectableFields: readonly string[]
  readonly scale?: ScalePaths
  readonly storage: boolean
  readonly served: boolean
  /** A text is what clients of this version are warned with. */
  readonly deprecated: boolean | string
  /** Labels of the definition, not of the objects. */
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** A kind of your own: everything that a {@link Kind} is, with its schema and the rest of its definition. Frozen. */
export interface DefinedKind<TObject extends KubeObject = KubeObject, TInput = unknown>
  extends Kind<TObject, TInput> {
  /** The schema of the whole object, apiVersion to status. */
  readonly schema: StructuralSchema
  readonly definition: VersionDefinition
}
