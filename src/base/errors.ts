/**
 * What every error of kubewright carries: a stable machine-readable code and the original cause.
 * Messages end in what to do next; code is what programs branch on, never the message.
 */
export interface ErrorOptionsWithCode {
  /** Stable, documented in docs/reference/errors.md. Starts with `KW_`. */
  readonly code: string
  readonly cause?: unknown
}

// Registered symbol, so that `isKubewrightError` holds across two copies of the package in one process.
const brand = Symbol.for('kubewright.error')

/** Root of all errors that kubewright throws on purpose. */
export class KubewrightError extends Error {
  readonly code: string

  constructor(message: string, options: ErrorOptionsWithCode) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.name = new.target.name
    Object.defineProperty(this, brand, { value: true })
  }
}

/** True for an error thrown by any copy of kubewright; with `code`, only for that code. */
export function isKubewrightError(error: unknown, code?: string): error is KubewrightError {
  return (
    error instanceof Error &&
    brand in error &&
    (code === undefined || ('code' in error && error.code === code))
  )
}

/** The compile-time proof that a union was handled to its last member. */
export function assertNever(value: never): never {
  throw new KubewrightError(
    `Unexpected value ${describe(value)}: this is a bug in kubewright, please report it.`,
    {
      code: 'KW_UNREACHABLE',
    },
  )
}

/**
 * Whatever was thrown, as an Error: `throw 'text'`, `throw undefined` and rejected promises of odd values included.
 * An Error is returned as it is.
 */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return new Error(typeof thrown === 'string' ? thrown : `Thrown value: ${describe(thrown)}`, {
    cause: thrown,
  })
}

function describe(thrown: unknown): string {
  try {
    return (JSON.stringify(thrown) ?? String(thrown)).slice(0, 500)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}
