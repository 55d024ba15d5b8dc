import type { FieldError } from '../field-error.js'
import { required } from '../validator/field-errors.js'
import { itemsOf, propertiesOf, type SchemaProps } from './schema-props.js'

/** What branches say about fields and items that the schema around them does not have. */
export function completenessErrors(schema: SchemaProps, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkBranches(schema, schema, { structure: path, branch: path }, errors)
  return errors
}

interface Paths {
  readonly structure: string
  readonly branch: string
}

function checkBranches(from: SchemaProps, structure: SchemaProps, paths: Paths, errors: FieldError[]): void {
  const check = (branch: SchemaProps, name: string): void =>
    checkBranch(branch, structure, { ...paths, branch: `${paths.branch}.${name}` }, errors)
  if (from.not !== undefined) check(from.not, 'not')
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const [index, branch] of (from[keyword] ?? []).entries()) check(branch, `${keyword}[${index}]`)
}

function checkBranch(
  branch: SchemaProps,
  structure: SchemaProps | undefined,
  paths: Paths,
  errors: FieldError[],
): void {
  if (structure === undefined) {
    errors.push(required(paths.structure, `because it is defined in ${paths.branch}`))
    return
  }
  checkBranches(branch, structure, paths, errors)
  const step = (name: string): Paths => ({
    structure: `${paths.structure}.${name}`,
    branch: `${paths.branch}.${name}`,
  })
  const items = itemsOf(branch)
  if (items !== undefined) checkBranch(items, itemsOf(structure), step('items'), errors)
  const known = new Map(propertiesOf(structure))
  for (const [name, child] of propertiesOf(branch))
    checkBranch(child, known.get(name), step(`properties[${name}]`), errors)
}
