import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressSpec,
  IngressTLS,
} from '../../../kinds/networking.k8s.io/v1.js'
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../objects/index.js'
import {
  hostProblems,
  ipFamilyOf,
  portNameProblems,
  portNumberProblems,
  validateLegacyIp,
} from '../address-rules.js'
import { type View, viewOf } from '../draft.js'
import { type FieldError, invalid, invalidFor, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { subdomainName } from '../name-rules.js'
import { isAbsent, isBlank } from '../value-rules.js'
import { validateTypedReference } from './typed-reference.js'

const classAnnotation = 'kubernetes.io/ingress.class'

export const ingressRules: KindRules = {
  hasGeneration: true,
  validateCreate(object, context) {
    const { spec = {} } = viewOf<Ingress>(object)
    const errors = validateSpec(spec, {})
    const annotated = object.metadata.annotations?.[classAnnotation]
    if (annotated === undefined) return errors
    if (!isAbsent(spec.ingressClassName) && annotated !== spec.ingressClassName)
      errors.push(
        invalid(
          `annotations.${classAnnotation}`,
          annotated,
          'must match `ingressClassName` when both are specified',
        ),
      )
    if (errors.length === 0 && isAbsent(spec.ingressClassName))
      context.warn(
        `annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`,
      )
    return errors
  },
  validateUpdate(object, old) {
    const { tls = [] } = viewOf<Ingress>(old).spec ?? {}
    const allowsInvalidSecretName = tls.some(({ secretName }) => secretProblems(secretName).length > 0)
    return validateSpec(viewOf<Ingress>(object).spec ?? {}, { allowsInvalidSecretName })
  },
  validateStatusUpdate(object, old) {
    const known = (viewOf<Ingress>(old).status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip)
    return (viewOf<Ingress>(object).status?.loadBalancer?.ingress ?? []).flatMap(
      ({ ip, hostname }, index) => {
        const path = `status.loadBalancer.ingress[${index}]`
        return [
          ...(isBlank(ip) || known.includes(ip) ? [] : validateLegacyIp(ip, `${path}.ip`)),
          ...(isBlank(hostname)
            ? []
            : validateNoIp(hostname, dns1123SubdomainErrors(hostname), `${path}.hostname`)),
        ]
      },
    )
  },
}

interface SpecOptions {
  readonly allowsInvalidSecretName?: boolean
}

function validateSpec(spec: View<IngressSpec>, options: SpecOptions): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec
  return [
    ...(rules.length === 0 && isAbsent(defaultBackend)
      ? [invalid('spec', null, 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...(isAbsent(defaultBackend) ? [] : validateBackend(defaultBackend, 'spec.defaultBackend')),
    ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ...tls.flatMap((entry, index) => validateTls(entry, `spec.tls[${index}]`, options)),
    ...(isAbsent(ingressClassName)
      ? []
      : invalidFor('spec.ingressClassName', ingressClassName, subdomainName(ingressClassName, false))),
  ]
}

function secretProblems(name: string | undefined): readonly string[] {
  return isBlank(name) ? [] : subdomainName(name, false)
}

function validateTls(
  { hosts = [], secretName }: View<IngressTLS>,
  path: string,
  { allowsInvalidSecretName = false }: SpecOptions,
): FieldError[] {
  return [
    ...hosts.flatMap((host, index) => invalidFor(`${path}.hosts[${index}]`, host, hostProblems(host))),
    ...(allowsInvalidSecretName
      ? []
      : invalidFor(`${path}.secretName`, secretName, secretProblems(secretName))),
  ]
}

function validateNoIp(host: string, problems: readonly string[], path: string): FieldError[] {
  return [
    ...invalidFor(path, host, problems),
    ...(ipFamilyOf(host) === undefined ? [] : [invalid(path, host, 'must be a DNS name, not an IP address')]),
  ]
}

function validateRule({ host, http }: View<IngressRule>, path: string): FieldError[] {
  const hostPath = `${path}.host`
  const paths = http?.paths ?? []
  return [
    ...(isBlank(host)
      ? []
      : [
          ...(ipFamilyOf(host) === undefined
            ? []
            : [invalid(hostPath, host, 'must be a DNS name, not an IP address')]),
          ...invalidFor(hostPath, host, hostProblems(host)),
        ]),
    ...(!isAbsent(http) && paths.length === 0 ? [required(`${path}.http.paths`)] : []),
    ...paths.flatMap((entry, index) => validatePath(entry, `${path}.http.paths[${index}]`)),
  ]
}

const badSequences = ['//', '/./', '/../', '%2f', '%2F']
const badEndings = ['/..', '/.']
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']

function validatePath(
  { path: url = '', pathType, backend = {} }: View<HTTPIngressPath>,
  path: string,
): FieldError[] {
  if (isAbsent(pathType)) return [required(`${path}.pathType`, 'pathType must be specified')]
  const wrong = (why: string): FieldError => invalid(`${path}.path`, url, why)
  const errors: FieldError[] = []
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!url.startsWith('/')) errors.push(wrong('must be an absolute path'))
    for (const text of badSequences) if (url.includes(text)) errors.push(wrong(`must not contain '${text}'`))
    for (const text of badEndings) if (url.endsWith(text)) errors.push(wrong(`cannot end with '${text}'`))
  } else if (pathType === 'ImplementationSpecific') {
    if (url !== '' && !url.startsWith('/')) errors.push(wrong('must be an absolute path'))
  } else errors.push(notSupported(`${path}.pathType`, pathType, pathTypes))
  return [...errors, ...validateBackend(backend, `${path}.backend`)]
}

function validateBackend({ resource, service }: View<IngressBackend>, path: string): FieldError[] {
  if (!isAbsent(resource) && !isAbsent(service))
    return [invalid(path, '', 'cannot set both resource and service backends')]
  if (!isAbsent(resource)) return validateTypedReference(resource, `${path}.resource`)
  if (isAbsent(service)) return [invalid(path, '', 'resource or service backend is required')]
  const { name, port = {} } = service
  return [
    ...(isBlank(name)
      ? [required(`${path}.service.name`)]
      : invalidFor(`${path}.service.name`, name, dns1123LabelErrors(name))),
    ...validateBackendPort(port, path),
  ]
}

function validateBackendPort(
  port: { readonly name?: string | undefined; readonly number?: number | undefined },
  path: string,
): FieldError[] {
  const { name, number = 0 } = port
  if (!isBlank(name) && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')]
  if (!isBlank(name)) return invalidFor(`${path}.service.port.name`, name, portNameProblems(name))
  if (number !== 0) return invalidFor(`${path}.service.port.number`, number, portNumberProblems(number))
  return [required(path, 'port name or number is required')]
}
