import { KubewrightError } from '../base/index.js'

/** A key that the queue cannot tell from others: it is no string, and no string was made of it. */
export class InvalidQueueKeyError extends KubewrightError {
  constructor(value: unknown) {
    super(
      `A queue tells its keys apart by a string, but got ${shown(value)}: pass idOf when you create the queue, for example ` +
        'idOf: (key) => `${key.namespace}/${key.name}`.',
      { code: 'KW_QUEUE_INVALID_KEY' },
    )
  }
}

/** A priority that has no place in the order, such as NaN or "high". */
export class InvalidPriorityError extends KubewrightError {
  readonly priority: unknown

  constructor(priority: unknown) {
    super(
      `The priority ${shown(priority)} is not an integer: use 0 for ordinary work, more for urgent work, lowPriority (-100) for work that may wait.`,
      { code: 'KW_QUEUE_INVALID_PRIORITY' },
    )
    this.priority = priority
  }
}

/** A delay that is not a finite number of milliseconds from zero up: a timer would fire at once, or never. */
export class InvalidQueueDelayError extends KubewrightError {
  readonly delayMs: unknown

  constructor(delayMs: unknown) {
    super(
      `Cannot add a key to the queue after a delay of ${shown(delayMs)}: pass milliseconds as a finite number, zero or more. ` +
        'Thirty seconds are 30_000; a deadline that may have passed is Math.max(0, deadline - now).',
      { code: 'KW_QUEUE_INVALID_DELAY' },
    )
    this.delayMs = delayMs
  }
}

/** A setting with which a rate limiter would never wait, or wait for ever. */
export class InvalidRateLimitError extends KubewrightError {
  readonly option: string
  readonly value: unknown

  constructor(option: string, value: unknown, expected: string) {
    super(`The rate limiter's ${option} is ${shown(value)}: pass ${expected}.`, {
      code: 'KW_QUEUE_INVALID_RATE_LIMIT',
    })
    this.option = option
    this.value = value
  }
}

// The value came from a mistake and may be anything: nothing here may call into it.
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 200))
  if (typeof value === 'number' || value === undefined || value === null) return String(value)
  return `a value of type ${typeof value}`
}
