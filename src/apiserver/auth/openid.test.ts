import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PathRequest } from '../router.js'
import { createOpenIdPaths } from './openid.js'

const issuer = 'https://kubernetes.default.svc.cluster.local'

function pathsOf(type: 'ec' | 'rsa') {
  const { publicKey: key } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKey = { id: 'k', key, algorithm: type === 'ec' ? 'ES256' : 'RS256' }
  return { key, paths: createOpenIdPaths({ tokens: { publicKey, issuer }, address: () => '127.0.0.1:1' }) }
}

async function read(
  paths: ReturnType<typeof createOpenIdPaths>,
  path: string,
  method: 'GET' | 'POST' = 'GET',
) {
  const request: PathRequest = {
    request: { method, path, headers: {} },
    path,
    query: new URLSearchParams(),
    user: { name: 'u', groups: [] },
    signal: undefined,
  }
  const response = await paths[path]?.(request)
  const chunks: Uint8Array[] = []
  for await (const chunk of response?.body ?? []) chunks.push(chunk)
  return { headers: response?.headers, text: Buffer.concat(chunks).toString() }
}

test.each([
  ['ec', ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y']],
  ['rsa', ['use', 'kty', 'kid', 'alg', 'n', 'e']],
] as const)('the keys that tokens are signed with can be had: %s', async (type, members) => {
  const { key, paths } = pathsOf(type)
  const { headers, text } = await read(paths, '/openid/v1/jwks')
  expect(headers).toMatchObject({
    'content-type': 'application/jwk-set+json',
    'cache-control': 'public, max-age=3600',
  })
  const { keys } = JSON.parse(text) as { keys: Record<string, string>[] }
  expect(keys.map((each) => Object.keys(each))).toEqual([members])
  expect(createPublicKey({ key: keys[0] ?? {}, format: 'jwk' }).equals(key)).toBe(true)
})

test('the configuration says where they are', async () => {
  const { paths } = pathsOf('ec')
  const { headers, text } = await read(paths, '/.well-known/openid-configuration')
  expect(headers).toMatchObject({ 'content-type': 'application/json' })
  // As the real server writes it.
  expect(text).toBe(
    `{"issuer":"${issuer}","jwks_uri":"https://127.0.0.1:1/openid/v1/jwks","response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["ES256"]}`,
  )
})

test('they can only be read', async () => {
  const { paths } = pathsOf('ec')
  await expect(read(paths, '/openid/v1/jwks', 'POST')).rejects.toThrow('does not allow this method')
})
