import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { KubewrightError, toError } from '../base/index.js'

/** The file for the kubeconfig holds something that is not ours. */
class KubeconfigExistsError extends KubewrightError {
  readonly path: string

  constructor(path: string) {
    super(
      `${path} exists and was not written by kubewright; it was left as it is. Name another file with --kubeconfig.`,
      { code: 'KW_KUBECONFIG_EXISTS' },
    )
    this.path = path
  }
}

/** The kubeconfig cannot be written where it should be. */
class KubeconfigUnwritableError extends KubewrightError {
  readonly path: string

  constructor(path: string, cause: unknown) {
    super(
      `The kubeconfig cannot be written to ${path} (${toError(cause).message}). Name another file with --kubeconfig.`,
      { code: 'KW_KUBECONFIG_UNWRITABLE', cause },
    )
    this.path = path
  }
}

/** A kubeconfig that was written for others to find. */
export interface KubeconfigFile {
  readonly path: string
  /** Deletes it, unless somebody has put another one there in the meantime. */
  remove(): Promise<void>
}

/** Writes a kubeconfig of ours, whole or not at all. It holds secrets: only its owner may read it. */
export async function writeKubeconfig(path: string, text: string): Promise<KubeconfigFile> {
  await assertReplaceable(path)
  try {
    await writeFile(`${path}.new`, text, { mode: 0o600 })
    await rename(`${path}.new`, path)
  } catch (error) {
    throw new KubeconfigUnwritableError(path, error)
  }
  return {
    path,
    async remove() {
      if ((await readFile(path, 'utf8').catch(() => undefined)) === text) await rm(path)
    },
  }
}

/**
 * Only a file that is absent, empty or an older one of ours may be written: the path may be that of `~/.kube/config`.
 * To be asked before anything is started.
 */
export async function assertReplaceable(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new KubeconfigUnwritableError(path, error)
  })
  if (text.trim() !== '' && !ownKubeconfig.test(text)) throw new KubeconfigExistsError(path)
}

const ownKubeconfig = /^\{\s*"apiVersion": "v1",\s*"kind": "Config",\s*"current-context": "kubewright"/
