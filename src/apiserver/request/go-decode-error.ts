/** A body cannot be decoded. The message is what Go's decoders say; the callers put it into an answer. */
export class GoDecodeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GoDecodeError'
  }
}
