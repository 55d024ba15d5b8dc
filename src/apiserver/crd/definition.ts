import type { SchemaProps } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'

/** The names of the kind that a CRD defines. Absent names are not defaulted yet. */
export interface CrdNames {
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly kind: string
  readonly listKind?: string
  readonly categories?: readonly string[]
}

/** A column of `kubectl get`. */
export interface CrdColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface CrdScale {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

export interface CrdSubresources {
  readonly status?: object
  readonly scale?: CrdScale
}

export interface CrdSelectableField {
  readonly jsonPath: string
}

/** One version. */
export interface CrdVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: SchemaProps }
  readonly subresources?: CrdSubresources
  readonly additionalPrinterColumns?: readonly CrdColumn[]
  readonly selectableFields?: readonly CrdSelectableField[]
}

/** Where the webhook is. */
export interface CrdClientConfig {
  readonly url?: string
  readonly service?: {
    readonly namespace: string
    readonly name: string
    readonly path?: string
    readonly port?: number
  }
  /** Base64. */
  readonly caBundle?: string
}

export interface CrdConversion {
  readonly strategy: string
  readonly webhook?: {
    readonly clientConfig?: CrdClientConfig
    readonly conversionReviewVersions?: readonly string[]
  }
}

export interface CrdSpec {
  readonly group: string
  readonly names: CrdNames
  readonly scope: string
  readonly versions: readonly CrdVersion[]
  readonly conversion?: CrdConversion
  readonly preserveUnknownFields?: boolean
}

export interface CrdCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
}

export interface CrdStatus {
  readonly conditions: readonly CrdCondition[] | null
  readonly acceptedNames: CrdNames
  readonly storedVersions: readonly string[] | null
}

/** A CustomResourceDefinition in the form that {@link normalizeDefinition} gives it, which is the one that is stored. */
export interface Crd extends StoredApiObject {
  readonly spec: CrdSpec
  readonly status: CrdStatus
}

/** An object of the kind CustomResourceDefinition as what it is. Only for those that are normalized. */
export function crdOf(object: ApiObject | StoredApiObject): Crd {
  // Normalizing has given every field the form that is declared here.
  return object as Crd
}

/** The condition of that type. */
export function conditionOf(crd: Crd, type: string): CrdCondition | undefined {
  return crd.status.conditions?.find((condition) => condition.type === type)
}

export function isConditionTrue(crd: Crd, type: string): boolean {
  return conditionOf(crd, type)?.status === 'True'
}

/** The resource that CRDs themselves are kept under. */
export const crdResourceName = 'customresourcedefinitions.apiextensions.k8s.io'

/** What keeps a CRD until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'
