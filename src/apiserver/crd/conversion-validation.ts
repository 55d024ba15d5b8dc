import { X509Certificate } from 'node:crypto'
import type { FieldError } from '../../schema/index.js'
import {
  dns1035LabelProblems,
  forbidden,
  goJson,
  invalid,
  invalidAs,
  required,
  unsupported,
} from '../../schema/internal.js'
import { validateClientConfig } from '../builtin/webhook-client-rules.js'
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
  const errors = validateClientConfig({ url, service: service && { port: 443, ...service } }, path)
  const problem = caBundle === '' || !requiresBundle ? undefined : bundleProblem(caBundle)
  return problem === undefined
    ? errors
    : [...errors, invalidAs(`${path}.caBundle`, goJson(caBundle), problem)]
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
