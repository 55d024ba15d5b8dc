import { createHash } from 'node:crypto'
import type { TransportResponse } from '../../objects/index.js'
import type { ApiObject } from '../api-object.js'
import { methodNotAllowed, noSuchResource } from '../failure.js'
import type { Output } from '../output/output.js'
import { partsResponse } from '../output/parts-response.js'
import type { ResourceCatalogue } from '../resource.js'
import type { PathHandler, PathRequest } from '../router.js'
import {
  aggregatedDocument,
  apiVersionsDocument,
  groupDocument,
  groupListDocument,
  groupsOf,
  resourceListDocument,
} from './documents.js'

export interface DiscoveryParts {
  readonly catalogue: ResourceCatalogue
  readonly output: Output
  /** `host:port`, as clients know the server. */
  readonly address: () => string
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** What is served: `/api`, `/apis` and below, as long as no resource is named. */
export function createDiscovery({ catalogue, output, address }: DiscoveryParts): PathHandler {
  return async (request) => {
    const [root, first, second, ...rest] = request.path.split('/').filter((segment) => segment !== '')
    if (rest.length > 0) return undefined
    // Lists of groups, and those of custom resources, are shown whatever is asked of them.
    const isRead = request.request.method === 'GET'
    const groups = groupsOf(catalogue.all())
    const core = groups.filter(({ name }) => name === '')
    const others = groups.filter(({ name }) => name !== '')
    const answer = (document: object): Promise<TransportResponse> =>
      // Discovery documents are what the output calls plain: they have a kind, and no resource.
      output.plain({ headers: request.request.headers, query: request.query }, document as ApiObject)
    if (first === undefined) {
      if (root === 'api' && !isRead) throw methodNotAllowed()
      const listed = root === 'api' ? core : others
      if (wantsAggregated(request)) return aggregated(request, aggregatedDocument(listed))
      return answer(root === 'api' ? apiVersionsDocument(address()) : groupListDocument(others))
    }
    const [group, version] =
      root === 'api' ? [core[0], first] : [others.find(({ name }) => name === first), second]
    if (group === undefined || (root === 'api' && second !== undefined)) return undefined
    if (version === undefined) return answer(groupDocument(group))
    const isCustom = group.resources[0]?.isCustom === true
    if (group.versions.includes(version)) {
      if (!isCustom && !isRead) throw methodNotAllowed()
      return answer(resourceListDocument(group, version))
    }
    if (isCustom) return undefined
    throw noSuchResource()
  }
}

function wantsAggregated({ request }: PathRequest): boolean {
  for (const part of (request.headers['accept'] ?? '').split(',')) {
    const parameters = part.split(';').map((parameter) => parameter.trim())
    if (parameters[0] !== 'application/json' && parameters[0] !== 'application/*' && parameters[0] !== '*/*')
      continue
    return parameters.includes('g=apidiscovery.k8s.io') && parameters.includes('v=v2')
  }
  return false
}

function aggregated({ request }: PathRequest, document: object): TransportResponse {
  const text = Buffer.from(`${JSON.stringify(document)}\n`)
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`
  const headers = { etag, vary: 'Accept', 'cache-control': 'public' }
  if (request.headers['if-none-match'] === etag) return partsResponse(304, aggregatedType, [], headers)
  return partsResponse(200, aggregatedType, [text], headers)
}
