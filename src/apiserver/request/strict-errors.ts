import { goQuote } from '../../schema/internal.js'

const maxErrors = 100

/** Collects what strict decoding refuses, with the path to it. */
export class StrictErrors {
  readonly #texts = new Set<string>()
  readonly #path: string[] = []

  /** Each once, in the order in which they were found; at most 100, as the server. */
  get texts(): readonly string[] {
    return [...this.#texts]
  }

  enterField(name: string): void {
    this.#path.push(this.#path.length === 0 ? name : `.${name}`)
  }

  enterItem(index: number): void {
    this.#path.push(`[${index}]`)
  }

  leave(): void {
    this.#path.pop()
  }

  /** About a field of the current place. */
  add(problem: 'unknown' | 'duplicate', name: string): void {
    if (this.#texts.size >= maxErrors) return
    const path = this.#path.length === 0 ? name : `${this.#path.join('')}.${name}`
    this.#texts.add(`${problem} field ${goQuote(path)}`)
  }
}
