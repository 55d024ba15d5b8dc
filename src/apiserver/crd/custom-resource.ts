import { deepFreeze } from '../../base/index.js'
import type { StructuralSchema, Validator } from '../../schema/index.js'
import { createResourceValidator, goPrint, type SchemaEngines } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { compareVersions } from '../discovery/documents.js'
import { ApiFailure } from '../failure.js'
import type { Resource, ServedVersion, Subresource } from '../resource.js'
import { customTable } from './columns.js'
import { type ConversionDependencies, converterOf } from './conversion.js'
import { customScale } from './custom-scale.js'
import { customStatusStrategy, customStrategy, shaped } from './custom-strategy.js'
import { type Crd, type CrdSpec, type CrdVersion, crdOf } from './definition.js'
import { deprecationWarningOf } from './deprecation.js'
import { findAll } from './json-path.js'
import { type JsonPath, parseJsonPath } from './json-path-parser.js'
import { publishedSchema } from './published-schema.js'

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

export interface ResourceOptions extends ConversionDependencies {
  readonly engines: SchemaEngines
  /** Objects stored before this revision were written under another schema. 0: none. */
  readonly reshapesBefore?: number
}

/** The resource that an established CRD defines. Validators are made when they are first used. */
export function customResource(stored: StoredApiObject, options: ResourceOptions): Resource {
  const crd = crdOf(stored)
  const { spec } = crd
  const names = crd.status.acceptedNames
  const validators = new Map(
    spec.versions.map((version) => [version.name, lazyValidator(version, options.engines)]),
  )
  const storageVersion = spec.versions.find((version) => version.storage)?.name ?? ''
  const { reshapesBefore = 0 } = options
  const convertAll = conversionOf(crd, { validators, storageVersion, options })
  return {
    group: spec.group,
    plural: names.plural,
    singular: names.singular ?? '',
    kind: names.kind,
    listKind: names.listKind ?? '',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    versions: spec.versions
      .filter((version) => version.served)
      .sort((left, right) => compareVersions(left.name, right.name))
      .map((version) => servedVersion(spec, version, validatorOf(validators, version.name))),
    storageVersion,
    isCustom: true,
    async convert(object, toVersion) {
      const [converted] = await convertAll([object], toVersion)
      return converted ?? object
    },
    convertAll,
    async convertAsIs(object, toVersion) {
      const [converted] = await convertAll([object], toVersion, { isPruned: false })
      return converted ?? object
    },
    ...(reshapesBefore > 0 && {
      reshapesBefore,
      reshape: (object: StoredApiObject) =>
        deepFreeze(shaped(validatorOf(validators, versionIn(object))(), object)),
    }),
  }
}

type Validators = ReadonlyMap<string, () => Validator>

function lazyValidator({ schema, subresources }: CrdVersion, engines: SchemaEngines): () => Validator {
  let made: Validator | undefined
  return () => {
    made ??= createResourceValidator(
      {
        // The CRD was accepted, so its schemas are structural. Without a schema, nothing would be kept.
        schema: (schema?.openAPIV3Schema ?? {
          'x-kubernetes-preserve-unknown-fields': true,
        }) as StructuralSchema,
        ...(subresources?.scale !== undefined && { scale: subresources.scale }),
      },
      engines,
    )
    return made
  }
}

function validatorOf(validators: Validators, version: string): () => Validator {
  const found = validators.get(version)
  if (found === undefined)
    throw new ApiFailure({
      code: 500,
      reason: '',
      message: `request to convert CR from an invalid group/version: ${version}`,
    })
  return found
}

function servedVersion(spec: CrdSpec, version: CrdVersion, validator: () => Validator): ServedVersion {
  const { name, subresources, additionalPrinterColumns = [], selectableFields = [] } = version
  const hasStatus = subresources?.status !== undefined
  const parts = new Map<string, Subresource>()
  if (hasStatus) parts.set('status', { type: 'part', strategy: customStatusStrategy({ validator }) })
  if (subresources?.scale !== undefined)
    parts.set('scale', { type: 'scale', scale: customScale(subresources.scale) })
  const warning = deprecationWarningOf(spec, version)
  const paths = selectableFields.map(
    ({ jsonPath }) => [jsonPath.replace(/^\./, ''), parseJsonPath(jsonPath)] as const,
  )
  let schema: ApiSchema | undefined
  return {
    name,
    verbs,
    get schema() {
      schema ??= publishedSchema(version.schema?.openAPIV3Schema)
      return schema
    },
    strategy: customStrategy({ validator, hasStatus }),
    subresources: parts,
    table: customTable(additionalPrinterColumns),
    ...(warning !== undefined && { deprecationWarning: warning }),
    selectableFields: (object) =>
      Object.fromEntries(paths.map(([field, path]) => [field, fieldText(object, path)])),
    selectableFieldNames: paths.map(([field]) => field),
  }
}

function fieldText(object: StoredApiObject, path: JsonPath): string {
  const [value] = findAll(path, object)
  return value === undefined || value === null ? '' : goPrint(value)
}

function versionIn({ apiVersion }: StoredApiObject): string {
  return apiVersion.slice(apiVersion.lastIndexOf('/') + 1)
}

interface ConversionContext {
  readonly validators: Validators
  readonly storageVersion: string
  readonly options: ConversionDependencies
}

/**
 * Converted objects are pruned by the schema of their new version. They are defaulted only in the version that is
 * stored: the server defaults what it reads from storage, before it converts.
 */
function conversionOf(
  { spec }: Crd,
  { validators, storageVersion, options }: ConversionContext,
): (
  objects: readonly StoredApiObject[],
  toVersion: string,
  how?: { readonly isPruned: boolean },
) => Promise<readonly StoredApiObject[]> {
  const convert = converterOf(spec, options)
  return async (objects, toVersion, { isPruned } = { isPruned: true }) => {
    const apiVersion = `${spec.group}/${toVersion}`
    const foreign = objects.filter((object) => object.apiVersion !== apiVersion)
    if (foreign.length === 0) return objects
    const validator = validatorOf(validators, toVersion)()
    for (const object of foreign) validatorOf(validators, versionIn(object))
    const converted = await convert(foreign, apiVersion)
    const finish = (object: ApiObject): StoredApiObject => {
      if (!isPruned) return object
      return toVersion === storageVersion ? shaped(validator, object) : validator.prune(object)
    }
    const finished = new Map(foreign.map((object, index) => [object, converted[index]]))
    return objects.map((object) => {
      const result = finished.get(object)
      return result === undefined ? object : finish(result)
    })
  }
}
