import { createCertificateFileCredentials } from '../auth/certificate-files.js'
import { combineCredentials } from '../auth/combined-credentials.js'
import {
  basicCredentials,
  bearerCredentials,
  createCredentials,
  createStaticCredentials,
  isHeaderToken,
} from '../auth/credentials.js'
import { createTokenFileCredentials } from '../auth/token-file.js'
import type { CredentialSource } from './cluster-config.js'
import type { KubeconfigUser } from './kubeconfig.js'
import { decodeBase64, keyPairProblem } from './pem.js'
import { type ResolveContext, reportField } from './resolve-context.js'
import { type ExecTarget, resolveExec } from './resolve-exec.js'
import { resolveOidc } from './resolve-oidc.js'
import { ConfigFileError, readTextFile } from './text-file.js'

/**
 * The credentials of a user entry. As in client-go a token or password fills the Authorization header, a certificate may
 * come beside it, an identity provider is asked only if the header is free, and a plugin only if there is nothing else.
 * Files are read once here, so that a mistake shows at the start; plugins and providers wait for the first request.
 */
export async function resolveCredentials(
  user: KubeconfigUser,
  options: { readonly userName: string; readonly target: ExecTarget },
  context: ResolveContext,
): Promise<CredentialSource> {
  const certificate = await resolveCertificate(user, context)
  const header = await resolveHeader(user, context)
  if (user.exec !== undefined && user.authProvider !== undefined)
    reportField(context, user.place, 'auth-provider', 'exec is there too: remove one of them')
  // Checked even when something else takes precedence: a plugin that would not work is a mistake either way.
  const plugin = user.exec && resolveExec(user, user.exec, options.target, context)
  const provider =
    header === undefined && user.authProvider !== undefined
      ? await resolveOidc(user, user.authProvider, options.userName, context)
      : undefined

  const authorization = header ?? provider
  if (authorization !== undefined && certificate !== undefined)
    return combineCredentials(authorization, certificate)
  return authorization ?? certificate ?? plugin ?? createStaticCredentials(createCredentials({}))
}

async function resolveHeader(
  user: KubeconfigUser,
  context: ResolveContext,
): Promise<CredentialSource | undefined> {
  const { token, tokenFile, username, password, place } = user
  const hasPassword = username !== undefined || password !== undefined
  if (token !== undefined && hasPassword)
    reportField(context, place, 'token', 'username or password is there too: remove one of them')
  if (token !== undefined && !isHeaderToken(token))
    reportField(context, place, 'token', 'it holds spaces or control characters: copy it again')
  if (tokenFile !== undefined) {
    const { clock, log } = context
    const source = createTokenFileCredentials({
      file: tokenFile,
      ...(token !== undefined && { initialToken: token }),
      clock,
      log,
    })
    await reportFile(context, user, 'tokenFile', () => source.get())
    return source
  }
  if (token !== undefined) return createStaticCredentials(bearerCredentials(token))
  return hasPassword ? createStaticCredentials(basicCredentials(username ?? '', password ?? '')) : undefined
}

async function resolveCertificate(
  user: KubeconfigUser,
  context: ResolveContext,
): Promise<CredentialSource | undefined> {
  const { clientCertificate, clientCertificateData, clientKey, clientKeyData, place } = user
  if (clientCertificate === undefined && clientCertificateData === undefined) return undefined
  if (clientCertificate !== undefined && clientCertificateData !== undefined)
    reportField(
      context,
      place,
      'client-certificate',
      'client-certificate-data is there too: remove one of them',
    )
  if (clientKey !== undefined && clientKeyData !== undefined)
    reportField(context, place, 'client-key', 'client-key-data is there too: remove one of them')
  if (clientKey === undefined && clientKeyData === undefined) {
    reportField(
      context,
      place,
      'client-key',
      'it is missing: a client certificate needs client-key or client-key-data',
    )
    return undefined
  }

  const { clock, log } = context
  if (
    clientCertificate !== undefined &&
    clientCertificateData === undefined &&
    clientKey !== undefined &&
    clientKeyData === undefined
  ) {
    const source = createCertificateFileCredentials({
      certFile: clientCertificate,
      keyFile: clientKey,
      clock,
      log,
    })
    await reportFile(context, user, 'client-certificate', () => source.get())
    return source
  }

  const read = (
    field: string,
    data: string | undefined,
    file: string | undefined,
  ): Promise<string | undefined> =>
    reportFile(context, user, field, async () => {
      if (data === undefined) return file === undefined ? undefined : readTextFile(file)
      const pem = decodeBase64(data)
      if (pem === undefined)
        reportField(context, place, `${field}-data`, 'it is not base64: encode the PEM file again')
      return pem
    })
  const cert = await read('client-certificate', clientCertificateData, clientCertificate)
  const key = await read('client-key', clientKeyData, clientKey)
  if (cert === undefined || key === undefined) return undefined
  const problem = keyPairProblem(cert, key)
  if (problem !== undefined) reportField(context, place, 'client-certificate-data', problem)
  return createStaticCredentials(createCredentials({ clientCertificate: { cert, key } }))
}

/** Turns a file that is of no use into a problem with the field that names it. */
async function reportFile<T>(
  context: ResolveContext,
  user: KubeconfigUser,
  field: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error
    reportField(context, user.place, field, error.message)
    return undefined
  }
}
