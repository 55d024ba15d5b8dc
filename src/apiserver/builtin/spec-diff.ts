import { goJson } from '../../schema/internal.js'

/** How the server shows what changed in something that may not change: a unified diff of indented JSON. */
export function specDiff(old: unknown, changed: unknown): string {
  return `${goJson(old)}\n${goJson(changed)}`
}
