import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConfigProblem } from './config-errors.js'
import type { Kubeconfig } from './kubeconfig.js'
import { parseKubeconfig } from './parse-kubeconfig.js'

function parse(document: unknown): { kubeconfig: Kubeconfig; problems: readonly string[] } {
  const problems: ConfigProblem[] = []
  const kubeconfig = parseKubeconfig(document, { source: 'config', file: '/home/me/.kube/config' }, problems)
  return { kubeconfig, problems: problems.map(({ path, message }) => `${path}: ${message}`) }
}

test('file names are resolved against the file that holds them; a bare command is not', () => {
  const { kubeconfig, problems } = parse({
    clusters: [{ name: 'c', cluster: { 'certificate-authority': 'ca.crt' } }],
    users: [
      {
        name: 'u',
        user: {
          'client-certificate': '../u.crt',
          'client-key': '/keys/u.key',
          tokenFile: 'token',
          exec: { command: './bin/login' },
          'auth-provider': { name: 'oidc', config: { 'idp-certificate-authority': 'idp.crt' } },
        },
      },
      { name: 'v', user: { exec: { command: 'aws' } } },
    ],
  })
  expect(problems).toEqual([])
  expect(kubeconfig.clusters.get('c')?.certificateAuthority).toBe('/home/me/.kube/ca.crt')
  expect(kubeconfig.users.get('u')).toMatchObject({
    clientCertificate: '/home/me/u.crt',
    clientKey: '/keys/u.key',
    tokenFile: '/home/me/.kube/token',
    exec: { command: '/home/me/.kube/bin/login' },
    authProvider: { config: { 'idp-certificate-authority': '/home/me/.kube/idp.crt' } },
  })
  expect(kubeconfig.users.get('v')?.exec?.command).toBe('aws')
})

test('every field of the wrong type is reported with its path, and no value is quoted', () => {
  const { problems } = parse({
    'current-context': 5,
    clusters: [{ name: 'c', cluster: { server: 1, 'insecure-skip-tls-verify': 'SECRET' } }, 'SECRET'],
    users: [
      {
        name: 'u',
        user: {
          token: 12345,
          'as-groups': 'SECRET',
          'as-user-extra': { scopes: ['a', 1] },
          exec: { args: [1], env: [{ name: 'A', value: 5 }] },
          'auth-provider': { config: { 'id-token': 5 } },
        },
      },
    ],
    contexts: { name: 'SECRET' },
  })
  expect(problems).toEqual([
    'current-context: expected a string, found a number: put the value in quotes',
    'clusters[1]: expected an object, found a string: check the indentation and the dashes',
    'clusters[0].cluster.insecure-skip-tls-verify: expected true or false, found a string: write true or false without quotes',
    'clusters[0].cluster.server: expected a string, found a number: put the value in quotes',
    'users[0].user.token: expected a string, found a number: put the value in quotes',
    'users[0].user.as-groups: expected a list of strings, found a string: check the indentation and the dashes',
    'users[0].user.as-user-extra.scopes: expected a list of strings, found a list: check the indentation and the dashes',
    'users[0].user.exec.args: expected a list of strings, found a list: check the indentation and the dashes',
    'users[0].user.exec.env[0].value: expected a string, found a number: put the value in quotes',
    'users[0].user.auth-provider.config.id-token: expected a string, found a number: put the value in quotes',
    'contexts: expected a list, found an object: check the indentation and the dashes',
  ])
})

test('null and empty fields are absent; unknown fields are ignored', () => {
  const { kubeconfig, problems } = parse({
    preferences: {},
    'new-field': [1],
    clusters: null,
    'current-context': '',
    users: [{ name: 'u', user: { token: null, tokenFile: '', 'as-groups': [], exec: null, future: 1 } }],
    contexts: [{ name: 'x', context: null }],
  })
  expect(problems).toEqual([])
  expect(kubeconfig).not.toHaveProperty('currentContext')
  expect(kubeconfig.users.get('u')).toEqual({
    place: { source: 'config', file: '/home/me/.kube/config', at: 'users[0].user' },
  })
  expect(kubeconfig.contexts.has('x')).toBe(true)
})

test('a name that is there twice is reported', () => {
  const { problems } = parse({ users: [{ name: 'a' }, { name: 'a' }] })
  expect(problems).toEqual(['users[1].name: the name "a" is there twice: rename or remove one'])
})

test('another kind of document is not a kubeconfig', () => {
  expect(parse({ apiVersion: 'v1', kind: 'Pod' }).problems).toEqual([
    'kind: it is not a kubeconfig: expected apiVersion v1 and kind Config',
  ])
  expect(parse(['clusters']).problems).toHaveLength(1)
  expect(parse('clusters').problems).toHaveLength(1)
})

test('the extension for exec plugins is found by its name', () => {
  const { kubeconfig } = parse({
    clusters: [
      {
        name: 'c',
        cluster: {
          extensions: [
            { name: 'other', extension: 1 },
            { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } },
          ],
        },
      },
    ],
  })
  expect(kubeconfig.clusters.get('c')?.execConfig).toEqual({ audience: 'x' })
})

test('hostile keys change no prototype', () => {
  const { kubeconfig } = parse(
    JSON.parse(
      '{"users":[{"name":"__proto__","user":{"as-user-extra":{"__proto__":["a"],"constructor":["b"]}}}]}',
    ),
  )
  const extra = kubeconfig.users.get('__proto__')?.asUserExtra ?? {}
  expect(Object.keys(extra)).toEqual(['__proto__', 'constructor'])
  expect(Object.getPrototypeOf(extra)).toBe(Object.prototype)
})

test('no document makes the parser throw', () => {
  const named = (member: string): fc.Arbitrary<unknown> =>
    fc.array(fc.oneof(fc.jsonValue(), fc.record({ name: fc.jsonValue(), [member]: fc.jsonValue() })))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.record({ clusters: named('cluster'), users: named('user'), contexts: named('context') }),
      ),
      (document) => {
        expect(() => parse(document)).not.toThrow()
      },
    ),
  )
})
