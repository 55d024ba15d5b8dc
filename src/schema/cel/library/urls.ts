import type { FunctionDeclaration } from '../check/declaration.js'
import { readingCost } from '../plan/cost.js'
import { listOf } from '../value/list.js'
import { mapOf } from '../value/map.js'
import { boolType, listTypeOf, mapTypeOf, stringType } from '../value/type.js'
import { type CelValue, failure, noSuchOverload } from '../value/value.js'
import { declare, member, overload } from './signature.js'
import { parseUrl, Url, urlProblem, urlType } from './url-value.js'

function getter(name: string, id: string, get: (url: Url) => string): FunctionDeclaration {
  return declare(name, [
    member(id, [urlType], stringType, ([url]) => (url instanceof Url ? get(url) : noSuchOverload())),
  ])
}

function query(url: Url): CelValue {
  return mapOf(Array.from(url.queryValues, ([key, values]) => [key, listOf(values)] as const))
}

/** URLs: `url('https://example.com:80/').getHost()`. */
export const urls: readonly FunctionDeclaration[] = [
  declare(
    'url',
    [
      overload('string_to_url', [stringType], urlType, ([text]) => {
        if (typeof text !== 'string') return noSuchOverload()
        const url = parseUrl(text)
        return typeof url === 'string'
          ? failure(`URL parse error during conversion from string: ${url}`)
          : url
      }),
    ],
    { cost: readingCost() },
  ),
  declare('isURL', [
    overload('is_url_string', [stringType], boolType, ([text]) =>
      typeof text === 'string' ? urlProblem(text) === undefined : noSuchOverload(),
    ),
  ]),
  getter('getScheme', 'url_get_scheme', (url) => url.parts.scheme),
  getter('getHost', 'url_get_host', (url) => url.parts.host),
  getter('getHostname', 'url_get_hostname', (url) => url.hostname),
  getter('getPort', 'url_get_port', (url) => url.port),
  getter('getEscapedPath', 'url_get_escaped_path', (url) => url.escapedPath),
  declare('getQuery', [
    member('url_get_query', [urlType], mapTypeOf(stringType, listTypeOf(stringType)), ([url]) =>
      url instanceof Url ? query(url) : noSuchOverload(),
    ),
  ]),
]
