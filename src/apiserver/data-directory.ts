import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainObject, KubewrightError } from '../base/index.js'
import { createCertificateAuthority, type KeyedCertificate } from '../base/x509/index.js'
import { type DurableStoreOptions, openDurableStore } from './store/durable-store.js'
import type { Store } from './store/store.js'

/** What a server keeps from one run to the next: give it to `createApiServer`. */
export interface ServerData {
  readonly store: Store
  readonly authority: KeyedCertificate
  readonly serviceAccountKey: string
}

/** The keys of a data directory cannot be read. */
export class ServerKeysError extends KubewrightError {
  constructor(path: string) {
    super(
      `The keys of the API server in ${path} cannot be read. Restore the file, or delete it for new ones: ` +
        'kubeconfigs and tokens that were made before are then of no use.',
      { code: 'KW_API_SERVER_KEYS' },
    )
  }
}

interface ServerKeys {
  readonly authority: KeyedCertificate
  readonly serviceAccountKey: string
}

/** Opens, or begins, the data of a server: its objects, and the keys by which clients know it and it knows clients. */
export async function openServerData(
  directory: string,
  options: DurableStoreOptions = {},
): Promise<ServerData> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const store = await openDurableStore(join(directory, 'store'), options)
  try {
    return { store, ...(await readKeys(join(directory, 'keys.json'))) }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function readKeys(path: string): Promise<ServerKeys> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ServerKeysError(path)
  })
  if (text !== undefined) return parseKeys(text, path)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const keys: ServerKeys = {
    authority: createCertificateAuthority({ commonName: 'kubewright' }),
    serviceAccountKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  // Whole or not at all, whenever the process ends.
  await writeFile(`${path}.new`, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return keys
}

function parseKeys(text: string, path: string): ServerKeys {
  try {
    const keys: unknown = JSON.parse(text)
    if (isPlainObject(keys) && isPlainObject(keys['authority'])) {
      const { cert, key } = keys['authority']
      const { serviceAccountKey } = keys
      if (typeof cert === 'string' && typeof key === 'string' && typeof serviceAccountKey === 'string')
        return { authority: { cert, key }, serviceAccountKey }
    }
  } catch {
    // Said below.
  }
  throw new ServerKeysError(path)
}
