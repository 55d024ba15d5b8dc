import { createPrivateKey, X509Certificate } from 'node:crypto'
import { deepEqual } from '../../../base/index.js'
import type { Secret } from '../../../kinds/core/v1.js'
import type { ApiObject } from '../../api-object.js'
import { draftOf, type View, viewOf } from '../draft.js'
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  keyPath,
  required,
  tooLong,
} from '../field-errors.js'
import { configKeyProblems } from '../key-rules.js'
import type { KindRules } from '../kind-rules.js'
import { validateImmutable } from '../value-rules.js'
import { decodedLength, longestData } from './config-map.js'

const immutable = 'field is immutable when `immutable` is set'

export const secretRules: KindRules = {
  defaults(draft) {
    const secret = draftOf<Secret>(draft)
    secret.type ??= 'Opaque'
    if (secret.stringData === undefined) return
    // What is written as text is kept as all the rest.
    const data: Record<string, string | undefined> = { ...secret.data }
    for (const [key, value = ''] of Object.entries(secret.stringData))
      Object.defineProperty(data, key, {
        value: Buffer.from(value).toString('base64'),
        writable: true,
        enumerable: true,
        configurable: true,
      })
    secret.data = data
    delete secret.stringData
  },
  warnings: secretWarnings,
  validateCreate: (object) => validateSecret(viewOf<Secret>(object)),
  validateUpdate(object, old) {
    const secret = viewOf<Secret>(object)
    const before = viewOf<Secret>(old)
    return [
      ...validateImmutable(secret.type, before.type, 'type'),
      ...(before.immutable === true
        ? [
            ...(secret.immutable === true ? [] : [forbidden('immutable', immutable)]),
            ...(deepEqual(secret.data ?? {}, before.data ?? {}) ? [] : [forbidden('data', immutable)]),
          ]
        : []),
      ...validateSecret(secret),
    ]
  },
  selectableFields: { type: (object) => viewOf<Secret>(object).type ?? '' },
}

function validateSecret(secret: View<Secret>): FieldError[] {
  const { data = {} } = secret
  const size = Object.values(data).reduce((sum, value = '') => sum + decodedLength(value), 0)
  return [
    ...Object.keys(data).flatMap((key) => invalidFor(keyPath('data', key), key, configKeyProblems(key))),
    ...(size > longestData ? [tooLong('data', longestData)] : []),
    ...validateType(secret),
  ]
}

function validateType({ metadata, type, data = {} }: View<Secret>): FieldError[] {
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(keyPath('data', key)))
  switch (type) {
    case 'kubernetes.io/service-account-token': {
      const key = 'kubernetes.io/service-account.name'
      return (metadata?.annotations?.[key] ?? '') === ''
        ? [required(keyPath('metadata.annotations', key))]
        : []
    }
    case 'kubernetes.io/dockercfg':
      return [...missing('.dockercfg'), ...validateJson(data['.dockercfg'], '.dockercfg')]
    case 'kubernetes.io/dockerconfigjson':
      return [
        ...missing('.dockerconfigjson'),
        ...validateJson(data['.dockerconfigjson'], '.dockerconfigjson'),
      ]
    case 'kubernetes.io/basic-auth': {
      const absent = missing('username', 'password')
      return absent.length === 2 ? absent : []
    }
    case 'kubernetes.io/ssh-auth':
      return (data['ssh-privatekey'] ?? '') === '' ? [required(keyPath('data', 'ssh-privatekey'))] : []
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key')
    default:
      return []
  }
}

function validateJson(base64: string | undefined, key: string): FieldError[] {
  if (base64 === undefined) return []
  const text = Buffer.from(base64, 'base64').toString()
  const problem = jsonProblem(text)
  return problem === undefined ? [] : [invalid(keyPath('data', key), '<secret contents redacted>', problem)]
}

/** What Go says of a text that should be a JSON object. */
function jsonProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`
  } catch {
    if (text.trim() === '') return 'unexpected end of JSON input'
    const first = /^\s*([^\s{])/.exec(text)?.[1]
    return first === undefined
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`
  }
}

/** A certificate that does not fit its key is stored all the same. */
function secretWarnings(object: ApiObject): string[] {
  const { type, data } = viewOf<Secret>(object)
  if (type !== 'kubernetes.io/tls') return []
  const problem = keyPairProblem(data?.['tls.crt'] ?? '', data?.['tls.key'] ?? '')
  return problem === undefined ? [] : [problem]
}

function keyPairProblem(certificate: string, key: string): string | undefined {
  const pem = (base64: string): string => Buffer.from(base64, 'base64').toString()
  const kind = (text: string): boolean => /-----BEGIN [^-]+-----/.test(text)
  if (!kind(pem(certificate))) return 'tls: failed to find any PEM data in certificate input'
  try {
    const parsed = new X509Certificate(pem(certificate))
    if (!kind(pem(key))) return 'tls: failed to find any PEM data in key input'
    return parsed.checkPrivateKey(createPrivateKey(pem(key)))
      ? undefined
      : 'tls: private key does not match public key'
  } catch {
    return 'tls: failed to parse private key'
  }
}
