import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { apiVersionOf, type InputOf, type KeyOf, type Kind, type ObjectOf } from '../objects/index.js'
import type { CustomResourceDefinition } from './apiextensions.k8s.io/v1.js'
import { Deployment, type StatefulSet } from './apps/v1.js'
import type { Scale } from './autoscaling/v1.js'
import type { Job } from './batch/v1.js'
import { Lease } from './coordination.k8s.io/v1.js'
import { Namespace, Pod, type Secret } from './core/v1.js'

const kindsDir = fileURLToPath(new URL('.', import.meta.url))
const paths = readdirSync(kindsDir, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .toSorted()

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubewright-kinds-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** The module as it runs, alone in a folder: whatever else it wanted to load would not be there. */
async function loadAlone(path: string): Promise<Record<string, unknown>> {
  const text = readFileSync(join(kindsDir, path), 'utf8')
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  })
  const file = join(folder, `${path.replaceAll('/', '_')}.mjs`)
  writeFileSync(file, outputText)
  return import(/* @vite-ignore */ pathToFileURL(file).href)
}

test.each(paths)('%s loads without any other module, and holds nothing but descriptors', async (path) => {
  const exported = await loadAlone(path)
  const home = path.replace(/[.]ts$/, '').replace(/^core\//, '')
  for (const [name, value] of Object.entries(exported)) {
    const kind = value as Kind // Read field by field below.
    expect(apiVersionOf(kind)).toBe(home)
    expect(kind.kind).toBe(name)
    expect(kind.plural).toMatch(/^[a-z]+$/)
    expect(kind.singular).toBe(name.toLowerCase())
    expect(['Namespaced', 'Cluster']).toContain(kind.scope)
  }
})

test('the descriptors say what discovery says', () => {
  expect(Deployment).toEqual({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    singular: 'deployment',
    listKind: 'DeploymentList',
    scope: 'Namespaced',
    subresources: ['scale', 'status'],
  })
  expect(Namespace.scope).toBe('Cluster')
  expect(Pod.subresources).toContain('log')
  expect(Lease.subresources).toEqual([])
})

test('a stored object has its type, its scope and its fields', () => {
  expectTypeOf<ObjectOf<typeof Deployment>>().toEqualTypeOf<Deployment>()
  expectTypeOf<Deployment['apiVersion']>().toEqualTypeOf<'apps/v1'>()
  expectTypeOf<KeyOf<Deployment>['namespace']>().toEqualTypeOf<string>()
  expectTypeOf<KeyOf<Namespace>['namespace']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Deployment>().toHaveProperty('spec').toBeNullable()
  expectTypeOf<NonNullable<Pod['spec']>['restartPolicy']>().toEqualTypeOf<
    'Always' | 'OnFailure' | 'Never' | undefined
  >()
  expectTypeOf<Scale['kind']>().toEqualTypeOf<'Scale'>()
})

test('people write what they must, and nothing that the server fills in', () => {
  const pod = {
    metadata: { labels: { app: 'web' } },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx',
          resources: { limits: { cpu: 1, memory: '64Mi' } },
          ports: [{ containerPort: 80 }],
        },
      ],
    },
  }
  const selector = { matchLabels: { app: 'web' } }
  const deployment: InputOf<typeof Deployment> = {
    metadata: { name: 'web' },
    spec: { selector, template: pod, strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } } },
  }
  const statefulSet: InputOf<typeof StatefulSet> = {
    metadata: { name: 'db' },
    spec: {
      selector,
      template: pod,
      serviceName: 'db',
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } },
      ],
    },
  }
  const job: InputOf<typeof Job> = { metadata: { generateName: 'once-' }, spec: { template: pod } }
  const secret: InputOf<typeof Secret> = { metadata: { name: 's' }, stringData: { password: 'x' } }
  const crd: InputOf<typeof CustomResourceDefinition> = {
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: { free: { type: 'object', additionalProperties: true, default: {} } },
                  additionalProperties: { type: 'string' },
                },
              },
            },
          },
        },
      ],
    },
  }
  // @ts-expect-error -- a misspelt policy is an error
  const wrong: NonNullable<Pod['spec']>['restartPolicy'] = 'always'
  expect([deployment, statefulSet, job, secret, crd, wrong]).toHaveLength(6)
})
