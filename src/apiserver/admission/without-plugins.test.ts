import { expect, test } from 'vitest'
import { createApiServer } from '../index.js'
import { UnknownAdmissionPluginError } from './without-plugins.js'

const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'a', image: 'a' }] },
})

async function createPod(disabledAdmission: readonly string[]): Promise<number> {
  const server = await createApiServer({ controllers: false, simulation: false, disabledAdmission })
  try {
    const response = await server.transport()({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      headers: { 'content-type': 'application/json' },
      body: pod,
    })
    return response.status
  } finally {
    await server.stop()
  }
}

test('without the plugin ServiceAccount a pod needs no service account', async () => {
  expect(await createPod([])).toBe(403)
  expect(await createPod(['ServiceAccount'])).toBe(201)
})

test('a plugin that there is not cannot be left out', async () => {
  await expect(createPod(['ServiceAccounts'])).rejects.toThrow(UnknownAdmissionPluginError)
})
