import { formatQuantity, parseQuantity } from '../../objects/index.js'
import { GoDecodeError } from './go-decode-error.js'

// As the message has it, but with one way to read a text: another takes quadratic time.
const quantityForm = /^[+-]?[0-9.]+(?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/

/** A quantity as the server keeps it. Throws {@link GoDecodeError} with Go's words. */
export function normalizeQuantity(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'bigint' ? String(value).trim() : 'x'
  try {
    return formatQuantity(parseQuantity(text))
  } catch {
    throw new GoDecodeError(
      quantityForm.test(text)
        ? "unable to parse quantity's suffix"
        : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  }
}
