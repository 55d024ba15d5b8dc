import { dirname, isAbsolute, join, sep } from 'node:path'
import { isPlainObject } from '../../base/index.js'
import type { ConfigProblem } from './config-errors.js'
import { createFieldReader, type FieldReader } from './field-reader.js'
import type {
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExec,
  KubeconfigPlace,
  KubeconfigUser,
} from './kubeconfig.js'
import { present } from './present.js'
import { printable } from './printable.js'

/** The name that client-go reserves in a cluster's extensions for its exec plugin. */
const execExtension = 'client.authentication.k8s.io/exec'

/** Where a document comes from. */
interface KubeconfigSource {
  /** For people. */
  readonly source: string
  /**
   * The file, absolute: relative names in the document are relative to its directory. Absent: they are relative to the
   * working directory of the process.
   */
  readonly file?: string
}

/**
 * Reads a kubeconfig from untrusted data. Everything of the wrong type is reported, to the last field; unknown fields are
 * ignored, as in client-go, so that newer kubeconfigs work. Whether the entries make sense is checked for the chosen
 * context only.
 */
export function parseKubeconfig(
  document: unknown,
  origin: KubeconfigSource,
  problems: ConfigProblem[],
): Kubeconfig {
  const report = (path: string, message: string): void => {
    problems.push({ source: origin.source, ...(path !== '' && { path: printable(path) }), message })
  }
  if (document !== undefined && document !== null && !isPlainObject(document))
    report('', 'it is not a kubeconfig: expected an object with clusters, users and contexts')
  const root = createFieldReader(isPlainObject(document) ? document : {}, '', report)
  checkType(root)

  const directory = origin.file === undefined ? process.cwd() : dirname(origin.file)
  const resolve = (file: string | undefined): string | undefined =>
    file === undefined || isAbsolute(file) ? file : join(directory, file)
  const collect = <T>(
    list: string,
    member: string,
    parse: (fields: FieldReader, place: KubeconfigPlace) => T,
  ): ReadonlyMap<string, T> => {
    const entries = new Map<string, T>()
    for (const item of root.objects(list)) {
      const name = item.string('name') ?? ''
      const fields = item.object(member) ?? createFieldReader({}, `${item.at}.${member}`, report)
      if (entries.has(name))
        item.report(
          'name',
          `the name ${printable(JSON.stringify(name))} is there twice: rename or remove one`,
        )
      else entries.set(name, parse(fields, { ...origin, at: fields.at }))
    }
    return entries
  }

  const currentContext = root.string('current-context')
  return {
    sources: [origin.source],
    clusters: collect('clusters', 'cluster', (fields, place) => parseCluster(fields, place, resolve)),
    users: collect('users', 'user', (fields, place) => parseUser(fields, place, resolve)),
    contexts: collect('contexts', 'context', parseContext),
    ...(currentContext !== undefined && { currentContext }),
  }
}

function checkType(root: FieldReader): void {
  const [apiVersion, kind] = [root.string('apiVersion') ?? 'v1', root.string('kind') ?? 'Config']
  if (apiVersion !== 'v1' || kind !== 'Config')
    root.report('kind', 'it is not a kubeconfig: expected apiVersion v1 and kind Config')
}

type Resolve = (file: string | undefined) => string | undefined

function parseCluster(fields: FieldReader, place: KubeconfigPlace, resolve: Resolve): KubeconfigCluster {
  const execConfig = fields
    .objects('extensions')
    .find((extension) => extension.string('name') === execExtension)
    ?.value('extension')
  return {
    place,
    insecureSkipTlsVerify: fields.boolean('insecure-skip-tls-verify'),
    ...present({
      server: fields.string('server'),
      tlsServerName: fields.string('tls-server-name'),
      certificateAuthority: resolve(fields.string('certificate-authority')),
      certificateAuthorityData: fields.string('certificate-authority-data'),
      proxyUrl: fields.string('proxy-url'),
      execConfig,
    }),
  }
}

function parseContext(fields: FieldReader, place: KubeconfigPlace): KubeconfigContext {
  return {
    place,
    ...present({
      cluster: fields.string('cluster'),
      user: fields.string('user'),
      namespace: fields.string('namespace'),
    }),
  }
}

function parseUser(fields: FieldReader, place: KubeconfigPlace, resolve: Resolve): KubeconfigUser {
  const exec = fields.object('exec')
  const authProvider = fields.object('auth-provider')
  return {
    place,
    ...present({
      clientCertificate: resolve(fields.string('client-certificate')),
      clientCertificateData: fields.string('client-certificate-data'),
      clientKey: resolve(fields.string('client-key')),
      clientKeyData: fields.string('client-key-data'),
      token: fields.string('token'),
      tokenFile: resolve(fields.string('tokenFile')),
      username: fields.string('username'),
      password: fields.string('password'),
      as: fields.string('as'),
      asUid: fields.string('as-uid'),
      asGroups: nonEmpty(fields.strings('as-groups')),
      asUserExtra: nonEmpty(fields.stringsMap('as-user-extra')),
      exec: exec && parseExec(exec, resolve),
      authProvider: authProvider && parseAuthProvider(authProvider, resolve),
    }),
  }
}

function parseExec(fields: FieldReader, resolve: Resolve): KubeconfigExec {
  const command = fields.string('command')
  // A bare name is for PATH to find. Resolving it here would run whatever lies beside the kubeconfig.
  const isPath = command !== undefined && (command.includes('/') || command.includes(sep))
  return {
    args: fields.strings('args'),
    env: fields
      .objects('env')
      .map((item) => ({ name: item.string('name') ?? '', value: item.string('value') ?? '' })),
    provideClusterInfo: fields.boolean('provideClusterInfo'),
    ...present({
      apiVersion: fields.string('apiVersion'),
      command: isPath ? resolve(command) : command,
      installHint: fields.string('installHint'),
      interactiveMode: fields.string('interactiveMode'),
    }),
  }
}

function parseAuthProvider(fields: FieldReader, resolve: Resolve): KubeconfigAuthProvider {
  const config = fields.stringMap('config')
  const authority = resolve(config['idp-certificate-authority'] || undefined)
  return {
    config: authority === undefined ? config : { ...config, 'idp-certificate-authority': authority },
    ...present({ name: fields.string('name') }),
  }
}

function nonEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}
