import { formatUtcTime, KubewrightError, parseUtcTime } from '../base/index.js'

/** The text or number is not a time that Kubernetes could hold. */
export class InvalidTimeError extends KubewrightError {
  constructor(value: string | number, next: string) {
    super(`${JSON.stringify(value)} is not a time: ${next}.`, { code: 'KW_TIME_INVALID' })
  }
}

/**
 * `2026-08-20T09:30:00Z`, the form of `metav1.Time`: `creationTimestamp`, `lastTransitionTime`. Takes milliseconds since
 * 1970 (`clock.now()`) and drops what is below a second. Throws {@link InvalidTimeError} outside the years 0 to 9999.
 */
export function formatTime(epochMs: number): string {
  return formatUtcTime(epochMs, 0) ?? failToFormat(epochMs)
}

/**
 * `2026-08-20T09:30:00.123456Z`, the form of `metav1.MicroTime`: a Lease, an Event. Always six digits, or the server
 * answers 400. Takes milliseconds since 1970, with a fraction where one is known. Throws {@link InvalidTimeError}.
 */
export function formatMicroTime(epochMs: number): string {
  return formatUtcTime(epochMs, 6) ?? failToFormat(epochMs)
}

/**
 * Milliseconds since 1970 of a time in RFC 3339, with any offset and any number of fraction digits; what is below a
 * microsecond is dropped. Throws {@link InvalidTimeError}.
 */
export function parseTime(text: string): number {
  const epochMs = parseUtcTime(text)
  if (epochMs === undefined)
    throw new InvalidTimeError(text.slice(0, 60), 'write it like 2026-08-20T09:30:00Z')
  return epochMs
}

function failToFormat(epochMs: number): never {
  throw new InvalidTimeError(epochMs, 'pass milliseconds since 1970, as clock.now() returns them')
}
