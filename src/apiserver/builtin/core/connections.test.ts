import { expect, test } from 'vitest'
import type { StoredApiObject } from '../../api-object.js'
import type { Call } from '../../resource.js'
import { connectionHandlers } from './connections.js'

const pod = (name: string, spec: object, status = {}): StoredApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main' }], ...spec },
  status,
})

const pods = new Map([
  ['waiting', pod('waiting', {})],
  ['running', pod('running', { nodeName: 'n' }, { podIP: '10.1.2.3' })],
  ['double', pod('double', { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }] })],
])

function connect(path: string, target: string): Promise<unknown> {
  const [name = '', query] = target.split('?')
  const handlers = connectionHandlers({
    get: (resource, _namespace, wanted) => (resource === 'pods' ? pods.get(wanted) : undefined),
    list: () => [],
  })
  const [resource = '', subresource = ''] = path.split('/')
  const info = { verb: 'get', path: '', isResource: true, group: '', version: 'v1', resource, subresource }
  const call = { info: { ...info, namespace: 'default', name }, query: new URLSearchParams(query) }
  // The handlers look at nothing else of a call.
  return handlers[path]?.(call as unknown as Call) ?? Promise.resolve()
}

test.each([
  ['pods/exec', 'missing', 404, 'pods "missing" not found'],
  ['pods/exec', 'waiting', 400, 'pod waiting does not have a host assigned'],
  ['pods/exec', 'waiting?container=x', 400, 'container x is not valid for pod waiting'],
  ['pods/attach', 'double', 400, 'a container name must be specified for pod double, choose one of: [i a b]'],
  ['pods/portforward', 'double', 400, 'pod double does not have a host assigned'],
  ['pods/proxy', 'waiting:80', 400, 'address not allowed'],
  ['pods/proxy', 'https:running:80', 503, 'pods/proxy is not available on this server'],
  ['services/proxy', 'missing', 404, 'services "missing" not found'],
  ['pods/exec', 'running', 503, 'pods/exec is not available on this server'],
])('%s of %s is refused (%i)', async (path, target, code, message) => {
  await expect(connect(path, target)).rejects.toMatchObject({ status: { code, message } })
})
