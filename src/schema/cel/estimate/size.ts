/** How large a text, a list or a map may be. */
export interface Size {
  readonly min: number
  readonly max: number
}

/** The server counts in 64 bits and stops there; whatever comes near it is far beyond every limit. */
export const unlimited: number = 2 ** 64

export const unknownSize: Size = { min: 0, max: unlimited }

export function fixedSize(size: number): Size {
  return { min: size, max: size }
}

/** Never more than {@link unlimited}. */
export function add(left: number, right: number): number {
  return Math.min(left + right, unlimited)
}

/** Never more than {@link unlimited}. */
export function multiply(left: number, right: number): number {
  return Math.min(left * right, unlimited)
}

/** Rounded up. */
export function byFactor(size: number, factor: number): number {
  return Math.min(Math.ceil(size * factor), unlimited)
}

export function addSizes(left: Size, right: Size): Size {
  return { min: add(left.min, right.min), max: add(left.max, right.max) }
}

export function multiplySizes(left: Size, right: Size): Size {
  return { min: multiply(left.min, right.min), max: multiply(left.max, right.max) }
}

/** What covers both. */
export function unionOf(left: Size, right: Size): Size {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) }
}
