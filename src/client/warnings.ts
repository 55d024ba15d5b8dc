import { printable } from './config/printable.js'

/** Something the server wants the author of a request to know: a deprecated API, an unknown field. */
export interface ServerWarning {
  /** Safe to print: control characters are escaped, the length is limited. */
  readonly text: string
  /** The request that first brought it: `create foos.example.com default/foo-sample`. */
  readonly request: string
}

/** Reads Warning headers and tells each new text once. */
export interface WarningReader {
  read(header: string | readonly string[] | undefined, request: string): void
}

const maxTextLength = 1_000
// A server that invents a new text for each request must not fill the memory.
const maxRemembered = 1_000

/** Remembers what it has told. */
export function createWarningReader(onWarning: (warning: ServerWarning) => void): WarningReader {
  const told = new Set<string>()
  return {
    read(header, request) {
      if (header === undefined) return
      for (const value of typeof header === 'string' ? [header] : header) {
        for (const raw of warningTexts(value)) {
          const text = printable(raw.slice(0, maxTextLength))
          if (told.has(text)) continue
          if (told.size >= maxRemembered) told.clear()
          told.add(text)
          onWarning({ text, request })
        }
      }
    },
  }
}

/** The texts of all 299 warnings in one header: `299 - "text"`, several separated by commas. */
function* warningTexts(header: string): Generator<string> {
  const warning = /\s*(\d{3}) +(\S+) +"((?:[^"\\]|\\.)*)"(?: +"[^"]*")?\s*(?:,|$)/y
  for (let match = warning.exec(header); match !== null; match = warning.exec(header)) {
    const [, code, , text = ''] = match
    if (code === '299' && text !== '') yield text.replace(/\\(.)/g, '$1')
    if (warning.lastIndex >= header.length) return
  }
}
