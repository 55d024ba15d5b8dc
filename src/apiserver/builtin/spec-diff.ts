import { type InternalType, internalJson } from './internal-form/internal-json.js'
import { unifiedDiff } from './unified-diff.js'

/** How the server shows what changed in something that may not change. */
export function specDiff(type: InternalType, old: unknown, changed: unknown): string {
  return unifiedDiff(indented(internalJson(type, old)), indented(internalJson(type, changed)))
}

/** JSON with a space for each level, as Go indents it: what is empty stays on one line, HTML is escaped. */
function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, ' ').replace(
    /[<>&]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}
