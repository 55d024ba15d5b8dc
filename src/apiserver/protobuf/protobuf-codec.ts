import type { ProtobufCodec } from '../output/protobuf-codec.js'
import type { ProtobufDecoder } from '../request/body.js'
import type { Router } from '../router.js'
import type { MessageCodec } from './message-codec.js'

/** The protobuf form of the built-in kinds, loaded when it is first wanted. */
export interface LazyProtobufCodec extends ProtobufCodec {
  /** Decodes bodies. Throws GoDecodeError. */
  readonly decode: ProtobufDecoder
  /** Makes the codec ready. Before that it knows no kind. */
  load(): Promise<void>
}

/** A codec that costs nothing until a request wants it: {@link loadProtobuf} sees to that. */
export function createProtobufCodec(): LazyProtobufCodec {
  let codec: MessageCodec | undefined
  const loaded = (): MessageCodec => {
    if (codec === undefined) throw new Error('The protobuf codec is used before it is loaded.')
    return codec
  }
  return {
    knows: (apiVersion, kind) => codec?.knows(apiVersion, kind) ?? false,
    encode: (object) => loaded().encode(object),
    decode: (bytes, expected) => loaded().decode(bytes, expected),
    async load() {
      if (codec !== undefined) return
      const { createMessageCodec } = await import('./message-codec.js')
      codec ??= createMessageCodec()
    },
  }
}

const mention = 'vnd.kubernetes.protobuf'

/** A router that loads the codec before the first request that speaks of protobuf, in what it sends or what it accepts. */
export function loadProtobuf(router: Router, codec: LazyProtobufCodec): Router {
  return async (request, ...more) => {
    const { accept = '', 'content-type': contentType = '' } = request.headers
    if (accept.includes(mention) || contentType.toLowerCase().includes(mention)) await codec.load()
    return router(request, ...more)
  }
}
