import { createReadStream } from 'node:fs'
import { KubewrightError } from '../../base/index.js'
import { printable } from './printable.js'

/** Larger than any kubeconfig or bundle in use, small enough that parsing it cannot stall the process. */
const maxBytes = 4 * 1024 * 1024

const nextSteps: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist: create it or correct the path',
  EACCES: 'it may not be read: make it readable for the user of this process',
  EPERM: 'it may not be read: make it readable for the user of this process',
  EISDIR: 'it is a directory: name a file',
  'too-large': `it is larger than ${maxBytes / 1024 / 1024} MiB: split it or name the right file`,
  'not-utf8': 'it is not UTF-8 text: save it as UTF-8',
  empty: 'it is empty: write the credential into it',
}

/** A file that the configuration names cannot be read or used. */
export class ConfigFileError extends KubewrightError {
  readonly file: string
  /** An errno (`ENOENT`), or what is wrong with the content: `too-large`, `not-utf8`, `empty`, `invalid`. */
  readonly reason: string

  constructor(options: { readonly file: string; readonly reason: string; readonly detail?: string }) {
    const { file, reason, detail } = options
    super(
      `Cannot use ${printable(file)}: ${detail ?? nextSteps[reason] ?? `reading it failed (${reason}): check the file and its disk`}.`,
      { code: 'KW_CONFIG_FILE' },
    )
    this.file = file
    this.reason = reason
  }
}

/**
 * The whole text of a small file. Pipes work too (`--kubeconfig <(...)`), so the limit is on what is read, not on what
 * the file system says. Fails with {@link ConfigFileError}.
 */
export async function readTextFile(file: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of createReadStream(file)) {
      // Proof: without an encoding a read stream yields Buffers.
      const bytes = chunk as Buffer
      size += bytes.length
      if (size > maxBytes) throw new ConfigFileError({ file, reason: 'too-large' })
      chunks.push(bytes)
    }
  } catch (error) {
    if (error instanceof ConfigFileError) throw error
    throw new ConfigFileError({ file, reason: errorCode(error) })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new ConfigFileError({ file, reason: 'not-utf8' })
  }
}

/** The `code` of a Node error. The message is left out on purpose: Node quotes offending values in some of them. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}
