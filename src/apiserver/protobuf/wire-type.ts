import type { WireReader } from './wire-reader.js'
import type { WireWriter } from './wire-writer.js'

/** A type that values of fields have: how they stand in protobuf, and what they are in JSON. */
export interface WireType {
  /** 0 is a varint, 1 has eight bytes, 2 has its length in front. */
  readonly wire: 0 | 1 | 2
  /** Whether nothing at all is another value than the empty one, as it is for bytes. */
  readonly isNullable?: boolean
  /** Writes the content, without tag and length. What is undefined or null is the zero value. */
  write(out: WireWriter, value: unknown): void
  /**
   * Reads the content. For those with a length it goes up to `end`; others may reach as far as that. A field may be there
   * several times: `before` is what was read of it.
   */
  read(input: WireReader, end: number, before: unknown): unknown
  /** What JSON has where nothing was said. */
  zero(): unknown
}
