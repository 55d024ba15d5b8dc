import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/**
 * The package as users get it: packed, unpacked into an empty project beside its declared dependencies only, and
 * used by its public names. Needs `npm run build` before.
 */
const root = resolve('.')
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string
  exports: Record<string, unknown>
  dependencies: Record<string, string>
}
let project: string
let tarball: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'kubewright-package-'))
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
      encoding: 'utf8',
    }),
  ) as { filename: string }[]
  tarball = join(project, packed[0]?.filename ?? '')
  mkdirSync(join(project, 'node_modules/kubewright'), { recursive: true })
  execFileSync('tar', [
    '-xzf',
    tarball,
    '-C',
    join(project, 'node_modules/kubewright'),
    '--strip-components=1',
  ])
  for (const name of [...Object.keys(manifest.dependencies), 'zod', '@types/node', 'undici-types']) {
    const link = join(project, 'node_modules', name)
    mkdirSync(join(link, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

function node(code: string, ...flags: string[]): string {
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-e', code], {
    cwd: project,
    encoding: 'utf8',
  })
}

/** `kubewright`, `kubewright/client`, and one door for each built-in API group version. */
function doors(): string[] {
  const kinds = readdirSync(join(root, 'src/kinds'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
    .map((file) => `kubewright/kinds/${file.slice(0, -'.ts'.length)}`)
  const named = Object.keys(manifest.exports).filter((door) => !door.includes('*') && !door.endsWith('.json'))
  return [...named.map((door) => join('kubewright', door)), ...kinds]
}

test('every door of the package opens', () => {
  const names = doors()
  expect(names.length).toBeGreaterThan(10)
  const opened = node(`
    for (const door of ${JSON.stringify(names)}) await import(door)
    console.log('opened')
  `)
  expect(opened.trim()).toBe('opened')
})

test('the command line tool starts and tells its version', () => {
  const output = execFileSync(
    process.execPath,
    [join(project, 'node_modules/kubewright/dist/cli/main.js'), '--version'],
    {
      encoding: 'utf8',
    },
  )
  expect(output.trim()).toBe(manifest.version)
})

describe('what an import loads', () => {
  // A loader hook that writes the address of every module that is really loaded.
  const hook = `data:text/javascript,${encodeURIComponent(`
    import { writeSync } from 'node:fs'
    export async function load(url, context, next) { writeSync(1, url + '\\n'); return next(url, context) }
  `)}`
  const register = `data:text/javascript,${encodeURIComponent(
    `import { register } from 'node:module'; register(${JSON.stringify(hook)})`,
  )}`
  const loadedBy = (door: string): string[] =>
    node(`await import('${door}')`, '--import', register)
      .split('\n')
      .filter((url) => url.startsWith('file:') && url.includes('node_modules'))

  test('the facade loads no third-party package', () => {
    expect(loadedBy('kubewright').filter((url) => !url.includes('/node_modules/kubewright/dist/'))).toEqual(
      [],
    )
  })

  test('the facade loads neither the network nor certificates: they come with the first request', () => {
    const loaded = node(`
      await import('kubewright')
      console.log(JSON.stringify(process.moduleLoadList))
    `)
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- a list of names
    const names: string[] = JSON.parse(loaded)
    const heavy = ['https', 'tls', '_http_client', 'child_process', 'zlib', 'crypto']
    expect(heavy.filter((name) => names.includes(`NativeModule ${name}`))).toEqual([])
  })

  test('the facade stays small: at most 25 modules', () => {
    expect(loadedBy('kubewright').length).toBeLessThanOrEqual(25)
  })

  test('one group of built-in kinds loads no other', () => {
    // The door and what it shares with others: its own descriptors and nothing else.
    const loaded = loadedBy('kubewright/kinds/apps/v1')
    expect(loaded.length).toBeLessThanOrEqual(2)
    const text = loaded.map((url) => readFileSync(new URL(url), 'utf8')).join('')
    expect(text).toContain('"Deployment"')
    expect(text).not.toContain('"ConfigMap"')
  })
})

test('the package stays small, a whole API server in it: the tarball below 3.5 MB', () => {
  expect(statSync(tarball).size).toBeLessThan(3_500_000)
})

test('a strict TypeScript project compiles against the declarations alone', { timeout: 120_000 }, () => {
  const file = join(project, 'consumer.ts')
  writeFileSync(
    file,
    `
    import { defineKind, type ObjectOf } from 'kubewright'
    import { Deployment } from 'kubewright/kinds/apps/v1'
    import type { Client } from 'kubewright/client'
    import { z } from 'zod'
    export const Foo = defineKind({
      group: 'example.com', version: 'v1alpha1', kind: 'Foo',
      spec: z.object({ deploymentName: z.string(), replicas: z.int32().min(1).max(10).optional() }),
      status: z.object({ availableReplicas: z.int32().optional() }),
    })
    export type Foo = ObjectOf<typeof Foo>
    export async function replicas(client: Client, foo: Foo): Promise<number | undefined> {
      const { namespace } = foo.metadata
      const deployment = await client.get(Deployment, { namespace, name: foo.spec.deploymentName })
      return deployment.spec?.replicas
    }
    `,
  )
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [join(project, 'node_modules/@types')],
  })
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(
      (diagnostic) =>
        `${diagnostic.file?.fileName}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`,
    )
  expect(problems).toEqual([])
})

test('publint has nothing to say', () => {
  const output = execFileSync(join(root, 'node_modules/.bin/publint'), [tarball, '--strict'], {
    encoding: 'utf8',
  })
  expect(output).toContain('All good!')
})

test('types resolve for every way of importing an ESM package', () => {
  const output = execFileSync(join(root, 'node_modules/.bin/attw'), [tarball, '--profile', 'esm-only'], {
    encoding: 'utf8',
  })
  // It exits with an error for a problem; this is against an empty run.
  expect(output).toContain('"kubewright/testing"')
})
