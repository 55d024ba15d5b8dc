/** Something wrong with a program, where it stands. `offset` counts UTF-16 units; -1 when it has no place. */
export interface Issue {
  readonly offset: number
  readonly message: string
}

/** Thrown by the parser and the checker. Its message shows every issue with the line of the program it is in. */
export class CelSyntaxError extends Error {
  readonly issues: readonly Issue[]

  constructor(source: string, issues: readonly Issue[]) {
    super(showIssues(source, issues))
    this.name = 'CelSyntaxError'
    this.issues = issues
  }
}

interface Place {
  readonly line: number
  readonly column: number
  readonly text: string | undefined
}

function locate(source: string, offset: number): Place {
  if (offset < 0) return { line: -1, column: -1, text: undefined }
  const before = source.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  const end = source.indexOf('\n', start)
  return {
    line: before.split('\n').length,
    column: Array.from(before.slice(start)).length,
    text: source === '' ? undefined : source.slice(start, end === -1 ? undefined : end),
  }
}

// The server leaves out a line that is longer.
const longestSnippet = 16_384

function showIssues(source: string, issues: readonly Issue[]): string {
  return issues
    .map((issue) => ({ issue, place: locate(source, issue.offset) }))
    .sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map(({ issue, place }) => showIssue(issue, place))
    .join('\n')
}

function showIssue(issue: Issue, place: Place): string {
  const head = `ERROR: <input>:${place.line}:${place.column + 1}: ${issue.message}`
  if (place.text === undefined || place.text.length > longestSnippet) return head
  const text = Array.from(place.text.replaceAll('\t', ' '))
  // Wide characters get wide marks, so that the arrow stands below its character.
  const marks = text.slice(0, place.column).map((character) => (character < '\u0080' ? '.' : '\uff0e'))
  const arrow = (text[place.column] ?? '') < '\u0080' ? '^' : '\uff3e'
  return `${head}\n | ${text.join('')}\n | ${marks.join('')}${arrow}`
}
