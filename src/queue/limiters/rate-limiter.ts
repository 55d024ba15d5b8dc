import { InvalidRateLimitError } from '../errors.js'

/** Decides how long a key waits before it is tried again. Keys are in their string form. */
export interface RateLimiter {
  /** Counts one more try of the key, and says how many milliseconds from now it may begin. Finite, never negative. */
  when(id: string): number
  /** The key is well again, or given up: its next try is its first. What is never forgotten is remembered for ever. */
  forget(id: string): void
  /** How many tries of the key were counted since it was last forgotten. */
  retries(id: string): number
}

/** Throws InvalidRateLimitError for anything but a finite number from `least` up. */
export function checkLimit(option: string, value: number, least: number): void {
  if (!Number.isFinite(value) || value < least)
    throw new InvalidRateLimitError(option, value, `a finite number, ${least} or more`)
}

/** Throws InvalidRateLimitError for anything but a finite number above zero. */
export function checkPositive(option: string, value: number): void {
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidRateLimitError(option, value, 'a finite number above zero')
}
