import type { TypeMeta } from './parse-body.js'

/** A body cannot be decoded. The message is what Go's decoders say; the callers put it into an answer. */
export class GoDecodeError extends Error {
  /** What the body says it is, where that could still be read. */
  readonly meta: TypeMeta | undefined

  constructor(message: string, meta?: TypeMeta) {
    super(message)
    this.name = 'GoDecodeError'
    this.meta = meta
  }
}
