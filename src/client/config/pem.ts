import { createPrivateKey, X509Certificate } from 'node:crypto'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Decodes standard base64 (line breaks allowed) to text; undefined for anything else, where Node would guess. */
export function decodeBase64(encoded: string): string | undefined {
  const compact = encoded.replace(/[\r\n]/g, '')
  return compact.length % 4 === 0 && base64.test(compact)
    ? Buffer.from(compact, 'base64').toString('utf8')
    : undefined
}

interface PemBlock {
  readonly label: string
  readonly text: string
}

const border = /^-----(BEGIN|END) ([A-Z0-9 ]+)-----$/

/** The blocks of a PEM text; undefined when one of them is cut off, as in a file that is being written. */
function pemBlocks(text: string): readonly PemBlock[] | undefined {
  const blocks: PemBlock[] = []
  let open: { readonly label: string; readonly lines: string[] } | undefined
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    const [, side, label] = border.exec(line) ?? []
    if (side === 'BEGIN' && label !== undefined) {
      if (open !== undefined) return undefined
      open = { label, lines: [line] }
    } else if (open !== undefined) {
      open.lines.push(line)
      if (side === 'END') {
        if (label !== open.label) return undefined
        blocks.push({ label: open.label, text: `${open.lines.join('\n')}\n` })
        open = undefined
      }
    }
  }
  return open === undefined ? blocks : undefined
}

/** What is wrong with a bundle of certificates, in words; undefined when each one of at least one can be parsed. */
export function certificatesProblem(pem: string): string | undefined {
  const blocks = pemBlocks(pem)
  if (blocks === undefined) return 'a PEM block is cut off: write the file again'
  const certificates = blocks.filter((block) => block.label === 'CERTIFICATE')
  if (certificates.length === 0) return 'it holds no PEM certificate: expected -----BEGIN CERTIFICATE-----'
  const bad = certificates.findIndex((block) => parseCertificate(block.text) === undefined)
  return bad === -1 ? undefined : `certificate ${bad + 1} cannot be parsed: write the file again`
}

/** What is wrong with a client certificate and its key, in words; undefined when they belong together. */
export function keyPairProblem(cert: string, key: string): string | undefined {
  const problem = certificatesProblem(cert)
  if (problem !== undefined) return `client certificate: ${problem}`
  const blocks = pemBlocks(key)
  const block = blocks?.find(({ label }) => label.endsWith('PRIVATE KEY'))
  if (blocks === undefined) return 'client key: a PEM block is cut off: write the file again'
  if (block === undefined)
    return 'client key: it holds no PEM private key: expected -----BEGIN PRIVATE KEY-----'
  if (block.label.startsWith('ENCRYPTED') || /^Proc-Type:.*ENCRYPTED/m.test(block.text))
    return 'client key: it is encrypted, and nobody is there to type the passphrase: decrypt it with openssl pkey'
  try {
    const leaf = pemBlocks(cert)?.find(({ label }) => label === 'CERTIFICATE')
    if (leaf !== undefined && new X509Certificate(leaf.text).checkPrivateKey(createPrivateKey(block.text)))
      return undefined
    return 'the client key does not belong to the client certificate: use a matching pair'
  } catch {
    return 'client key: it cannot be parsed: write the file again'
  }
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
