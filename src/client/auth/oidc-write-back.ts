import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { KubewrightError } from '../../base/index.js'
import { errorCode } from '../config/text-file.js'
import { editTokens, type TokenChange } from './edit-tokens.js'

/** New tokens could not be written to the kubeconfig. The file is as it was. */
class TokenWriteBackError extends KubewrightError {
  readonly file: string

  constructor(file: string, detail: string) {
    super(`Cannot write tokens back to ${file}: ${detail}.`, { code: 'KW_TOKEN_WRITE_BACK' })
    this.file = file
  }
}

/**
 * Writes new tokens into the entry of one user in one kubeconfig, and nothing else: comments, order and the other
 * entries stay. The file is replaced in one step, so that nobody ever reads half of it, under the lock that kubectl uses. If
 * somebody logged in meanwhile, their tokens stay and ours are dropped. Fails with {@link TokenWriteBackError}.
 */
export async function writeTokensBack(target: string, change: TokenChange): Promise<void> {
  // A link to a kubeconfig stays a link.
  const file = await realpath(target).catch((error: unknown) => fail(target, error))
  const lock = `${file}.lock`
  const handle = await open(lock, 'wx').catch((error: unknown) => fail(lock, error))
  await handle.close()
  try {
    const edited = await editTokens(await readFile(file, 'utf8'), change)
    if (edited.kind === 'unsafe')
      throw new TokenWriteBackError(
        file,
        'it is written in an unusual way: write the entry of the user in plain YAML',
      )
    if (edited.kind === 'edited') await replaceFile(file, edited.text)
  } catch (error) {
    fail(file, error)
  } finally {
    await rm(lock, { force: true })
  }
}

function fail(file: string, error: unknown): never {
  if (error instanceof TokenWriteBackError) throw error
  const code = errorCode(error)
  const detail =
    code === 'EEXIST'
      ? 'another process is changing the kubeconfig (remove the file if none is)'
      : `${code}: check the rights of the file and its directory`
  throw new TokenWriteBackError(file, detail)
}

async function replaceFile(file: string, text: string): Promise<void> {
  const { mode } = await stat(file)
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    // Created for the owner alone: the content is secret before it has its final rights.
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await chmod(temporary, mode & 0o777)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
