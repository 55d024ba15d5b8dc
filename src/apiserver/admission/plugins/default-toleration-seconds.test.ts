import { expect, test } from 'vitest'
import { createAdmissionTestServer } from '../../test-admission.js'

test('x', async () => {
  const server = await createAdmissionTestServer()
  const answer = await server.send('POST', '/api/v1/namespaces/geng/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  })
  console.log(answer.text)
  expect(answer.status).toBe(201)
})
