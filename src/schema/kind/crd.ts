import type { ObjectMetaInput, Scope } from '../../objects/index.js'
import type { StructuralSchema } from '../structural-schema.js'
import type { PrinterColumn, ScalePaths } from './version-definition.js'

/** A webhook turns objects of one version into another. */
export interface CrdWebhookConversion {
  readonly strategy: 'Webhook'
  readonly webhook: {
    readonly clientConfig: {
      readonly url?: string
      readonly service?: {
        readonly namespace: string
        readonly name: string
        readonly path?: string
        readonly port?: number
      }
      /** Base64 of PEM. */
      readonly caBundle?: string
    }
    readonly conversionReviewVersions: readonly string[]
  }
}

/** How objects are turned from one version into another: only their apiVersion changes, or a webhook does it. */
export type CrdConversion = { readonly strategy: 'None' } | CrdWebhookConversion

/** One version in a CustomResourceDefinition. */
export interface CrdVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: true
  readonly deprecationWarning?: string
  readonly schema: { readonly openAPIV3Schema: StructuralSchema }
  readonly subresources?: { readonly status?: Record<string, never>; readonly scale?: ScalePaths }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

/** A CustomResourceDefinition of apiextensions.k8s.io/v1, as far as a kind defines it. Plain data, ready to be sent. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1'
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: ObjectMetaInput & { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly scope: Scope
    readonly names: {
      readonly kind: string
      readonly listKind: string
      readonly plural: string
      readonly singular: string
      readonly shortNames?: readonly string[]
      readonly categories?: readonly string[]
    }
    readonly versions: readonly CrdVersion[]
    readonly conversion?: CrdConversion
  }
}
