import type { ProtobufCodec, ProtobufSource } from '../output/protobuf-codec.js'
import type { ProtobufDecoder } from '../request/body.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import type { TypeMeta } from '../request/parse-body.js'
import { open, seal } from './envelope.js'
import { createMessageTable } from './message-table.js'
import { WireWriter } from './wire-writer.js'

export interface MessageCodec extends ProtobufCodec {
  encode(object: ProtobufSource): Buffer
  readonly decode: ProtobufDecoder
}

/** The codec itself, with its table. */
export function createMessageCodec(): MessageCodec {
  const table = createMessageTable()
  const out = new WireWriter()
  return {
    knows: (apiVersion, kind) => table.kind(apiVersion, kind) !== undefined,

    encode(object) {
      const { apiVersion, kind } = object
      const message = table.kind(apiVersion, kind)
      if (message === undefined) throw new RangeError(`${kind} of ${apiVersion} has no protobuf form`)
      return seal(out, { apiVersion, kind }, () => message.write(out, object))
    },

    decode(bytes, expected) {
      const { input, end, ...given } = open(bytes)
      const meta = withDefaults(given, expected)
      const apiVersion = meta.group === '' ? meta.version : `${meta.group}/${meta.version}`
      const object: { kind: string; apiVersion: string; [field: string]: unknown } = {
        kind: meta.kind,
        apiVersion,
      }
      const message = table.kind(apiVersion, meta.kind)
      // Whoever asked sees that it is not what was expected, and says so.
      if (message === undefined) return object
      try {
        message.readInto(input, end, object)
        return object
      } catch (error) {
        throw error instanceof GoDecodeError ? new GoDecodeError(error.message, meta) : error
      }
    },
  }
}

/** An object may leave its type to the place that it is sent to. */
function withDefaults(
  given: { readonly apiVersion: string; readonly kind: string },
  expected: TypeMeta,
): TypeMeta {
  const parts = given.apiVersion.split('/')
  const [version = '', group = ''] = parts.length > 2 ? [] : parts.toReversed()
  const kind = given.kind === '' ? expected.kind : given.kind
  return version === '' ? { ...expected, kind } : { group, version, kind }
}
