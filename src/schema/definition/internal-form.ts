import { goJson } from '../validator/go-text.js'
import { isSchemaList, type RuleProps, type SchemaProps } from './schema-props.js'

/**
 * Values of CRDs as the server shows them in messages: it prints its own internal structures, with the names that
 * their fields have in Go, in the order of their declaration, and with everything that is empty.
 */

/** `{"Name":…}` with the members in this order. */
export function goStruct(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`
}

/** `null` for none: empty lists are lost when a CRD is decoded. */
export function goList<T>(items: readonly T[] | undefined, show: (item: T) => string): string {
  return items === undefined || items.length === 0 ? 'null' : `[${items.map(show).join(',')}]`
}

export function goPointer<T>(value: T | undefined, show: (value: T) => string = goJson): string {
  return value === undefined ? 'null' : show(value)
}

function goMap(map: Readonly<Record<string, SchemaProps>> | undefined): string {
  if (map === undefined) return 'null'
  const keys = Object.keys(map).sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
  return `{${keys.map((key) => `${goJson(key)}:${schemaJson(map[key])}`).join(',')}}`
}

function orBool(value: SchemaProps | boolean | undefined): string {
  if (value === undefined) return 'null'
  return typeof value === 'boolean'
    ? goStruct([
        ['Allows', String(value)],
        ['Schema', 'null'],
      ])
    : goStruct([
        ['Allows', 'true'],
        ['Schema', schemaJson(value)],
      ])
}

/** `items`. */
export function itemsJson(items: SchemaProps['items']): string {
  if (items === undefined) return 'null'
  return isSchemaList(items)
    ? goStruct([
        ['Schema', 'null'],
        ['JSONSchemas', `[${items.map(schemaJson).join(',')}]`],
      ])
    : goStruct([
        ['Schema', schemaJson(items)],
        ['JSONSchemas', 'null'],
      ])
}

function dependencies(map: SchemaProps['dependencies']): string {
  if (map === undefined) return 'null'
  const keys = Object.keys(map).sort()
  const members = keys.map((key) => {
    const value = map[key]
    const isNames = Array.isArray(value)
    const json = goStruct([
      ['Schema', isNames || value === undefined ? 'null' : schemaJson(value as SchemaProps)],
      ['Property', isNames ? goJson(value) : 'null'],
    ])
    return `${goJson(key)}:${json}`
  })
  return `{${members.join(',')}}`
}

/** A rule. */
export function ruleJson(rule: RuleProps): string {
  return goStruct([
    ['Rule', goJson(rule.rule)],
    ['Message', goJson(rule.message ?? '')],
    ['MessageExpression', goJson(rule.messageExpression ?? '')],
    ['Reason', goPointer(rule.reason)],
    ['FieldPath', goJson(rule.fieldPath ?? '')],
    ['OptionalOldSelf', goPointer(rule.optionalOldSelf)],
  ])
}

/** A whole schema. */
export function schemaJson(schema: SchemaProps | undefined): string {
  if (schema === undefined) return 'null'
  const text = (value: string | undefined): string => goJson(value ?? '')
  const flag = (value: boolean | undefined): string => String(value === true)
  const schemas = (list: readonly SchemaProps[] | undefined): string => goList(list, schemaJson)
  const docs = schema.externalDocs
  return goStruct([
    ['ID', text(schema.id)],
    ['Schema', text(schema.$schema)],
    ['Ref', goPointer(schema.$ref)],
    ['Description', text(schema.description)],
    ['Type', text(schema.type)],
    ['Nullable', flag(schema.nullable)],
    ['Format', text(schema.format)],
    ['Title', text(schema.title)],
    ['Default', goPointer(schema.default)],
    ['Maximum', goPointer(schema.maximum)],
    ['ExclusiveMaximum', flag(schema.exclusiveMaximum)],
    ['Minimum', goPointer(schema.minimum)],
    ['ExclusiveMinimum', flag(schema.exclusiveMinimum)],
    ['MaxLength', goPointer(schema.maxLength)],
    ['MinLength', goPointer(schema.minLength)],
    ['Pattern', text(schema.pattern)],
    ['MaxItems', goPointer(schema.maxItems)],
    ['MinItems', goPointer(schema.minItems)],
    ['UniqueItems', flag(schema.uniqueItems)],
    ['MultipleOf', goPointer(schema.multipleOf)],
    ['Enum', goList(schema.enum, goJson)],
    ['MaxProperties', goPointer(schema.maxProperties)],
    ['MinProperties', goPointer(schema.minProperties)],
    ['Required', goList(schema.required, goJson)],
    ['Items', itemsJson(schema.items)],
    ['AllOf', schemas(schema.allOf)],
    ['OneOf', schemas(schema.oneOf)],
    ['AnyOf', schemas(schema.anyOf)],
    ['Not', schemaJson(schema.not)],
    ['Properties', goMap(schema.properties)],
    ['AdditionalProperties', orBool(schema.additionalProperties)],
    ['PatternProperties', goMap(schema.patternProperties)],
    ['Dependencies', dependencies(schema.dependencies)],
    ['AdditionalItems', orBool(schema.additionalItems)],
    ['Definitions', goMap(schema.definitions)],
    [
      'ExternalDocs',
      docs === undefined
        ? 'null'
        : goStruct([
            ['Description', text(docs.description)],
            ['URL', text(docs.url)],
          ]),
    ],
    ['Example', goPointer(schema.example)],
    ['XPreserveUnknownFields', goPointer(schema['x-kubernetes-preserve-unknown-fields'])],
    ['XEmbeddedResource', flag(schema['x-kubernetes-embedded-resource'])],
    ['XIntOrString', flag(schema['x-kubernetes-int-or-string'])],
    ['XListMapKeys', goList(schema['x-kubernetes-list-map-keys'], goJson)],
    ['XListType', goPointer(schema['x-kubernetes-list-type'])],
    ['XMapType', goPointer(schema['x-kubernetes-map-type'])],
    ['XValidations', goList(schema['x-kubernetes-validations'], ruleJson)],
  ])
}
