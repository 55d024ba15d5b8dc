import { deepEqual } from '../../base/index.js'
import type { FieldError } from '../../schema/index.js'
import {
  dns1035LabelProblems,
  goJson,
  hasDefaults,
  invalid,
  invalidAs,
  required,
  type SchemaEngines,
  type SchemaProps,
  schemaErrors,
  unsupported,
} from '../../schema/internal.js'
import { approvalErrors } from './approval.js'
import { bundleProblem, conversionErrors } from './conversion-validation.js'
import { type Crd, type CrdVersion, isConditionTrue } from './definition.js'
import { type InternalSpec, internalSpec, versionsJson } from './internal-spec.js'
import { groupErrors, missingNameErrors, nameErrors } from './name-validation.js'
import { selectableFieldErrors } from './selectable-field-validation.js'
import { columnErrors, deprecationErrors, subresourceErrors } from './version-validation.js'

/** What the server has against a CRD, in its words; `old` is the one that it replaces. Metadata is checked elsewhere. */
export function definitionErrors(given: Crd, old: Crd | undefined, engines: SchemaEngines): FieldError[] {
  const crd = withVersions(given)
  return [
    ...(old === undefined ? ownNameErrors(crd) : []),
    ...new SpecCheck(crd, old, engines).errors(crd === given ? undefined : () => 'null'),
    ...(old === undefined ? [] : immutableErrors(crd, old)),
    ...statusErrors(crd),
    ...storedVersionErrors(crd),
    ...approvalErrors(crd, old),
    ...(crd.spec.preserveUnknownFields === true ? [openFieldsError] : []),
  ]
}

/** Only a CRD that is about to be refused can lack its list of versions. */
function withVersions(crd: Crd): Crd {
  return Array.isArray(crd.spec.versions) ? crd : { ...crd, spec: { ...crd.spec, versions: [] } }
}

const openFieldsError: FieldError = invalid(
  'spec.preserveUnknownFields',
  true,
  'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
)

/** A CRD is named after what it defines. */
function ownNameErrors({ metadata, spec }: Crd): FieldError[] {
  const required = `${spec.names.plural}.${spec.group}`
  const detail = 'must be spec.names.plural+"."+spec.group'
  return (['generateName', 'name'] as const).flatMap((field) => {
    const name = metadata[field] ?? ''
    return name === '' || name === required ? [] : [invalid(`metadata.${field}`, name, detail)]
  })
}

export function statusErrors({ status }: Crd): FieldError[] {
  return nameErrors(status.acceptedNames, 'status.acceptedNames')
}

function storedVersionErrors({ spec, status }: Crd): FieldError[] {
  const path = 'status.storedVersions'
  const stored = status.storedVersions ?? []
  const shown = goJson(status.storedVersions)
  if (stored.length === 0) return [invalidAs(path, shown, 'must have at least one stored version')]
  const errors = spec.versions
    .filter((version) => version.storage && !stored.includes(version.name))
    .map((version) => invalidAs(path, shown, `must have the storage version ${version.name}`))
  for (const [index, name] of stored.entries()) {
    if (spec.versions.some((version) => version.name === name) || stored.lastIndexOf(name) !== index) continue
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    errors.push(invalid(`${path}[${index}]`, name, detail))
  }
  return errors
}

function immutableErrors({ spec }: Crd, old: Crd): FieldError[] {
  const errors: FieldError[] = []
  const check = (path: string, value: string, before: string): void => {
    if (value !== before) errors.push(invalid(path, value, 'field is immutable'))
  }
  if (isConditionTrue(old, 'Established')) {
    check('spec.scope', spec.scope, old.spec.scope)
    check('spec.names.kind', spec.names.kind, old.spec.names.kind)
  }
  check('spec.group', spec.group, old.spec.group)
  check('spec.names.plural', spec.names.plural, old.spec.names.plural)
  return errors
}

const scopes = ['Cluster', 'Namespaced']

class SpecCheck {
  readonly #crd: Crd
  readonly #old: Crd | undefined
  readonly #engines: SchemaEngines
  readonly #internal: InternalSpec

  constructor(crd: Crd, old: Crd | undefined, engines: SchemaEngines) {
    this.#crd = crd
    this.#old = old
    this.#engines = engines
    this.#internal = internalSpec(crd.spec)
  }

