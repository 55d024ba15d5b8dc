import { expect, test } from 'vitest'
import type { ConfigProblem } from './config-errors.js'
import type { Environment } from './kubeconfig-files.js'
import { chooseProxy } from './proxy.js'

function choose(server: string, env: Environment, proxyUrl?: string) {
  const problems: ConfigProblem[] = []
  const place = { source: 'config', at: 'clusters[0].cluster' }
  const cluster = { place, ...(proxyUrl !== undefined && { proxyUrl }) }
  return { url: chooseProxy(new URL(server), cluster, env, problems), problems }
}

const https = 'https://api.example.com:6443'

test('the proxy of the cluster wins over the environment and over NO_PROXY', () => {
  const env = { HTTPS_PROXY: 'http://other', NO_PROXY: '*' }
  expect(choose(https, env, 'socks5://proxy:1080').url).toBe('socks5://proxy:1080')
})

test('each scheme has its variable, capitals first, and ALL_PROXY comes last', () => {
  expect(choose(https, { HTTPS_PROXY: 'http://a', https_proxy: 'http://b' }).url).toBe('http://a')
  expect(choose(https, { https_proxy: 'http://b', ALL_PROXY: 'http://c' }).url).toBe('http://b')
  expect(choose(https, { HTTP_PROXY: 'http://d' }).url).toBeUndefined()
  expect(choose('http://api.example.com', { HTTP_PROXY: 'http://d', HTTPS_PROXY: 'http://a' }).url).toBe(
    'http://d',
  )
  expect(choose(https, { HTTPS_PROXY: '', all_proxy: 'socks5h://c:1' }).url).toBe('socks5h://c:1')
  expect(choose(https, {}).url).toBeUndefined()
})

test('a proxy without a scheme is an http proxy', () => {
  expect(choose(https, { HTTPS_PROXY: 'proxy.example.com:3128' }).url).toBe('http://proxy.example.com:3128')
  expect(choose(https, { HTTPS_PROXY: '10.0.0.1:3128' }).url).toBe('http://10.0.0.1:3128')
})

test('NO_PROXY is compared with the host and the port of the server, in either case of letters', () => {
  expect(choose(https, { HTTPS_PROXY: 'http://a', no_proxy: 'example.com:6443' }).url).toBeUndefined()
  expect(choose(https, { HTTPS_PROXY: 'http://a', NO_PROXY: 'example.com:443' }).url).toBe('http://a')
  expect(
    choose('https://example.com', { HTTPS_PROXY: 'http://a', NO_PROXY: 'example.com:443' }).url,
  ).toBeUndefined()
  expect(choose('https://[fd00::1]', { HTTPS_PROXY: 'http://a', NO_PROXY: 'fd00::/8' }).url).toBeUndefined()
  expect(choose('https://[::1]:6443', { HTTPS_PROXY: 'http://a' }).url).toBeUndefined()
})

test('a broken proxy is a problem, not a reason to go around it; its password is not repeated', () => {
  const fromEnvironment = choose(https, { HTTPS_PROXY: 'ftp://me:SECRET@proxy' })
  expect(fromEnvironment.url).toBeUndefined()
  expect(fromEnvironment.problems).toMatchObject([{ source: 'environment variable HTTPS_PROXY' }])
  const fromCluster = choose(https, {}, 'me:SECRET@proxy:1')
  expect(choose(https, {}, 'http://me:50%SECRET@proxy').problems).toHaveLength(1)
  expect(fromCluster.problems).toMatchObject([{ path: 'clusters[0].cluster.proxy-url' }])
  expect(JSON.stringify([fromEnvironment.problems, fromCluster.problems])).not.toContain('SECRET')
})
