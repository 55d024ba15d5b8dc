import { describe, expect, test } from 'vitest'
import { parseRequest, pathSegmentProblems } from './parse-request.js'

const summary = (method: string, target: string): string => {
  const { info } = parseRequest(method, target)
  const { verb, group, version, resource, subresource, namespace, name } = info
  return info.isResource
    ? [verb, group, version, resource, subresource, namespace, name].join('|')
    : `${verb} ${info.path}`
}

describe('parseRequest', () => {
  test.each([
    ['GET', '/', 'get /'],
    ['GET', '/api', 'get /api'],
    ['GET', '/api/v1', 'get /api/v1'],
    ['GET', '/apis/apps/v1', 'get /apis/apps/v1'],
    ['POST', '/healthz', 'post /healthz'],
    ['GET', '/api/v1/pods', 'list||v1|pods|||'],
    ['GET', '/api/v1/pods/', 'list||v1|pods|||'],
    ['GET', '/api/v1/pods?watch=1', 'watch||v1|pods|||'],
    ['GET', '/api/v1/pods?watch=false', 'list||v1|pods|||'],
    ['GET', '/api/v1/pods?watch=FALSE', 'list||v1|pods|||'],
    ['GET', '/api/v1/pods?watch=abc', 'watch||v1|pods|||'],
    ['HEAD', '/api/v1/pods', 'list||v1|pods|||'],
    ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection||v1|pods||a|'],
    ['DELETE', '/api/v1/namespaces/a/pods/x', 'delete||v1|pods||a|x'],
    ['PUT', '/apis/apps/v1/namespaces/a/deployments/x/scale', 'update|apps|v1|deployments|scale|a|x'],
    ['PATCH', '/apis/apps/v1/namespaces/a/deployments/x', 'patch|apps|v1|deployments||a|x'],
    ['POST', '/apis/apps/v1/namespaces/a/deployments', 'create|apps|v1|deployments||a|'],
    ['GET', '/api/v1/namespaces', 'list||v1|namespaces|||'],
    ['GET', '/api/v1/namespaces/a', 'get||v1|namespaces||a|a'],
    ['PUT', '/api/v1/namespaces/a/finalize', 'update||v1|namespaces|finalize|a|a'],
    ['PUT', '/api/v1/namespaces/a/status', 'update||v1|namespaces|status|a|a'],
    ['GET', '/api/v1/watch/pods', 'watch||v1|pods|||'],
    ['GET', '/api/v1/watch/namespaces/a/pods/x', 'watch||v1|pods||a|x'],
    ['GET', '/api/v1/proxy/nodes/x/y', 'proxy||v1|nodes|||x'],
    ['GET', '/api/v1//pods', 'get||v1||||pods'],
    ['GET', '/api/v1/namespaces//pods', 'list||v1|pods|||'],
    ['GET', '/api/v1/namespaces/a/pods/x%20y', 'get||v1|pods||a|x y'],
    ['GET', '/api/v1/namespaces/a/pods/x%2520y', 'get||v1|pods||a|x%20y'],
    ['GET', '/api/v1/namespaces/a/pods/x%2Fy', 'get||v1|pods|y|a|x'],
    ['GET', '/api/v1/namespaces/a/pods/%c3%a4', 'get||v1|pods||a|\u00e4'],
    ['OPTIONS', '/api/v1/pods', '||v1|pods|||'],
  ])('%s %s is %s', (method, target, expected) => {
    expect(summary(method, target)).toBe(expected)
  })

  test('a list of one name is about that name, for those who authorize', () => {
    expect(parseRequest('GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx').info).toMatchObject({
      verb: 'list',
      name: 'x',
    })
    expect(parseRequest('GET', '/api/v1/pods?fieldSelector=metadata.name%3D..').info.name).toBe('')
    expect(parseRequest('GET', '/api/v1/pods?fieldSelector=%3D%3D%3D').info.name).toBe('')
  })

  test('what follows the subresource is kept for those that forward it', () => {
    const { info, subpath } = parseRequest('GET', '/api/v1/namespaces/a/services/x/proxy/some/page?q=1')
    expect(info.subresource).toBe('proxy')
    expect(subpath).toBe('some/page')
  })

  test('a path that ends behind watch is an error of the server, as on the real one', () => {
    expect(() => parseRequest('GET', '/api/v1/watch')).toThrow(
      'failed to create RequestInfo: unable to determine kind and namespace from url, /api/v1/watch',
    )
  })

  test('a broken escape is refused', () => {
    expect(() => parseRequest('GET', '/api/v1/%zz')).toThrow('invalid URL escape')
  })
})

test('names that would mean another path are no names', () => {
  expect(pathSegmentProblems('.')).toEqual(["may not be '.'"])
  expect(pathSegmentProblems('..')).toEqual(["may not be '..'"])
  expect(pathSegmentProblems('a/b%')).toEqual(["may not contain '/'", "may not contain '%'"])
  expect(pathSegmentProblems('a.b')).toEqual([])
})
