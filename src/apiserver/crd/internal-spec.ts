import { deepEqual } from '../../base/index.js'
import { goJson, goList, goPointer, goStruct, type SchemaProps, schemaJson } from '../../schema/internal.js'
import type { CrdColumn, CrdSelectableField, CrdSpec, CrdSubresources, CrdVersion } from './definition.js'

/**
 * The spec as the server has it inside: what all versions have in common stands once, above them. Its messages name
 * these places, `spec.validation` for a schema that every version has.
 */
export interface InternalSpec {
  readonly validation: { readonly openAPIV3Schema?: SchemaProps } | undefined
  readonly subresources: CrdSubresources | undefined
  readonly additionalPrinterColumns: readonly CrdColumn[]
  readonly selectableFields: readonly CrdSelectableField[]
  /** Without what is above. */
  readonly versions: readonly CrdVersion[]
}

/** The parts that move up when they are the same in all versions. */
type SharedPart = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'

export function internalSpec(spec: CrdSpec): InternalSpec {
  const [first] = spec.versions
  const shared = <Part extends SharedPart>(part: Part): CrdVersion[Part] | undefined =>
    isShared(spec.versions, part) ? first?.[part] : undefined
  return {
    validation: shared('schema'),
    subresources: shared('subresources'),
    additionalPrinterColumns: shared('additionalPrinterColumns') ?? [],
    selectableFields: shared('selectableFields') ?? [],
    versions: spec.versions.map((version) => {
      const rest: { -readonly [Key in keyof CrdVersion]: CrdVersion[Key] } = { ...version }
      for (const part of ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const)
        if (isShared(spec.versions, part)) delete rest[part]
      return rest
    }),
  }
}

function isShared(versions: readonly CrdVersion[], part: SharedPart): boolean {
  const [first] = versions
  return versions.every((version) => deepEqual(version[part], first?.[part]))
}

/** The versions as messages show them. */
export function versionsJson(versions: readonly CrdVersion[]): string {
  return `[${versions.map(versionJson).join(',')}]`
}

function versionJson(version: CrdVersion): string {
  return goStruct([
    ['Name', goJson(version.name)],
    ['Served', String(version.served)],
    ['Storage', String(version.storage)],
    ['Deprecated', String(version.deprecated === true)],
    ['DeprecationWarning', goPointer(version.deprecationWarning)],
    [
      'Schema',
      goPointer(version.schema, ({ openAPIV3Schema }) =>
        goStruct([['OpenAPIV3Schema', schemaJson(openAPIV3Schema)]]),
      ),
    ],
    ['Subresources', goPointer(version.subresources, subresourcesJson)],
    ['AdditionalPrinterColumns', goList(version.additionalPrinterColumns, columnJson)],
    [
      'SelectableFields',
      goList(version.selectableFields, ({ jsonPath }) => goStruct([['JSONPath', goJson(jsonPath)]])),
    ],
  ])
}

function subresourcesJson({ status, scale }: CrdSubresources): string {
  return goStruct([
    ['Status', goPointer(status, () => '{}')],
    [
      'Scale',
      goPointer(scale, (paths) =>
        goStruct([
          ['SpecReplicasPath', goJson(paths.specReplicasPath)],
          ['StatusReplicasPath', goJson(paths.statusReplicasPath)],
          ['LabelSelectorPath', goPointer(paths.labelSelectorPath)],
        ]),
      ),
    ],
  ])
}

function columnJson(column: CrdColumn): string {
  return goStruct([
    ['Name', goJson(column.name)],
    ['Type', goJson(column.type)],
    ['Format', goJson(column.format ?? '')],
    ['Description', goJson(column.description ?? '')],
    ['Priority', String(column.priority ?? 0)],
    ['JSONPath', goJson(column.jsonPath)],
  ])
}