  /** `show` gives what stands for the versions in messages. */
  errors(show = (): string => versionsJson(this.#internal.versions)): FieldError[] {
    const { spec } = this.#crd
    const { validation, subresources, additionalPrinterColumns, versions } = this.#internal
    return [
      ...groupErrors(spec.group, 'spec.group'),
      ...scopeErrors(spec.scope),
      ...this.#missingSchemas(),
      ...this.#openDefaults(),
      ...versions.flatMap((version, index) => this.#version(version, `spec.versions[${index}]`)),
      ...this.#versionSet(show),
      ...missingNameErrors(spec.names, 'spec.names'),
      ...nameErrors(spec.names, 'spec.names'),
      ...this.#schema(validation, 'spec.validation', this.#hasAnyStatus()),
      ...subresourceErrors(subresources, 'spec.subresources'),
      ...columnErrors(additionalPrinterColumns, 'spec.additionalPrinterColumns'),
      ...this.#selectable(),
      ...this.#conversion(),
    ]
  }

  #hasAnyStatus(): boolean {
    return this.#crd.spec.versions.some((version) => version.subresources?.status !== undefined)
  }

  #missingSchemas(): FieldError[] {
    if (this.#internal.validation?.openAPIV3Schema !== undefined) return []
    return this.#internal.versions.flatMap(({ schema }, index) =>
      schema?.openAPIV3Schema === undefined
        ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)]
        : [],
    )
  }

  #openDefaults(): FieldError[] {
    const { preserveUnknownFields, versions } = this.#crd.spec
    const schemas = versions.flatMap((version) => version.schema?.openAPIV3Schema ?? [])
    if (preserveUnknownFields !== true || !schemas.some(hasDefaults)) return []
    const detail = 'must be false in order to use defaults in the schema'
    return [invalid('spec.preserveUnknownFields', true, detail)]
  }

  #version(version: CrdVersion, path: string): FieldError[] {
    const problems = dns1035LabelProblems(version.name)
    const { schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version
    const hasStatus = (this.#internal.subresources ?? subresources)?.status !== undefined
    const errors = [
      ...(problems.length > 0 ? [invalid(`${path}.name`, version.name, problems.join(','))] : []),
      ...deprecationErrors(version, `${path}.deprecationWarning`),
      ...this.#schema(schema, `${path}.schema`, hasStatus),
      ...subresourceErrors(subresources, `${path}.subresources`),
      ...columnErrors(additionalPrinterColumns, `${path}.additionalPrinterColumns`),
    ]
    if (selectableFields.length === 0) return errors
    const at = `${path}.selectableFields`
    if (schema?.openAPIV3Schema === undefined) {
      const detail = 'may only be set when `version.schema.openAPIV3Schema` is not included'
      return [...errors, invalid(at, '', detail)]
    }
    return [...errors, ...selectableFieldErrors(selectableFields, schema.openAPIV3Schema, at)]
  }

  /** A schema that did not change was found to be right before. */
  #schema(
    schema: { readonly openAPIV3Schema?: SchemaProps } | undefined,
    path: string,
    hasStatus: boolean,
  ): FieldError[] {
    const props = schema?.openAPIV3Schema
    if (props === undefined || this.#wasAccepted(props)) return []
    return schemaErrors(props, `${path}.openAPIV3Schema`, this.#engines, { hasStatus })
  }

  #wasAccepted(schema: SchemaProps): boolean {
    const before = this.#old?.spec.versions ?? []
    const hasStatus = (versions: readonly CrdVersion[]): boolean[] =>
      versions.map((version) => version.subresources?.status !== undefined)
    return (
      deepEqual(hasStatus(before), hasStatus(this.#crd.spec.versions)) &&
      before.some((version) => deepEqual(version.schema?.openAPIV3Schema, schema))
    )
  }

  #versionSet(show: () => string): FieldError[] {
    const { versions } = this.#internal
    const names = versions.map(({ name }) => name)
    const errors: FieldError[] = []
    const refuse = (detail: string): void => {
      errors.push(invalidAs('spec.versions', show(), detail))
    }
    if (new Set(names).size < names.length) refuse('must contain unique version names')
    if (versions.filter(({ storage }) => storage).length !== 1)
      refuse('must have exactly one version marked as storage version')
    const [first = ''] = names
    // The first version also stands above all of them.
    const problems = first === '' ? [] : dns1035LabelProblems(first)
    if (problems.length > 0) errors.push(invalid('spec.version', first, problems.join(',')))
    return errors
  }

  #selectable(): FieldError[] {
    const { selectableFields, validation } = this.#internal
    const path = 'spec.selectableFields'
    if (selectableFields.length === 0) return []
    if (validation === undefined)
      return [invalid(path, '', 'may only be set when validations.schema is included')]
    return selectableFieldErrors(selectableFields, validation.openAPIV3Schema ?? {}, path)
  }

  #conversion(): FieldError[] {
    const { conversion, preserveUnknownFields } = this.#crd.spec
    if (conversion === undefined) return []
    const errors: FieldError[] = []
    if (conversion.strategy !== 'None' && preserveUnknownFields === true) {
      const detail = 'must be None if spec.preserveUnknownFields is true'
      errors.push(invalid('spec.conversion.strategy', conversion.strategy, detail))
    }
    const requiresBundle = this.#old !== undefined && mustHaveBundle(this.#old)
    return [...errors, ...conversionErrors(conversion, 'spec.conversion', { requiresBundle })]
  }
}

/** A bundle that was wrong may stay wrong, and before a CRD is established it may be anything. */
function mustHaveBundle(old: Crd): boolean {
  if (!isConditionTrue(old, 'Established')) return false
  const before = old.spec.conversion?.webhook?.clientConfig?.caBundle ?? ''
  return before === '' || bundleProblem(before) === undefined
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')]
  return scopes.includes(scope) ? [] : [unsupported('spec.scope', scope, scopes)]
}
