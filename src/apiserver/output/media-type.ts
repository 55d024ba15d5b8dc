import { trimCharacter } from '../trim.js'

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string
  readonly subtype: string
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * The clauses of an Accept header, the preferred one first, read as the real server reads them: what it cannot
 * understand it leaves out.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: RankedClause[] = []
  for (const part of header.split(',')) {
    const [range = '', ...rest] = part.split(';')
    const [type = '', subtype, ...more] = range.split('/', 3).map(trimSpaces)
    if (more.length > 0) continue
    if ((subtype ?? '') === '' && type !== '*') continue
    const parameters = new Map<string, string>()
    let quality = 1
    for (const parameter of rest) {
      const [name = '', value, ...extra] = parameter.split('=')
      if (value === undefined || value === '' || extra.length > 0) continue
      if (trimSpaces(name) === 'q') quality = qualityOf(value)
      else parameters.set(trimSpaces(name), trimSpaces(value))
    }
    clauses.push({ type, subtype: subtype ?? '*', parameters, quality })
  }
  return sortByPreference(clauses)
}

interface RankedClause extends AcceptClause {
  readonly quality: number
}

/** So many the real server sorts by insertion. */
const mostInserted = 12

/**
 * The real server's order is not one: a clause that says more goes before a wildcard even where its quality is lower.
 * What comes out then depends on how it sorts, which is by insertion where they are few.
 */
function sortByPreference(clauses: RankedClause[]): RankedClause[] {
  if (clauses.length > mostInserted)
    return clauses.toSorted((left, right) =>
      isPreferred(left, right) ? -1 : isPreferred(right, left) ? 1 : 0,
    )
  const sorted: RankedClause[] = []
  for (const clause of clauses) {
    let at = sorted.length
    for (
      let before = sorted[at - 1];
      before !== undefined && isPreferred(clause, before);
      before = sorted[at - 1]
    )
      at--
    sorted.splice(at, 0, clause)
  }
  return sorted
}

function isPreferred(left: RankedClause, right: RankedClause): boolean {
  if (left.quality > right.quality) return true
  if (left.type !== '*' && right.type === '*') return true
  return left.subtype !== '*' && right.subtype === '*'
}

function trimSpaces(text: string): string {
  return trimCharacter(text, ' ')
}

function qualityOf(text: string): number {
  const quality = Number(text)
  return Number.isFinite(quality) ? quality : 0
}
