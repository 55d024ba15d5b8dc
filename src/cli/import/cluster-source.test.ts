import { expect, test } from 'vitest'
import { ApiError } from '../../objects/index.js'
import { readCluster } from './cluster-source.js'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function apiError(httpStatus: number, reason: string): ApiError {
  return new ApiError({ request: 'get', status: { kind: 'Status', reason, message: 'no' }, httpStatus })
}

test('all CRDs are read page by page, with their type', async () => {
  const pages: Record<string, unknown> = {
    [`${crds}?limit=50`]: { metadata: { continue: 'a/b=' }, items: [{ metadata: { name: 'one' } }] },
    [`${crds}?limit=50&continue=a%2Fb%3D`]: { metadata: {}, items: [{ metadata: { name: 'two' } }] },
  }
  const documents = await readCluster(async (path) => pages[path], [])
  expect(documents).toEqual(
    ['one', 'two'].map((name) => ({
      value: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name } },
      source: `${name} of the cluster`,
    })),
  )
})

test('named CRDs are asked for one by one, so that permission to list is not needed', async () => {
  const paths: string[] = []
  await readCluster(
    async (path) => {
      paths.push(path)
      return {}
    },
    ['foos.example.com', '../secrets'],
  )
  expect(paths).toEqual([`${crds}/foos.example.com`, `${crds}/..%2Fsecrets`])
})

test.each([
  ['a CRD that is not there', apiError(404, 'NotFound'), 'KW_IMPORT_NOT_FOUND', 'kubectl get crds'],
  ['no permission', apiError(403, 'Forbidden'), 'KW_IMPORT_FORBIDDEN', 'may get and list'],
  ['no identity', apiError(401, 'Unauthorized'), 'KW_IMPORT_FORBIDDEN', 'may get and list'],
  ['a server in trouble', apiError(500, 'InternalError'), 'KW_IMPORT_UNREACHABLE', 'Try again'],
  ['no server', new Error('connect ECONNREFUSED'), 'KW_IMPORT_UNREACHABLE', 'ECONNREFUSED'],
])('%s is explained', async (_name, cause, code, message) => {
  const answer = readCluster(() => Promise.reject(cause), ['foos.example.com'])
  await expect(answer).rejects.toMatchObject({ code, cause, message: expect.stringContaining(message) })
})

test('an answer that is no list of CRDs is not taken for an empty cluster', async () => {
  await expect(readCluster(async () => ({ hello: 'I am a proxy' }), [])).rejects.toMatchObject({
    code: 'KW_IMPORT_UNREACHABLE',
  })
})
