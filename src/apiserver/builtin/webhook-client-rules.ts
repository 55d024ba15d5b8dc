import { dns1123SubdomainErrors } from '../../objects/index.js'
import { portNumberProblems } from './address-rules.js'
import { type FieldError, goQuote, invalid, required } from './field-errors.js'
import { isAbsent, isBlank } from './value-rules.js'

interface ServiceReference {
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly path?: string | undefined
  readonly port?: number | undefined
}

interface ClientConfig {
  readonly url?: string | undefined
  readonly service?: ServiceReference | undefined
}

/** Where a webhook is called: at a URL or through a service. */
export function validateClientConfig({ url, service }: ClientConfig, path: string): FieldError[] {
  if (isAbsent(url) === isAbsent(service))
    return [required(path, 'exactly one of url or service is required')]
  if (!isAbsent(url)) return validateUrl(url, `${path}.url`)
  return validateService(service ?? {}, `${path}.service`)
}

const urlPattern = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

function validateUrl(text: string, path: string): FieldError[] {
  const form = '; desired format: https://host[/path]'
  const [, scheme = '', authority = '', , query = '', fragment = ''] = urlPattern.exec(text) ?? []
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const problem = urlProblem(host)
  if (problem !== undefined)
    return [required(path, `url must be a valid URL: parse ${goQuote(text)}: ${problem}${form}`)]
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [invalid(path, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(path, host, `host must be specified${form}`)] : []),
    ...(at === -1
      ? []
      : [invalid(path, authority.slice(0, at), 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(path, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(path, query, 'query parameters are not permitted in the URL')]),
  ]
}

/** What Go cannot read of the authority of a URL. */
function urlProblem(host: string): string | undefined {
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(host)?.[0]
  if (escape !== undefined) return `invalid URL escape ${goQuote(escape)}`
  const port = /:([^:\]]*)$/.exec(host)?.[1] ?? ''
  return /\D/.test(port) ? `invalid port ${goQuote(`:${port}`)} after host` : undefined
}

function validateService(
  { name, namespace, port = 0, path: url = '' }: ServiceReference,
  path: string,
): FieldError[] {
  const portProblems = portNumberProblems(port)
  return [
    // The server takes the one for the other here.
    ...(isBlank(namespace) ? [required(`${path}.name`)] : []),
    ...(isBlank(name) ? [required(`${path}.namespace`)] : []),
    ...(portProblems.length === 0
      ? []
      : [invalid(`${path}.port`, port, `port is not valid: ${portProblems.join(', ')}`)]),
    ...validateUrlPath(url, `${path}.path`),
  ]
}

function validateUrlPath(url: string, path: string): FieldError[] {
  if (url === '' || url === '/') return []
  if (url === '//') return [invalid(path, url, 'segment[0] may not be empty')]
  const segments = url.slice(1).replace(/\/$/, '').split('/')
  return [
    ...(url.startsWith('/') ? [] : [invalid(path, url, "must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ''
        ? [invalid(path, url, `segment[${index}] may not be empty`)]
        : dns1123SubdomainErrors(segment).map((problem) =>
            invalid(path, url, `segment[${index}]: ${problem}`),
          ),
    ),
  ]
}
