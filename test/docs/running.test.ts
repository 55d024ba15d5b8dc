import { readFileSync } from 'node:fs'
import { defineOperator } from 'kubewright'
import { assembleOperator, parseOperatorFlags } from 'kubewright/operator'
import { expect, test } from 'vitest'

const page = readFileSync('docs/guide/running.md', 'utf8')

/** The metrics that an operator has before it has done anything. */
async function exposedMetrics(): Promise<string[]> {
  const flags = parseOperatorFlags(['--leader-elect', '--metrics-bind-address=:8443'], false)
  if (flags === 'help') return []
  const { metrics } = await assembleOperator(defineOperator({ name: 'empty', controllers: [] }), {
    flags,
    transport: () => Promise.reject(new Error('Nothing is sent before the run.')),
    config: {
      server: 'https://127.0.0.1:6443',
      trust: { ca: () => Promise.resolve(undefined), insecureSkipVerify: false },
      credentials: { get: () => Promise.resolve({}), refused: () => false },
      namespace: 'default',
      origin: 'a test',
    },
  })
  return [...metrics.expose().matchAll(/^# TYPE (\S+) /gm)].flatMap(([, name]) => name ?? [])
}

test('docs/guide/running.md lists exactly the metrics that an operator exposes', async () => {
  const documented = [...page.matchAll(/^\| `([a-z]+_[a-z_]+)` +\|/gm)].flatMap(([, name]) => name ?? [])
  expect(documented.toSorted()).toEqual((await exposedMetrics()).toSorted())
})

test('docs/guide/running.md lists exactly the health checks that an operator has', () => {
  const source = readFileSync('src/operator/assemble-operator.ts', 'utf8')
  const added = [...source.matchAll(/addCheck\('(healthz|readyz)', '([\w-]+)'/g)]
  const documented = [...page.matchAll(/^\| `\/(healthz|readyz)` +\| `([\w-]+)` +\|/gm)]
  const names = (matches: readonly RegExpMatchArray[]): string[] =>
    matches.map(([, probe, check]) => `${probe}/${check}`).toSorted()
  expect(names(documented)).toEqual(names(added))
  expect(added).not.toEqual([])
})
