/**
 * One event of a watch in protobuf: a WatchEvent, its length before it in four bytes. `object` has its envelope.
 */
export function watchFrame(type: string, object: Uint8Array): Buffer {
  const extension = field(1, object)
  const event = Buffer.concat([field(1, Buffer.from(type)), field(2, extension)])
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(event.length)
  return Buffer.concat([length, event])
}

/** A field of bytes: its number and wire type, its length, its content. */
function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(content.length), content])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}
