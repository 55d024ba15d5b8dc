import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Lease } from 'kubewright/kinds/coordination.k8s.io/v1'
import { ConfigMap } from 'kubewright/kinds/core/v1'
import { compareResourceVersions } from 'kubewright/objects'
import type { Cluster } from 'kubewright/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createNamespace, sharedCluster } from './shared-cluster.js'

let cluster: Cluster
let namespace: string
let candidates: Candidate[] = []

beforeAll(async () => {
  cluster = await sharedCluster()
})
beforeEach(async () => {
  namespace = await createNamespace(cluster, 'leader-election')
})
afterEach(() => {
  for (const candidate of candidates) candidate.signal('SIGKILL')
  candidates = []
})
afterAll(async () => {
  await cluster.stop()
})

/** A process of its own; see fixtures/leader-election/candidate.ts. */
class Candidate {
  readonly #child
  readonly #lines: string[] = []
  #onLine: () => void = () => {}
  readonly exitCode: Promise<number | null>

  constructor(identity: string, timing: string) {
    const program = 'test/scenarios/fixtures/leader-election/candidate.ts'
    this.#child = spawn(
      process.execPath,
      ['scripts/run.mjs', program, cluster.kubeconfig, namespace, identity, timing],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    createInterface(this.#child.stdout).on('line', (line) => {
      this.#lines.push(line)
      this.#onLine()
    })
    this.exitCode = once(this.#child, 'close').then(() => {
      this.#onLine()
      return this.#child.exitCode
    })
    candidates.push(this)
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** The first line that begins so, after `count - 1` others. */
  async told(beginning: string, count = 1): Promise<string> {
    for (;;) {
      const found = this.#lines.filter((line) => line.startsWith(beginning))[count - 1]
      if (found !== undefined) return found
      if (this.#child.exitCode !== null)
        throw new Error(`The candidate ended before it told "${beginning}":\n${this.#lines.join('\n')}`)
      await new Promise<void>((resolveLine) => {
        this.#onLine = resolveLine
      })
    }
  }

  /** The version of the lease that made it the leader. */
  async leadingSince(): Promise<string> {
    return (await this.told('leading since ')).slice('leading since '.length)
  }
}

/** The versions that the writes of a candidate got: the order in which the server did them. */
async function writesOf(identity: string): Promise<string[]> {
  const { items } = await cluster.client.listAll(ConfigMap, { namespace })
  return items
    .filter(({ metadata }) => metadata.name.startsWith(`${identity}-`))
    .map(({ metadata }) => metadata.resourceVersion)
}

/** Those of the versions that the server wrote after the other one. */
function after(version: string, versions: readonly string[]): string[] {
  return versions.filter((candidate) => (compareResourceVersions(candidate, version) ?? Number.NaN) > 0)
}

test('a leader that was stopped for longer than its lease writes nothing after another leads, and exits non-zero', async () => {
  const timing = '6000/4000/500'
  const old = new Candidate('old', timing)
  await old.told('wrote', 20)
  const next = new Candidate('next', timing)
  await next.told('leader is old')
  old.signal('SIGSTOP')
  const since = await next.leadingSince()
  await next.told('wrote', 20)
  old.signal('SIGCONT')
  expect(await old.exitCode).toBe(3)
  expect(old.lines.at(-1)).toContain('failed: LeadershipLostError')
  await next.told('wrote', 100)

  expect(after(since, await writesOf('old'))).toEqual([])
  const later = await writesOf('next')
  expect(after(since, later)).toEqual(later)
  expect(await cluster.client.get(Lease, { namespace, name: 'candidates' })).toMatchObject({
    spec: { holderIdentity: 'next', leaseTransitions: 1 },
  })
})

test('a clean stop ends the work, hands the lease back and lets another lead at once', async () => {
  // Nobody would wait for this lease to run out.
  const timing = '600000/400000/500'
  const old = new Candidate('old', timing)
  await old.told('wrote', 20)
  const next = new Candidate('next', timing)
  await next.told('leader is old')
  old.signal('SIGTERM')
  expect(await old.exitCode).toBe(0)
  const since = await next.leadingSince()
  await next.told('wrote', 20)
  expect(after(since, await writesOf('old'))).toEqual([])
  next.signal('SIGTERM')
  expect(await next.exitCode).toBe(0)
  expect(await cluster.client.get(Lease, { namespace, name: 'candidates' })).toMatchObject({
    spec: { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 1 },
  })
})

test('a leader that is killed is followed when its lease has run out', async () => {
  const timing = '3000/2000/500'
  const old = new Candidate('old', timing)
  await old.told('wrote')
  const next = new Candidate('next', timing)
  old.signal('SIGKILL')
  await next.told('wrote')
  const since = await next.leadingSince()
  expect(after(since, await writesOf('old'))).toEqual([])
})
