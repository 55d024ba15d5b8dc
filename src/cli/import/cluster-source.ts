import { isPlainObject, toError } from '../../base/index.js'
import { isApiError, isForbidden, isNotFound, isUnauthorized } from '../../objects/index.js'
import { ImportError } from './import-error.js'
import type { SourceDocument } from './read-crd.js'
import { listAt, schemaAt, textAt } from './schema-view.js'

/**
 * One GET of the API server: an absolute path with its query in, the parsed body out. Rejects with an ApiError when
 * the server refuses, with any other error when it cannot be reached.
 */
export type FetchJson = (path: string) => Promise<unknown>

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

// A CRD can have a megabyte; a page of this size stays below what proxies and the server's own limits accept.
const pageSize = 50

/**
 * The CRDs of a cluster: those named, or all of them when none is.
 * @throws ImportError when the cluster cannot be reached, refuses, or does not have a named CRD.
 */
export async function readCluster(fetchJson: FetchJson, names: readonly string[]): Promise<SourceDocument[]> {
  return names.length === 0 ? listAll(fetchJson) : Promise.all(names.map((name) => getOne(fetchJson, name)))
}

async function getOne(fetchJson: FetchJson, name: string): Promise<SourceDocument> {
  const value = await ask(fetchJson, `${crdsPath}/${encodeURIComponent(name)}`, name)
  return { value, source: `${name} of the cluster` }
}

async function listAll(fetchJson: FetchJson): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = []
  let next = ''
  do {
    const query = next === '' ? '' : `&continue=${encodeURIComponent(next)}`
    const page = await ask(fetchJson, `${crdsPath}?limit=${pageSize}${query}`, 'the cluster')
    if (!isPlainObject(page) || !Array.isArray(page['items'])) throw noList()
    for (const item of listAt(page, 'items')) {
      const crd = isPlainObject(item) ? item : {}
      const name = textAt(schemaAt(crd, 'metadata') ?? {}, 'name') ?? 'a CRD'
      // The items of a list do not repeat their type.
      const value = { ...crd, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
      documents.push({ value, source: `${name} of the cluster` })
    }
    next = textAt(schemaAt(page, 'metadata') ?? {}, 'continue') ?? ''
  } while (next !== '')
  return documents
}

async function ask(fetchJson: FetchJson, path: string, subject: string): Promise<unknown> {
  try {
    return await fetchJson(path)
  } catch (cause) {
    throw explain(cause, subject)
  }
}

function explain(cause: unknown, subject: string): ImportError {
  if (isNotFound(cause)) {
    return new ImportError({
      code: 'KW_IMPORT_NOT_FOUND',
      subject,
      problem:
        'the cluster has no such CRD. CRDs are named <plural>.<group>: `kubectl get crds` lists them; ' +
        'the kinds of Kubernetes itself are in kubewright/kinds.',
      cause,
    })
  }
  if (isForbidden(cause) || isUnauthorized(cause)) {
    return new ImportError({
      code: 'KW_IMPORT_FORBIDDEN',
      subject,
      problem:
        `the cluster does not let you read CRDs (${toError(cause).message}). ` +
        'Use a context that may get and list customresourcedefinitions, or import from a file.',
      cause,
    })
  }
  return new ImportError({
    code: 'KW_IMPORT_UNREACHABLE',
    subject,
    problem: isApiError(cause)
      ? `the API server failed (${cause.message}). Try again, or import from a file.`
      : `the API server cannot be reached (${toError(cause).message}). Check --kubeconfig and --context.`,
    cause,
  })
}

function noList(): ImportError {
  return new ImportError({
    code: 'KW_IMPORT_UNREACHABLE',
    subject: 'the cluster',
    problem:
      'what answered is no Kubernetes API server: it sent no list of CRDs. Check --kubeconfig and --context.',
  })
}
