import { X509Certificate } from 'node:crypto'
import type { FieldError } from '../../schema/index.js'
import {
  dns1035LabelProblems,
  dnsSubdomainProblems,
  forbidden,
  goJson,
  invalid,
  invalidAs,
  required,
  unsupported,
} from '../../schema/internal.js'
import type { CrdClientConfig, CrdConversion } from './definition.js'

const strategies = ['None', 'Webhook']
const reviewVersions = ['v1', 'v1beta1']

/** What is wrong with the conversion of a CRD. A bundle of certificates is looked at only when it must be right. */
export function conversionErrors(
  conversion: CrdConversion,
  path: string,
  { requiresBundle }: { readonly requiresBundle: boolean },
): FieldError[] {
  const { strategy, webhook } = conversion
  const errors: FieldError[] = []
  if (strategy === '') errors.push(required(`${path}.strategy`))
  else if (!strategies.includes(strategy)) errors.push(unsupported(`${path}.strategy`, strategy, strategies))
  const clientConfig = webhook?.clientConfig
  const versions = webhook?.conversionReviewVersions ?? []
  const configPath = `${path}.webhookClientConfig`
  const versionsPath = `${path}.conversionReviewVersions`
  if (strategy === 'Webhook') {
    if (clientConfig === undefined)
      errors.push(required(configPath, 'required when strategy is set to Webhook'))
    else errors.push(...clientConfigErrors(clientConfig, configPath, requiresBundle))
    return [...errors, ...reviewVersionErrors(versions, versionsPath)]
  }
  const detail = 'should not be set when strategy is not set to Webhook'
  if (clientConfig !== undefined) errors.push(forbidden(configPath, detail))
  if (versions.length > 0) errors.push(forbidden(versionsPath, detail))
  return errors
}

function clientConfigErrors(config: CrdClientConfig, path: string, requiresBundle: boolean): FieldError[] {
  const { url, service, caBundle = '' } = config
  const errors: FieldError[] = []
  if ((url === undefined) === (service === undefined))
    errors.push(required(path, 'exactly one of url or service is required'))
  else if (url !== undefined) errors.push(...urlErrors(url, `${path}.url`))
  else if (service !== undefined) errors.push(...serviceErrors(service, `${path}.service`))
  const problem = caBundle === '' || !requiresBundle ? undefined : bundleProblem(caBundle)
  if (problem !== undefined) errors.push(invalidAs(`${path}.caBundle`, goJson(caBundle), problem))
  return errors
}

const desired = '; desired format: https://host[/path]'

function urlErrors(text: string, path: string): FieldError[] {
  const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(
    text,
  )
  if (parts === null)
    return [required(path, `url must be a valid URL: parse ${goJson(text)}: invalid URL${desired}`)]
  const [, scheme = '', authority = '', , query = '', fragment = ''] = parts
  const at = authority.lastIndexOf('@')
  const errors: FieldError[] = []
  if (scheme.toLowerCase() !== 'https')
    errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${desired}`))
  if (authority.slice(at + 1) === '') errors.push(invalid(path, '', `host must be specified${desired}`))
  if (at !== -1)
    errors.push(invalid(path, authority.slice(0, at), 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(invalid(path, query, 'query parameters are not permitted in the URL'))
  return errors
}

function serviceErrors(service: NonNullable<CrdClientConfig['service']>, path: string): FieldError[] {
  const { namespace, name, port = 443, path: urlPath = '' } = service
  const errors: FieldError[] = []
  // The server takes the one for the other here.
  if (namespace === '') errors.push(required(`${path}.name`))
  if (name === '') errors.push(required(`${path}.namespace`))
  if (port < 1 || port > 65_535)
    errors.push(invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'))
  if (urlPath === '' || urlPath === '/') return errors
  const at = `${path}.path`
  if (urlPath === '//') return [...errors, invalid(at, urlPath, 'segment[0] may not be empty')]
  if (!urlPath.startsWith('/')) errors.push(invalid(at, urlPath, "must start with a '/'"))
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/')
  for (const [index, segment] of segments.entries()) {
    if (segment === '') errors.push(invalid(at, urlPath, `segment[${index}] may not be empty`))
    else
      for (const problem of dnsSubdomainProblems(segment))
        errors.push(invalid(at, urlPath, `segment[${index}]: ${problem}`))
  }
  return errors
}

/** Why a bundle of certificates (base64 of PEM) cannot be used; undefined when it can. */
export function bundleProblem(caBundle: string): string | undefined {
  const pem = Buffer.from(caBundle, 'base64').toString('latin1')
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) return 'unable to load root certificates: unable to parse bytes as PEM block'
  for (const block of blocks) {
    try {
      new X509Certificate(block)
    } catch {
      return 'unable to load root certificates: failed to parse certificate: x509: malformed certificate'
    }
  }
  return undefined
}

function reviewVersionErrors(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path)]
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) errors.push(invalid(`${path}[${index}]`, version, 'duplicate version'))
    else
      for (const problem of dns1035LabelProblems(version))
        errors.push(invalid(`${path}[${index}]`, version, problem))
    seen.add(version)
  }
  if (!versions.some((version) => reviewVersions.includes(version)))
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`))
  return errors
}
