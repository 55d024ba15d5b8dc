import type { FieldRequirement } from '../../objects/index.js'
import { goQuote } from '../../schema/internal.js'
import { badRequest } from '../failure.js'
import type { Served } from '../output/answer-kind.js'

const metadataFields: readonly string[] = ['metadata.name', 'metadata.namespace']

/**
 * The terms of the parameter `fieldSelector`. Throws a 400 in the words of the real server: for a text that it cannot
 * read, and for a field that it cannot select by.
 */
export function readFieldSelector(text: string, served: Served): FieldRequirement[] {
  const requirements = splitTerms(text)
    .toSorted()
    .filter((term) => term !== '')
    .map((term) => readTerm(text, term))
  for (const { field } of requirements) {
    if (!metadataFields.includes(field) && !served.version.selectableFieldNames.includes(field))
      throw badRequest(unknownField(served, field))
  }
  return requirements
}

// A backslash makes the next character data.
function splitTerms(text: string): string[] {
  return text.match(/(?:\\[^]?|[^\\,])+/g) ?? []
}

function readTerm(selector: string, term: string): FieldRequirement {
  const match = /^([^]*?)(!=|==?)([^]*)$/.exec(term)
  if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`)
  const [, field = '', operator, written = ''] = match
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescaped(written) }
}

function unescaped(written: string): string {
  return written.replace(/\\([^]?)|[,=]/gu, (found, escaped: string | undefined) => {
    if (escaped === undefined)
      throw badRequest(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`)
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`)
  })
}

/** Each sort of kind says it in words of its own. */
function unknownField({ resource, version }: Served, field: string): string {
  if (!resource.isCustom && version.selectableFieldNames.length === 0)
    return `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
  if (resource.group === 'batch' && resource.kind === 'Job')
    return `field label ${goQuote(field)} not supported for Job`
  if (resource.group === 'resource.k8s.io' && resource.kind === 'ResourceSlice')
    return `field label not supported for ${resource.group}/${version.name}, Kind=ResourceSlice: ${field}`
  return `field label not supported: ${field}`
}
