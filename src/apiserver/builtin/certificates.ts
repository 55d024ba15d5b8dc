import { X509Certificate } from 'node:crypto'
import { deepCopy, deepEqual } from '../../base/index.js'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../kinds/certificates.k8s.io/v1.js'
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature } from '../cluster-state.js'
import { draftOf, type View, viewOf } from './draft.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  notSupported,
  required,
  tooLong,
} from './field-errors.js'
import { keepAllBut, keepGeneration } from './generic-strategy.js'
import type { GroupRules } from './kind-rules.js'
import { isAbsent, isBlank } from './value-rules.js'

type Request = View<CertificateSigningRequest>

const conditionTypes = ['Approved', 'Denied', 'Failed']

/** What is particular to the kinds of certificates.k8s.io. */
export const certificatesRules: GroupRules = {
  CertificateSigningRequest: {
    nameProblems: () => [],
    resetFields: [['spec'], ['status']],
    statusResetFields: [['spec'], ['status', 'conditions']],
    selectableFields: {
      'spec.signerName': (object) => viewOf<CertificateSigningRequest>(object).spec?.signerName ?? '',
    },
    prepareForCreate(draft, { user }) {
      const { spec = {} } = draftOf<CertificateSigningRequest>(draft)
      spec.username = user.name
      delete spec.uid
      delete spec.extra
      if (user.uid !== undefined) spec.uid = user.uid
      spec.groups = [...user.groups]
      if (user.extra !== undefined && Object.keys(user.extra).length > 0)
        spec.extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]))
    },
    // A request is written once; the rest is for signers and approvers.
    prepareForUpdate: (draft, old) => keepAllBut(draft, old, new Set()),
    validateCreate: (object) => validateRequest(viewOf<CertificateSigningRequest>(object)),
    validateUpdate: (object, old) =>
      validateChange(viewOf<CertificateSigningRequest>(object), viewOf<CertificateSigningRequest>(old), {}),
    prepareForStatusUpdate(draft, old, { nature }) {
      keepConditions(draft, old, 'Approved')
      keepConditions(draft, old, 'Denied')
      fillTimes(draft, old, nature)
    },
    validateStatusUpdate: (object, old) =>
      validateChange(viewOf<CertificateSigningRequest>(object), viewOf<CertificateSigningRequest>(old), {
        setsCertificate: true,
      }),
    subresources: (_options, strategy) => ({
      approval: {
        type: 'part',
        strategy: {
          ...strategy,
          resetFields: [['spec'], ['status', 'certificate']],
          prepareForUpdate(draft, old, { nature }) {
            fillTimes(draft, old, nature)
            const { conditions } = draftOf<CertificateSigningRequest>(draft).status ?? {}
            keepAllBut(draft, old, new Set())
            keepGeneration(draft, old)
            const request = draftOf<CertificateSigningRequest>(draft)
            request.status ??= {}
            if (conditions === undefined) delete request.status.conditions
            else request.status.conditions = conditions
          },
          validateUpdate: (object, old) =>
            validateChange(
              viewOf<CertificateSigningRequest>(object),
              viewOf<CertificateSigningRequest>(old),
              {
                approves: true,
              },
            ),
        },
      },
    }),
  },
}

/** Conditions of a type that is not for the signer stay as they are, where there are as many as before. */
function keepConditions(draft: ApiObject, old: StoredApiObject, type: string): void {
  const conditions = draftOf<CertificateSigningRequest>(draft).status?.conditions ?? []
  const before = (viewOf<CertificateSigningRequest>(old).status?.conditions ?? []).filter(
    (condition) => condition.type === type,
  )
  const places = conditions.flatMap((condition, index) => (condition.type === type ? [index] : []))
  if (places.length !== before.length) return
  for (const [at, place] of places.entries()) conditions[place] = deepCopy(before[at] ?? {})
}

function fillTimes(draft: ApiObject, old: StoredApiObject, nature: Nature): void {
  const before = viewOf<CertificateSigningRequest>(old).status?.conditions ?? []
  for (const condition of draftOf<CertificateSigningRequest>(draft).status?.conditions ?? []) {
    if (isAbsent(condition.lastUpdateTime)) condition.lastUpdateTime = nature.timestamp()
    if (!isAbsent(condition.lastTransitionTime)) continue
    const same = before.find(
      ({ type, status, lastTransitionTime }) =>
        type === condition.type && status === condition.status && !isAbsent(lastTransitionTime),
    )
    condition.lastTransitionTime = same?.lastTransitionTime ?? nature.timestamp()
  }
}

interface Allowed {
  readonly approves?: boolean
  readonly setsCertificate?: boolean
}

function conditionsOf(request: Request, type: string): readonly View<CertificateSigningRequestCondition>[] {
  return (request.status?.conditions ?? []).filter((condition) => condition.type === type)
}

