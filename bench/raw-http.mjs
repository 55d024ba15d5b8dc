// HTTP/1.1 by hand on one TLS connection: the load must cost the machine as little as possible, because it shares its
// cores with what is measured. One request at a time; answers are read whole, or handed on as they come.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'

/** What a kubeconfig as kubewright writes it (JSON, certificates inside) says of the way in. */
export function accessFrom(kubeconfig) {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8'))
  const [{ cluster }] = clusters
  const [{ user }] = users
  const pem = (text) => Buffer.from(text, 'base64')
  const { hostname, port } = new URL(cluster.server)
  return {
    host: hostname,
    port: Number(port),
    ca: pem(cluster['certificate-authority-data']),
    cert: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
  }
}

export async function openConnection(access) {
  const socket = connect({ ...access, ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  socket.setNoDelay(true)
  let answer = readAnswer()
  let settle
  socket.on('data', (chunk) => {
    const whole = answer(chunk)
    if (whole === undefined) return
    answer = readAnswer()
    settle.resolve(whole)
  })
  for (const event of ['error', 'close'])
    socket.on(event, (error) =>
      settle?.reject(new Error(`The connection has ended: ${error?.message ?? event}`)),
    )

  const send = (method, path, body, contentType) => {
    const content =
      body === undefined
        ? ''
        : `content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: bench\r\naccept: application/json\r\n${content}\r\n${body ?? ''}`,
    )
  }
  return {
    /** Resolves to { status, body }. */
    request(method, path, body, contentType = 'application/json') {
      return new Promise((resolve, reject) => {
        settle = { resolve, reject }
        send(method, path, body, contentType)
      })
    },
    /** Gives the connection up to a watch. Resolves when it has begun; calls back for each event, and does not read it. */
    async watch(path, onEvent) {
      socket.removeAllListeners('data')
      send('GET', path)
      const [head] = await once(socket, 'data')
      if (!head.toString('latin1').startsWith('HTTP/1.1 200 ')) throw new Error(head.toString())
      let before = head.at(-1)
      const onData = (chunk) => {
        // Events end with a bare line feed; those of the chunked coding follow a carriage return.
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1))
          if ((at === 0 ? before : chunk[at - 1]) !== 13) onEvent()
        before = chunk.at(-1)
      }
      socket.on('data', onData)
      onData(head.subarray(head.indexOf('\r\n\r\n') + 4))
    },
    close: () => socket.destroy(),
  }
}

/** Takes the pieces of an answer as they come; gives the answer with the last of them. */
function readAnswer() {
  const pieces = []
  let missing
  let status
  return (piece) => {
    pieces.push(piece)
    if (status === undefined) {
      const bytes = Buffer.concat(pieces.splice(0))
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1) return void pieces.push(bytes)
      const head = bytes.subarray(0, end).toString('latin1')
      const length = /^content-length: *(\d+)/im.exec(head)?.[1]
      status = Number(head.slice(9, 12))
      pieces.push(bytes.subarray(end + 4))
      if (length !== undefined) missing = Number(length) - pieces[0].length
    } else if (missing !== undefined) missing -= piece.length
    if (missing !== undefined) return missing > 0 ? undefined : { status, body: Buffer.concat(pieces) }
    // The last chunk is an empty one. Its bytes may also be the end of a piece by chance: then the rest shows it.
    if (pieces.at(-1).length >= 5 && !pieces.at(-1).subarray(-5).equals(lastChunk)) return undefined
    const body = dechunked(Buffer.concat(pieces))
    return body && { status, body }
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

/** Undefined if the last chunk is not there. */
function dechunked(bytes) {
  const parts = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    if (size === 0) return Buffer.concat(parts)
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
