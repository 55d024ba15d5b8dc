import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
  mastersGroup,
  openServerData,
  type ServerData,
} from '../apiserver/index.js'
import { isKubewrightError, KubewrightError, toError } from '../base/index.js'
import { toKubeconfig } from '../client/index.js'
import { assertReplaceable, writeKubeconfig } from './kubeconfig-file.js'

/** Where a server listens and what it keeps. */
export interface ServeOptions {
  /** An address of this machine: 127.0.0.1 unless said otherwise. */
  readonly host?: string
  /** The one of the last run where there is a data directory, else any free one, unless said otherwise. */
  readonly port?: number
  /** Listen where other machines can reach it. */
  readonly expose?: boolean
  /** Keep objects, keys and port here. Without it, nothing outlives the server. */
  readonly dataDir?: string
  /** Write the kubeconfig to this file, and not into the data directory or a temporary one. */
  readonly kubeconfig?: string
  readonly server?: Pick<
    ApiServerOptions,
    'anonymous' | 'controllers' | 'disabledAdmission' | 'log' | 'rbac' | 'simulation'
  >
}

/** An API server that others can reach. */
export interface ServedApi extends AsyncDisposable {
  readonly server: ApiServer
  readonly url: string
  /** The path of the administrator's kubeconfig. Without a data directory it goes with the server. */
  readonly kubeconfig: string
}

/** The data directory cannot be read or written at all. */
class DataDirectoryError extends KubewrightError {
  readonly directory: string

  constructor(directory: string, cause: unknown) {
    super(
      `The data directory ${directory} cannot be used (${toError(cause).message}). Correct its permissions, or name another one with --data-dir.`,
      { code: 'KW_DATA_DIRECTORY', cause },
    )
    this.directory = directory
  }
}

/** Starts the embedded API server for other programs: listens, and writes a kubeconfig. */
export async function serveApi(options: ServeOptions): Promise<ServedApi> {
  const { host = '127.0.0.1', expose = false, dataDir } = options
  if (options.kubeconfig !== undefined) await assertReplaceable(options.kubeconfig)
  const data = dataDir === undefined ? undefined : await openData(dataDir)
  const server = await createApiServer({ ...options.server, ...data }).catch(async (error: unknown) => {
    await data?.store.close()
    throw error
  })
  const ends: (() => Promise<unknown>)[] = [() => server.stop()]
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  try {
    const portFile = dataDir === undefined ? undefined : join(dataDir, 'port')
    const { port } = await server.listen({ host, port: options.port ?? (await readPort(portFile)), expose })
    if (portFile !== undefined) await writeFile(portFile, `${port}\n`)
    const url = `https://${urlHost(host)}:${port}`

    const path = options.kubeconfig ?? join(dataDir ?? (await temporaryFolder(ends)), 'kubeconfig')
    const file = await writeKubeconfig(path, kubeconfigText(server, url))
    // With a data directory, the next run is the same server to its clients: what they know of it stays true.
    if (dataDir === undefined) ends.push(() => file.remove())
    return { server, url, kubeconfig: path, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function temporaryFolder(ends: (() => Promise<unknown>)[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function openData(dataDir: string): Promise<ServerData> {
  try {
    return await openServerData(dataDir)
  } catch (error) {
    throw isKubewrightError(error) ? error : new DataDirectoryError(dataDir, error)
  }
}

/** The port of the last run; 0, for any free one, when there was none. */
async function readPort(portFile: string | undefined): Promise<number> {
  if (portFile === undefined) return 0
  const text = await readFile(portFile, 'utf8').catch(() => '')
  const port = /^\d{1,5}\s*$/.test(text) ? Number(text) : 0
  return port < 65_536 ? port : 0
}

/** Where clients on this machine find a server that listens there. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function kubeconfigText(server: ApiServer, url: string): string {
  const document = toKubeconfig({
    name: 'kubewright',
    server: url,
    certificateAuthority: server.authority.cert,
    clientCertificate: server.issueClientCertificate({ name: 'kubernetes-admin', groups: [mastersGroup] }),
  })
  return `${JSON.stringify(document, undefined, 2)}\n`
}
