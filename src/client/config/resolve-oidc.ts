import { createIdentityProvider } from '../auth/identity-provider.js'
import { createOidcCredentials } from '../auth/oidc-credentials.js'
import { writeTokensBack } from '../auth/oidc-write-back.js'
import type { CredentialSource } from './cluster-config.js'
import { ClusterConfigInvalidError, type ConfigProblem } from './config-errors.js'
import type { KubeconfigAuthProvider, KubeconfigUser } from './kubeconfig.js'
import { certificatesProblem, decodeBase64 } from './pem.js'
import { chooseProxy } from './proxy.js'
import { type ResolveContext, reportField } from './resolve-context.js'
import { ConfigFileError, readTextFile } from './text-file.js'

/** The identity provider of a user entry (auth-provider oidc). What is wrong with the entry is reported. */
export async function resolveOidc(
  user: KubeconfigUser,
  { name, config }: KubeconfigAuthProvider,
  userName: string,
  context: ResolveContext,
): Promise<CredentialSource | undefined> {
  const report = (field: string, message: string): void =>
    reportField(context, user.place, `auth-provider.${field}`, message)
  if (name !== 'oidc') {
    report(
      'name',
      'only oidc is supported; the others left Kubernetes with 1.26: use the exec plugin of your provider',
    )
    return undefined
  }
  const field = (key: string): string | undefined => config[key] || undefined
  const [issuer, clientId] = [field('idp-issuer-url'), field('client-id')]
  if (issuer === undefined)
    report('config.idp-issuer-url', 'it is missing: name the URL of the identity provider')
  if (clientId === undefined)
    report('config.client-id', 'it is missing: name the client that the provider knows')
  const authority = await readAuthority(config, report)
  if (issuer === undefined || clientId === undefined || authority === undefined) return undefined

  const [clientSecret, idToken, refreshToken] = [
    field('client-secret'),
    field('id-token'),
    field('refresh-token'),
  ]
  const { clock, log, env } = context
  const { file } = user.place
  return createOidcCredentials({
    issuer,
    provider: createIdentityProvider({
      issuer,
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(authority.pem !== undefined && { ca: authority.pem }),
      proxyFor(url) {
        const problems: ConfigProblem[] = []
        const proxyUrl = chooseProxy(url, { place: user.place }, env, problems)
        if (problems.length > 0) throw new ClusterConfigInvalidError(problems)
        return proxyUrl
      },
      clock,
    }),
    ...(idToken !== undefined && { idToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(context.oidcWriteBack &&
      file !== undefined && {
        save: (tokens, replaced) => writeTokensBack(file, { user: userName, tokens, replaced }),
      }),
    clock,
    log,
  })
}

/** The authorities to trust for the provider, if it names any; undefined when they are of no use. */
async function readAuthority(
  config: Readonly<Record<string, string>>,
  report: (field: string, message: string) => void,
): Promise<{ readonly pem?: string } | undefined> {
  const [file, data] = [config['idp-certificate-authority'], config['idp-certificate-authority-data']]
  if (!file && !data) return {}
  const field = `config.idp-certificate-authority${data ? '-data' : ''}`
  try {
    const pem = data ? decodeBase64(data) : await readTextFile(file ?? '')
    const problem =
      pem === undefined ? 'it is not base64: encode the PEM file again' : certificatesProblem(pem)
    if (pem !== undefined && problem === undefined) return { pem }
    report(field, problem ?? '')
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error
    report(field, error.message)
  }
  return undefined
}
