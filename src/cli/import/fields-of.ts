import { getOwn, stringifyJson } from '../../base/index.js'
import type { Field } from './interface-text.js'
import { pascalCase } from './names.js'
import { listAt, propertiesOf, type Schema, textAt } from './schema-view.js'
import { type TypeScope, typeMembers } from './type-text.js'

/**
 * The fields of an object schema. A field is optional unless `required` says otherwise: in the server's own OpenAPI
 * a default, `default: {}` above all, only repeats Go's zero value.
 *
 * @param owner - Name of the interface that the fields belong to; nested interfaces are named after it.
 */
export function fieldsOf(schema: Schema, owner: string, scope: TypeScope): Field[] {
  const required = new Set(listAt(schema, 'required'))
  return propertiesOf(schema).map(([name, property]) => {
    const isOptional = !required.has(name)
    return {
      name,
      type:
        isOptional && inherited.has(name)
          ? ['unknown']
          : typeMembers(property, `${owner}${pascalCase(name) || 'Field'}`, scope),
      isOptional,
      description: textAt(property, 'description') ?? '',
      tags: scope.hasRealDefaults ? defaultTags(property) : [],
    }
  })
}

// Every object has these, says TypeScript: with any other type than `unknown`, no object could leave the field out.
const inherited: ReadonlySet<string> = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
])

/** Longer defaults are data, not documentation. */
const longestDefault = 200

function defaultTags(property: Schema): string[] {
  const value = getOwn(property, 'default')
  if (value === undefined) return []
  const text = stringifyJson(value)
  return text.length > longestDefault || text.includes('`') ? [] : [`@defaultValue \`${text}\``]
}
