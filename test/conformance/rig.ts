import { randomBytes } from 'node:crypto'
import { listAt, textAt } from './data.js'
import { type Answer, exchange, exchangeUntil, type Request } from './exchange.js'
import { clusterScopedPaths } from './paths.js'
import type { Server } from './server.js'
import { sharedKinds } from './shared-kinds.js'
import type { Webhooks } from './webhooks.js'

/** A server made ready for cases: with the kinds and the namespace that they share. */
export interface Rig {
  readonly server: Server
  readonly webhooks: Webhooks
  /** The group of the shared kinds. */
  readonly group: string
  readonly sharedNamespace: string
  /** The texts that are the rig's alone, and the words to show in their place. */
  readonly words: Readonly<Record<string, string>>
  /** A text that no name of anybody else holds, always of the same length. */
  newTag(): string
  /** A namespace that is complete: the controllers have put into it what belongs there. */
  createNamespace(tag: string): Promise<string>
  /** Removes what was made; for servers that go on. */
  cleanUp(): Promise<void>
}

const patienceMs = 120_000

/** Two rigs on one server do not see each other. */
export async function createRig(server: Server, webhooks: Webhooks): Promise<Rig> {
  const run = newTag()
  const group = `${run}.example.com`
  const sharedNamespace = `conformance-${run}`
  const tags: string[] = [run]

  async function createNamespace(tag: string): Promise<string> {
    const name = tag.startsWith('conformance-') ? tag : `conformance-${tag}`
    await call(server, {
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { conformance: tag } } },
    })
    // Made by controllers, a moment later.
    await Promise.all(
      ['serviceaccounts/default', 'configmaps/kube-root-ca.crt'].map((path) =>
        until(server, `/api/v1/namespaces/${name}/${path}`, ({ status }) => status === 200),
      ),
    )
    return name
  }

  const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const kinds = sharedKinds(group)
  async function installKinds(): Promise<void> {
    await Promise.all(kinds.map((body) => call(server, { method: 'POST', path: crdPath, body })))
    await Promise.all(
      kinds.map((crd) =>
        until(server, `${crdPath}/${textAt(crd, 'metadata.name')}`, ({ body }) =>
          listAt(body, 'status.conditions').some(
            (condition) =>
              textAt(condition, 'type') === 'Established' && textAt(condition, 'status') === 'True',
          ),
        ),
      ),
    )
    await Promise.all(
      ['widgets', 'gadgets', 'gizmos'].map((plural) =>
        until(server, `/apis/${group}/v1/${plural}`, ({ status }) => status === 200),
      ),
    )
  }

  await Promise.all([createNamespace(sharedNamespace), installKinds()])
  return {
    server,
    webhooks,
    group,
    sharedNamespace,
    words: {
      [run]: 'RUN',
      [server.address]: '<server>',
      [new URL(server.address).host]: '<host>',
      [webhooks.address]: '<webhooks>',
    },
    newTag() {
      const tag = newTag()
      tags.push(tag)
      return tag
    },
    createNamespace,
    async cleanUp() {
      for (const path of clusterScopedPaths) {
        const names = listAt((await call(server, { method: 'GET', path })).body, 'items')
          .map((item) => textAt(item, 'metadata.name'))
          .filter((name) => tags.some((tag) => name.includes(tag)))
        await Promise.all(names.map((name) => call(server, { method: 'DELETE', path: `${path}/${name}` })))
      }
    },
  }
}

/** `q7` is in no word, and the rest is chance. */
function newTag(): string {
  const letters = 'bcdfghjklmnpqrstvwxz'
  return `q7${[...randomBytes(6)].map((byte) => letters[byte % letters.length]).join('')}`
}

function call(server: Server, request: Request): Promise<Answer> {
  return exchange(server, { ...request, headers: { 'content-type': 'application/json' } })
}

async function until(server: Server, path: string, isWanted: (answer: Answer) => boolean): Promise<void> {
  const answer = await exchangeUntil(server, { method: 'GET', path }, isWanted, { timeoutMs: patienceMs })
  if (!isWanted(answer))
    throw new Error(`${server.name} is not ready for cases: ${path} is not as it should be`)
}
