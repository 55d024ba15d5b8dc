import type { StructuralSchema } from '../structural-schema.js'
import { fieldAt, parseFieldPath } from './field-path.js'
import { checkLabel } from './naming.js'
import type { ProblemList } from './problem.js'
import type { PrinterColumn, ScalePaths, VersionDefinition } from './version-definition.js'

const columnTypes = ['string', 'integer', 'number', 'boolean', 'date']
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password']
const maxSelectableFields = 8

/** What a definition says besides names and fields, checked against the schema of the whole object. */
export function checkDefinition(
  definition: VersionDefinition,
  schema: StructuralSchema,
  problems: ProblemList,
): void {
  for (const [index, name] of definition.shortNames.entries())
    checkLabel(name, `shortNames[${index}]`, problems)
  for (const [index, name] of definition.categories.entries())
    checkLabel(name, `categories[${index}]`, problems)
  checkColumns(definition.columns, schema, problems)
  if (definition.scale !== undefined) checkScale(definition.scale, schema, problems)
  checkSelectableFields(definition.selectableFields, schema, problems)
  checkDeprecation(definition.deprecated, problems)
}

function checkColumns(
  columns: readonly PrinterColumn[],
  schema: StructuralSchema,
  problems: ProblemList,
): void {
  const seen = new Set<string>()
  for (const [index, column] of columns.entries()) {
    const path = `columns[${index}]`
    if (column.name === '') problems.add(`${path}.name`, 'A column needs a name: it is its heading.')
    if (seen.has(column.name))
      problems.add(`${path}.name`, `There are two columns "${column.name}". Rename one.`)
    seen.add(column.name)
    if (!columnTypes.includes(column.type)) {
      problems.add(
        `${path}.type`,
        `Type ${JSON.stringify(column.type)} is not one of ${columnTypes.join(', ')}.`,
      )
    }
    if (column.format !== undefined && !columnFormats.includes(column.format)) {
      problems.add(
        `${path}.format`,
        `Format ${JSON.stringify(column.format)} is not one of ${columnFormats.join(', ')}.`,
      )
    }
    checkColumnPath(column.jsonPath, `${path}.jsonPath`, schema, problems)
  }
}

function checkColumnPath(
  jsonPath: string,
  path: string,
  schema: StructuralSchema,
  problems: ProblemList,
): void {
  if (!jsonPath.startsWith('.') || jsonPath === '.') {
    problems.add(
      path,
      `${JSON.stringify(jsonPath)} is not a path from the root of the object. Use .spec.replicas.`,
    )
    return
  }
  // Up to the first filter or index the path can be followed; conditions are the usual case.
  const plain = /^(?:\.[^.[\]]+)+/.exec(jsonPath)?.[0] ?? ''
  const names = parseFieldPath(plain) ?? []
  if (names[0] === 'metadata' || fieldAt(schema, names) !== undefined) return
  problems.add(path, `The schema has no field ${plain}: the column would always be empty. Correct the path.`)
}

function checkScale(scale: ScalePaths, schema: StructuralSchema, problems: ProblemList): void {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale
  checkScalePath(
    specReplicasPath,
    { option: 'scale.specReplicasPath', below: ['spec'], type: 'integer' },
    schema,
    problems,
  )
  checkScalePath(
    statusReplicasPath,
    { option: 'scale.statusReplicasPath', below: ['status'], type: 'integer' },
    schema,
    problems,
  )
  if (labelSelectorPath === undefined) return
  const wanted = { option: 'scale.labelSelectorPath', below: ['spec', 'status'], type: 'string' }
  checkScalePath(labelSelectorPath, wanted, schema, problems)
}

interface ScaleField {
  readonly option: string
  readonly below: readonly string[]
  readonly type: string
}

function checkScalePath(
  path: string,
  wanted: ScaleField,
  schema: StructuralSchema,
  problems: ProblemList,
): void {
  const names = /^(?:\.[^.[\]]+){2,}$/.test(path) ? parseFieldPath(path) : undefined
  if (names === undefined || !wanted.below.includes(names[0] ?? '')) {
    const examples = wanted.below.map(
      (root) => `.${root}.${wanted.type === 'integer' ? 'replicas' : 'selector'}`,
    )
    problems.add(
      wanted.option,
      `${JSON.stringify(path)} is not such a path. Use dots only: ${examples.join(' or ')}.`,
    )
    return
  }
  const field = fieldAt(schema, names)
  if (field === undefined)
    problems.add(wanted.option, `The schema has no field ${path}. Add it, or correct the path.`)
  else if (field !== 'open' && field.type !== wanted.type) {
    problems.add(
      wanted.option,
      `The field ${path} is of type ${field.type ?? 'any'}. It must be of type ${wanted.type}.`,
    )
  }
}

function checkSelectableFields(
  paths: readonly string[],
  schema: StructuralSchema,
  problems: ProblemList,
): void {
  if (paths.length > maxSelectableFields) {
    problems.add(
      'selectableFields',
      `There are ${paths.length}. The API server allows ${maxSelectableFields}.`,
    )
  }
  for (const [index, path] of paths.entries()) {
    const option = `selectableFields[${index}]`
    const names = path.includes('[') ? undefined : parseFieldPath(path)
    const field = names === undefined ? undefined : fieldAt(schema, names)
    if (paths.indexOf(path) < index) problems.add(option, `${path} is listed twice. Remove one.`)
    if (names === undefined)
      problems.add(option, `${JSON.stringify(path)} is not a path of names. Use .spec.color.`)
    else if (names[0] === 'metadata')
      problems.add(option, 'Name and namespace can always be selected; other metadata cannot. Remove it.')
    else if (field === undefined) problems.add(option, `The schema has no field ${path}. Correct the path.`)
    else if (field === 'open' || !['string', 'boolean', 'integer'].includes(field.type ?? '')) {
      problems.add(option, `The field ${path} cannot be selected. Only strings, booleans and integers can.`)
    }
  }
}

function checkDeprecation(deprecated: boolean | string, problems: ProblemList): void {
  if (typeof deprecated === 'boolean') return
  if (
    deprecated === '' ||
    Buffer.byteLength(deprecated) > 256 ||
    !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(deprecated)
  ) {
    problems.add(
      'deprecated',
      'The warning is one line of 1 to 256 printable characters. Shorten it, or use true.',
    )
  }
}
