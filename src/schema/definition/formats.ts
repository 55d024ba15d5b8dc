import { stringFormatCheck } from '../validator/formats/string-formats.js'
import { isSchemaList, type SchemaProps } from './schema-props.js'

/** The formats in a schema that the server does not know and ignores, once for each place. */
export function unknownFormats(schema: SchemaProps): string[] {
  const { format = '', items, additionalProperties } = schema
  const below: (SchemaProps | undefined)[] = [
    ...(isSchemaList(items) ? items : [items]),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    schema.not,
    ...Object.keys(schema.properties ?? {})
      .sort()
      .map((name) => schema.properties?.[name]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  return [
    ...(format === '' || isKnown(format, schema.type ?? '') ? [] : [format]),
    ...below.flatMap((child) => (child === undefined ? [] : unknownFormats(child))),
  ]
}

function isKnown(format: string, type: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return stringFormatCheck(format) !== undefined
    case 'integer':
      return format === 'int32' || format === 'int64'
    case 'number':
      return format === 'float' || format === 'double'
    default:
      return false
  }
}
