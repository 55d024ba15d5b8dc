import { parseUtcTime } from '../../base/index.js'
import { goJson } from '../../schema/internal.js'
import type { StoredApiObject } from '../api-object.js'
import type { TableColumn, TableLayout } from '../resource.js'
import { defaultColumns, nameColumn } from '../table/columns.js'
import { humanDuration } from '../table/human-duration.js'
import type { CrdColumn } from './definition.js'
import { findAll, textOf } from './json-path.js'
import { type JsonPath, JsonPathError, parseJsonPath } from './json-path-parser.js'

const ageColumn: CrdColumn = {
  name: 'Age',
  type: 'date',
  description: defaultColumns[1]?.description ?? '',
  jsonPath: '.metadata.creationTimestamp',
}

/** How objects become rows: their name, then the columns of their CRD, or their age if it has none. */
export function customTable(columns: readonly CrdColumn[]): TableLayout {
  const shown: { readonly column: CrdColumn; readonly path: JsonPath }[] = []
  for (const column of columns.length === 0 ? [ageColumn] : columns) {
    const path = parse(column.jsonPath)
    // With a path that makes no sense, the server leaves out this column and all behind it.
    if (path === undefined) break
    shown.push({ column, path })
  }
  return {
    columns: [nameColumn, ...shown.map(({ column }) => tableColumn(column))],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...shown.map(({ column, path }) => cell(object, path, column.type, now)),
    ],
  }
}

function tableColumn({
  name,
  type,
  format = '',
  description,
  jsonPath,
  priority = 0,
}: CrdColumn): TableColumn {
  return {
    name,
    type,
    format,
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
  }
}

function parse(jsonPath: string): JsonPath | undefined {
  try {
    return parseJsonPath(jsonPath)
  } catch (error) {
    if (error instanceof JsonPathError) return undefined
    throw error
  }
}

/** The text, number or truth of one cell; null where there is none. */
function cell(object: StoredApiObject, path: JsonPath, type: string, now: number): unknown {
  const [value] = found(path, object)
  if (value === undefined) return null
  switch (type) {
    case 'string':
      return textOf(value, goJson)
    case 'integer':
      if (typeof value === 'bigint') return value
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null
    default:
      return null
  }
}

function found(path: JsonPath, object: StoredApiObject): readonly unknown[] {
  try {
    return findAll(path, object)
  } catch (error) {
    if (error instanceof JsonPathError) return []
    throw error
  }
}

function ageOf(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>'
  const time = parseUtcTime(text)
  return time === undefined ? '<invalid>' : humanDuration(now - time)
}
