import type { CelEngine } from '../cel/index.js'
import type { FieldError } from '../field-error.js'
import type { StructuralSchema } from '../structural-schema.js'
import { forbidden, invalid, invalidAs } from '../validator/field-errors.js'
import type { SchemaEngines } from '../validator/validator.js'
import { defaultErrors } from './default-rules.js'
import { schemaJson } from './internal-form.js'
import { type DefaultRule, extensionErrors, keywordErrors } from './openapi-rules.js'
import { CostTally, compiledRuleErrors, ruleFormErrors } from './rule-errors.js'
import { isSchemaList, itemsOf, propertiesOf, type SchemaProps, sortedEntries } from './schema-props.js'
import { structuralErrors, unsupportedKeyword } from './structural-rules.js'

/**
 * What the server has against the schema of one version of a CRD, in its words. `path` is where the schema stands. With
 * `hasStatus` there is a status subresource, and the schema of the status must be separable from the rest.
 */
export function schemaErrors(
  schema: SchemaProps,
  path: string,
  engines: SchemaEngines,
  { hasStatus }: { readonly hasStatus: boolean },
): FieldError[] {
  const errors = rootErrors(schema, path, hasStatus)
  const before = errors.length
  const unreadable = unsupportedKeyword(schema)
  let canCompile = false
  if (unreadable === undefined) {
    errors.push(...structuralErrors(schema, path, engines.compilePattern))
    // Only a schema that is structural can be asked about its defaults, and only then are rules compiled.
    if (errors.length === before) errors.push(...defaultErrors(schema as StructuralSchema, path, engines))
    canCompile = errors.length === before
  }
  const tally = new CostTally()
  const check = new SchemaCheck(canCompile ? engines.cel : undefined, tally)
  const { structure, rules } = check.visit(schema, path, {
    defaults: { isAllowed: true, reason: '' },
    isInsideMetadata: false,
    uncorrelatable: undefined,
    isRoot: true,
    isBranch: false,
    cardinality: 1,
  })
  errors.push(...structure, ...rules)
  if (errors.length === 0 && unreadable !== undefined)
    errors.push({
      reason: 'FieldValueInvalid',
      field: path,
      message: `Invalid value: "": ${unreadable}`,
    })
  return [...errors, ...tally.errors(path)]
}

// The names that the fields have in Go, which the server shows.
const allowedWithStatus =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'
const forbiddenWithStatus = [
  'id',
  '$schema',
  '$ref',
  'nullable',
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const

/** What may not be said at the root of a schema. */
function rootErrors(schema: SchemaProps, path: string, hasStatus: boolean): FieldError[] {
  const errors: FieldError[] = []
  if (hasStatus) {
    if (schema.type !== undefined && schema.type !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
      errors.push(invalid(`${path}.type`, schema.type, detail))
    } else if (forbiddenWithStatus.some((keyword) => schema[keyword] !== undefined)) {
      const detail = `only [${allowedWithStatus}] fields are allowed at the root of the schema if the status subresource is enabled`
      errors.push(invalidAs(path, schemaJson(schema), detail))
    }
  }
  if (schema.nullable === true)
    errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'))
  return errors
}

interface Place {
  readonly defaults: DefaultRule
  readonly isInsideMetadata: boolean
  /** The outermost part around whose values cannot be matched with old ones. */
  readonly uncorrelatable: string | undefined
  readonly isRoot: boolean
  /** Below `not`, `allOf` and their kin, where rules are not compiled. */
  readonly isBranch: boolean
  /** How often data of this schema occurs at most; undefined for no limit. */
  readonly cardinality: number | undefined
}

/** Errors of rules are kept apart: where the structure is wrong, rules are not compiled at all. */
interface Found {
  readonly structure: FieldError[]
  readonly rules: FieldError[]
}

const typeFields = new Set(['apiVersion', 'kind', 'metadata'])

class SchemaCheck {
  readonly #cel: CelEngine | undefined
  readonly #tally: CostTally

  constructor(cel: CelEngine | undefined, tally: CostTally) {
    this.#cel = cel
    this.#tally = tally
  }

  visit(schema: SchemaProps, path: string, place: Place): Found {
    const found: Found = {
      structure: keywordErrors(schema, path, place),
      rules: [],
    }
    const enter = (child: SchemaProps, at: string, inside: Partial<Place>): void => {
      const below = this.visit(child, `${path}.${at}`, { ...place, isRoot: false, ...inside })
      found.structure.push(...below.structure)
      found.rules.push(...below.rules)
    }
    this.#visitStructure(schema, path, place, enter)
    this.#visitBranches(schema, enter)
    found.structure.push(...extensionErrors(schema, path), ...ruleFormErrors(schema, path))
    const rules = schema['x-kubernetes-validations'] ?? []
    if (rules.length > 0 && found.structure.length === 0 && !place.isBranch && this.#cel !== undefined) {
      const isResourceRoot = place.isRoot || schema['x-kubernetes-embedded-resource'] === true
      // The structure was found to be right before anything is compiled.
      const inspection = this.#cel.inspect(schema as StructuralSchema, { isResourceRoot })
      found.rules.push(
        ...compiledRuleErrors(rules, inspection, path, {
          cardinality: place.cardinality,
          uncorrelatable: place.uncorrelatable,
          tally: this.#tally,
        }),
      )
    }
    return found
  }

  #visitStructure(schema: SchemaProps, path: string, place: Place, enter: Enter): void {
    const factor = multiplicity(schema)
    const cardinality =
      place.cardinality === undefined || factor === undefined ? undefined : place.cardinality * factor
    const { additionalProperties } = schema
    if (typeof additionalProperties === 'object') {
      const reason = 'inside additionalProperties applying to object metadata'
      const defaults = place.isInsideMetadata ? { isAllowed: false, reason } : place.defaults
      enter(additionalProperties, 'additionalProperties', { defaults, cardinality })
    }
    const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true
    for (const [name, child] of propertiesOf(schema)) {
      const isTypeField = isResource && typeFields.has(name)
      enter(child, `properties[${name}]`, {
        cardinality,
        ...(isTypeField && { isInsideMetadata: true }),
        ...(isTypeField &&
          place.isRoot && { defaults: { isAllowed: false, reason: `in top-level ${name}` } }),
      })
    }
    const isMap = schema['x-kubernetes-list-type'] === 'map'
    const inItems = {
      cardinality,
      uncorrelatable: isMap ? place.uncorrelatable : (place.uncorrelatable ?? path),
    }
    const items = itemsOf(schema)
    if (items !== undefined) enter(items, 'items', inItems)
    else if (isSchemaList(schema.items))
      for (const [index, item] of schema.items.entries()) enter(item, `items[${index}]`, inItems)
  }

  #visitBranches(schema: SchemaProps, enter: Enter): void {
    const branch = { isBranch: true }
    if (schema.not !== undefined) enter(schema.not, 'not', branch)
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const)
      for (const [index, each] of (schema[keyword] ?? []).entries())
        enter(each, `${keyword}[${index}]`, branch)
    for (const [name, each] of sortedEntries(schema.definitions)) enter(each, `definitions[${name}]`, branch)
    for (const [name, each] of sortedEntries(schema.dependencies))
      if (!Array.isArray(each)) enter(each as SchemaProps, `dependencies[${name}]`, branch)
  }
}

type Enter = (child: SchemaProps, at: string, inside: Partial<Place>) => void

/** How many values one value of this schema holds at most; undefined for no limit. */
function multiplicity(schema: SchemaProps): number | undefined {
  if (schema.type === 'array') return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems)
  if (schema.type !== 'object' || schema.additionalProperties === undefined) return 1
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties)
}