function validateChange(
  request: Request,
  old: Request,
  { approves, setsCertificate }: Allowed,
): FieldError[] {
  const path = 'status.conditions'
  const count = (of: Request, type: string): number => conditionsOf(of, type).length
  const errors = validateRequest(request)
  for (const type of conditionTypes)
    if (count(request, type) < count(old, type))
      errors.push(forbidden(path, `updates may not remove a condition of type ${goQuote(type)}`))
  for (const type of approves === true ? [] : ['Approved', 'Denied']) {
    if (count(request, type) > count(old, type))
      errors.push(forbidden(path, `updates may not add a condition of type ${goQuote(type)}`))
    else if (
      count(request, type) === count(old, type) &&
      !deepEqual(conditionsOf(request, type), conditionsOf(old, type))
    )
      errors.push(forbidden(path, `updates may not modify a condition of type ${goQuote(type)}`))
  }
  const before = old.status?.certificate ?? ''
  if ((request.status?.certificate ?? '') === before) return errors
  if (setsCertificate !== true)
    errors.push(forbidden('status.certificate', 'updates may not set certificate content'))
  else if (before !== '')
    errors.push(forbidden('status.certificate', 'updates may not modify existing certificate content'))
  return errors
}

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

function validateRequest({ spec = {}, status = {} }: Request): FieldError[] {
  const { usages: given = [], signerName = '', expirationSeconds } = spec
  const request = spec.request ?? ''
  const problem = requestProblem(request)
  const legacy = 'kubernetes.io/legacy-unknown'
  return [
    ...(problem === undefined ? [] : [invalid('spec.request', spec.request ?? null, problem)]),
    ...(given.length === 0 ? [required('spec.usages')] : []),
    ...given.flatMap((usage, index) =>
      usages.includes(usage) ? [] : [notSupported(`spec.usages[${index}]`, usage, usages)],
    ),
    ...given.flatMap((usage, index) =>
      given.indexOf(usage) < index ? [duplicate(`spec.usages[${index}]`, usage)] : [],
    ),
    ...(signerName === legacy
      ? [invalid('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version')]
      : validateSigner(signerName, 'spec.signerName')),
    ...(!isAbsent(expirationSeconds) && expirationSeconds < 600
      ? [
          invalid(
            'spec.expirationSeconds',
            expirationSeconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
    ...validateConditions(status.conditions ?? [], 'status.conditions'),
    ...validateCertificate(status.certificate),
  ]
}

const requestBlock = /-----BEGIN CERTIFICATE REQUEST-----[\s\S]*?-----END CERTIFICATE REQUEST-----/

function requestProblem(request: string): string | undefined {
  const pem = Buffer.from(request, 'base64').toString('latin1')
  return requestBlock.test(pem) ? undefined : 'PEM block type must be CERTIFICATE REQUEST'
}

function validateCertificate(certificate: string | undefined): FieldError[] {
  if (isBlank(certificate)) return []
  const pem = Buffer.from(certificate, 'base64').toString('latin1')
  const wrong = (why: string): FieldError[] => [invalid('status.certificate', '<certificate data>', why)]
  const blocks = [...pem.matchAll(/-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/g)]
  if (blocks.length === 0) return wrong('must contain at least one CERTIFICATE PEM block')
  for (const [block, type = ''] of blocks) {
    if (type !== 'CERTIFICATE')
      return wrong(`only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`)
    try {
      new X509Certificate(block)
    } catch {
      return wrong('x509: malformed certificate')
    }
  }
  return []
}

function validateConditions(
  conditions: readonly View<CertificateSigningRequestCondition>[],
  path: string,
): FieldError[] {
  const types = conditions.map(({ type = '' }) => type)
  return conditions.flatMap(({ type = '', status = '' }, index) => {
    const at = `${path}[${index}]`
    const words = conditionTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    const earlier = types.slice(0, index)
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined
    return [
      ...(type === '' ? [required(`${at}.type`)] : []),
      ...(status === ''
        ? [required(`${at}.status`)]
        : words.includes(status)
          ? []
          : [notSupported(`${at}.status`, status, words)]),
      ...(other !== undefined && earlier.includes(other)
        ? [invalid(path, type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(earlier.includes(type) ? [duplicate(`${at}.type`, type)] : []),
    ]
  })
}

/** The name of a signer: a domain and a path. */
function validateSigner(signerName: string, path: string): FieldError[] {
  if (signerName === '') return [required(path)]
  const [domain = '', name = '', ...rest] = signerName.split('/')
  if (!signerName.includes('/') || rest.length > 0)
    return [
      invalid(
        path,
        signerName,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ),
    ]
  const labels = domain.split('.')
  return [
    ...(domain.length > 253 ? [tooLong(path, 253)] : []),
    ...labelErrors(domain, labels, dns1123LabelErrors, path),
    ...(labels.length < 2
      ? [invalid(path, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...labelErrors(name, name.split('.'), dns1123SubdomainErrors, path),
    ...(signerName.length > 571 ? [tooLong(path, 571)] : []),
  ]
}

/** The first label that is wrong says it for all. */
function labelErrors(
  text: string,
  labels: readonly string[],
  problemsOf: (label: string) => readonly string[],
  path: string,
): FieldError[] {
  const wrong = labels.find((label) => problemsOf(label).length > 0)
  if (wrong === undefined) return []
  return problemsOf(wrong).map((problem) =>
    invalid(path, text, `validating label ${goQuote(wrong)}: ${problem}`),
  )
}
