import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { CredentialSource, Credentials } from '../config/cluster-config.js'
import { combineCredentials } from './combined-credentials.js'
import { bearerCredentials, createCredentials } from './credentials.js'

/** A source in the hands of the test: it serves what it is told and remembers what was refused. */
function source(first: Credentials, mayChange: boolean) {
  const refusals: Credentials[] = []
  const state = { current: first }
  const made: CredentialSource = {
    get: async () => state.current,
    refused: (credentials) => {
      refusals.push(credentials)
      return mayChange
    },
  }
  return { made, refusals, state }
}

const pair = { cert: 'CERT', key: 'KEY' }

test('a header and a certificate from two sources become one set of credentials', async () => {
  const token = source(bearerCredentials('t'), true)
  const certificate = source(createCredentials({ clientCertificate: pair }), false)
  const combined = combineCredentials(token.made, certificate.made)
  const credentials = await combined.get()
  expect({ ...credentials }).toEqual({ authorization: 'Bearer t', clientCertificate: pair })
  expect(await combined.get()).toBe(credentials)
  expect(inspect(credentials)).not.toMatch(/Bearer|CERT|KEY/)
})

test('when one part changes, the combination changes', async () => {
  const token = source(bearerCredentials('old'), true)
  const combined = combineCredentials(
    token.made,
    source(createCredentials({ clientCertificate: pair }), false).made,
  )
  await combined.get()
  token.state.current = bearerCredentials('new')
  expect((await combined.get()).authorization).toBe('Bearer new')
})

test('a refusal reaches both parts, and it is worth a retry if either may change', async () => {
  const token = source(bearerCredentials('t'), false)
  const certificate = source(createCredentials({ clientCertificate: pair }), true)
  const combined = combineCredentials(token.made, certificate.made)
  const credentials = await combined.get()
  expect(combined.refused(credentials)).toBe(true)
  expect(token.refusals).toEqual([token.state.current])
  expect(certificate.refusals).toEqual([certificate.state.current])
})
