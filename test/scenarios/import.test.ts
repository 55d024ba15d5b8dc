import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseText } from '../../src/cli/import/file-source.js'
import { runImport } from '../../src/cli/import/index.js'
import { readCrd } from '../../src/cli/import/read-crd.js'
import type { Kind } from '../../src/objects/index.js'
import type { Cluster } from '../../src/testing/index.js'
import { type RawAnswer, rawRequests, sharedCluster } from './shared-cluster.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const fixtures = join(root, 'test/scenarios/fixtures/crds')
const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Repeats until the condition holds; the time limit is that of the test. */
async function eventually(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50))
}

let cluster: Cluster
let call: ReturnType<typeof rawRequests>
const fetchJson = async (path: string): Promise<unknown> => (await call('GET', path)).body

let folder = ''
let fixtureFiles: string[] = []
/** The CRDs of the fixtures, and what the server said when it was given them. */
const crds: { readonly name: string; readonly answer: RawAnswer }[] = []

beforeAll(async () => {
  cluster = await sharedCluster()
  call = rawRequests(cluster)
  folder = await mkdtemp(join(tmpdir(), 'kubewright-import-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  fixtureFiles = (await readdir(fixtures)).toSorted().map((file) => join(fixtures, file))
  for (const file of fixtureFiles) {
    for (const document of parseText(await readFile(file, 'utf8'), file)) {
      const crd = readCrd(document)
      if (crd === undefined) continue
      // A run that was killed may have left the CRD behind.
      await call('DELETE', `${crdsPath}/${crd.name}`)
      await eventually(async () => (await call('GET', `${crdsPath}/${crd.name}`)).status === 404)
      crds.push({ name: crd.name, answer: await call('POST', crdsPath, document.value) })
    }
  }
  await runImport({ source: { type: 'files', paths: fixtureFiles }, outDir: join(folder, 'files') })
})

afterAll(async () => {
  for (const { name } of crds) await call('DELETE', `${crdsPath}/${name}`)
  await cluster.stop()
  await rm(folder, { recursive: true })
})

/** What the compiler says about the files, with the settings of this project and without skipLibCheck. */
function compile(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    erasableSyntaxOnly: true,
    isolatedDeclarations: true,
    declaration: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    // The folder is outside of the package, so its name must be explained. All imports are types of this door.
    paths: { kubewright: [join(root, 'src/objects/index.ts')] },
  })
  return files.flatMap((file) => {
    const source = program.getSourceFile(file)
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
      ...program.getDeclarationDiagnostics(source),
    ]
    return found.map(({ start, messageText }) => {
      const line = source?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0
      return `${file}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  })
}

async function generatedFiles(outDir: string): Promise<string[]> {
  const paths = await readdir(outDir, { recursive: true })
  return paths.filter((path) => path.endsWith('.ts')).toSorted()
}

/** The descriptors of a generated file. It imports only types, so it runs without the package. */
async function descriptors(path: string): Promise<Kind[]> {
  const text = await readFile(join(folder, 'files', path), 'utf8')
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  })
  const file = join(folder, `${path.replaceAll('/', '_')}.mjs`)
  await writeFile(file, outputText)
  const exported: Record<string, Kind> = await import(/* @vite-ignore */ pathToFileURL(file).href)
  return Object.values(exported)
}

test('what an import writes type-checks, and says what the schemas say', async () => {
  const outDir = join(folder, 'files')
  const files = (await generatedFiles(outDir)).map((path) => join(outDir, path))
  const program = join(outDir, 'program.mts')
  await writeFile(program, programText)
  expect(files).toHaveLength(6)
  expect(compile([...files, program])).toEqual([])
  await rm(program)
})

test('the API server accepts the fixtures', () => {
  expect(crds.filter(({ answer }) => answer.status !== 201)).toEqual([])
  expect(crds).toHaveLength(10)
})

test('an import from the cluster writes the same files', async () => {
  const source = { type: 'cluster', fetchJson, names: crds.map(({ name }) => name) } as const
  await runImport({ source, outDir: join(folder, 'cluster') })
  const paths = await generatedFiles(join(folder, 'cluster'))
  expect(paths).toEqual(await generatedFiles(join(folder, 'files')))
  for (const path of paths) {
    const [fromFiles, fromCluster] = await Promise.all(
      ['files', 'cluster'].map((from) => readFile(join(folder, from, path), 'utf8')),
    )
    expect(fromCluster).toBe(fromFiles)
  }
})

test('the descriptors of an import find their resources on the server', async () => {
  for (const path of await generatedFiles(join(folder, 'files'))) {
    const kinds = await descriptors(path)
    expect(kinds).not.toHaveLength(0)
    for (const kind of kinds) {
      const resources = `/apis/${kind.group}/${kind.version}/${kind.plural}`
      await eventually(async () => (await call('GET', resources)).status === 200)
      const { body } = await call('GET', resources)
      expect(body).toMatchObject({ apiVersion: `${kind.group}/${kind.version}`, kind: kind.listKind })
      const discovery = await call('GET', `/apis/${kind.group}/${kind.version}`)
      const expected = {
        name: kind.plural,
        singularName: kind.singular,
        namespaced: kind.scope === 'Namespaced',
        kind: kind.kind,
      }
      expect(discovery.body).toMatchObject({
        resources: expect.arrayContaining([
          expect.objectContaining(expected),
          ...kind.subresources.map((name) => expect.objectContaining({ name: `${kind.plural}/${name}` })),
        ]),
      })
    }
  }
})

test('the built-in kinds are what the server says', async () => {
  const options = ['--check', '--kubeconfig', cluster.kubeconfig]
  const node = ['scripts/run.mjs', 'scripts/generate-kinds.ts', ...options]
  // It fails where the data of the embedded server differs, which is not made from the embedded server itself.
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: root }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toMatch(/^src\/kinds: 23 files from Kubernetes v1\.36\.\d+, 0 different$/m)
})

/** A program of a user: every line is a promise of the types; every @ts-expect-error one more. */
const programText = `
import type { InputOf, KeyOf, ObjectOf } from 'kubewright'
import { Postgresql, type PostgresqlSpecVolume } from './acid.zalan.do/v1.js'
import { Certificate, ClusterIssuer } from './cert-manager.io/v1.js'
import { Everything, type EverythingSpec } from './features.example.com/v1.js'
import { Everything as OldEverything } from './features.example.com/v1beta1.js'
import { Gauge } from './json.example.com/v1.js'
import { Class, Kind, KindSpec, MyKind, Record as DnsRecord } from './names.example.com/v1.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export const claims: [
  Same<ObjectOf<typeof Everything>, Everything>,
  Same<Everything['apiVersion'], 'features.example.com/v1'>,
  Same<KeyOf<Everything>['namespace'], string>,
  Same<KeyOf<ClusterIssuer>['namespace'], string | undefined>,
  Same<Exclude<EverythingSpec['port'], undefined>, number | string>,
  Same<Exclude<EverythingSpec['anything'], undefined>, unknown>,
  Same<Exclude<EverythingSpec['matrix'], undefined>, (number | null)[][]>,
  Same<Exclude<EverythingSpec['maybeMode'], undefined>, 'On' | 'Off' | null>,
  Same<Exclude<EverythingSpec['level'], undefined>, 1 | 2 | -3>,
  Same<DnsRecord['status'], string | undefined>,
  Same<MyKind['kind'], 'My-kind'>,
] = [true, true, true, true, true, true, true, true, true, true, true]

export const least: EverythingSpec = { name: 'a', replicas: 1 }
export const most: InputOf<typeof Everything> = {
  metadata: { name: 'a', namespace: 'default' },
  spec: {
    ...least,
    big: 9007199254740991,
    port: 'http',
    size: 5,
    ports: [80, 'https'],
    freeForm: { a: { b: [1] } },
    halfOpen: { known: 'a', other: 1 },
    empty: {},
    template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { any: 'thing' } },
    typedTemplate: { apiVersion: 'v1', kind: 'Pod', spec: { image: 'nginx' } },
    limits: { cpu: 1, memory: '1Gi' },
    nestedMap: { a: { b: [{ weight: 1 }] } },
    rules: [{ host: 'a', paths: [{ path: '/' }] }],
    oddMode: "it's",
    always: true,
    maybeMode: null,
    note: null,
    owner: null,
    settings: { retries: 1, 'odd\`key': true },
    default: 'a',
    class: 'b',
    constructor: 'c',
    ['__proto__']: { polluted: false },
    'x-y': { inner: 'a' },
    xY: { other: 'b' },
    'a.b': 'c',
    '0': 'd',
    'größe': { 'länge': 1 },
    '': 'e',
    readonly: true,
    new: 'f',
  },
}
export const open: InputOf<typeof OldEverything> = { metadata: {}, extra: { any: 'thing' } }
export const volume: PostgresqlSpecVolume = { size: '10Gi' }
export const database: InputOf<typeof Postgresql> = {
  metadata: { name: 'acid-minimal' },
  spec: {
    teamId: 'acid',
    numberOfInstances: 2,
    postgresql: { version: '17', parameters: { shared_buffers: '32MB' } },
    volume,
    users: { zalando: ['superuser', 'createdb'], nobody: null },
    databases: { foo: 'zalando' },
  },
}
export const certificate: InputOf<typeof Certificate> = {
  metadata: { name: 'web' },
  spec: { secretName: 'web-tls', issuerRef: { name: 'ca' }, usages: ['server auth'] },
}
export const limit: bigint | number | undefined = {} as NonNullable<Gauge['spec']>['limit']
export const all: readonly unknown[] = [Class, Kind, KindSpec, Gauge, ClusterIssuer]

// @ts-expect-error -- replicas is required
export const incomplete: EverythingSpec = { name: 'a' }
// @ts-expect-error -- not one of the values
export const wrongMode: EverythingSpec = { ...least, mode: 'fast' }
// @ts-expect-error -- the server would drop what stands in an object without fields
export const notEmpty: EverythingSpec = { ...least, empty: { a: 1 } }
// @ts-expect-error -- an embedded object needs its kind
export const noKind: EverythingSpec = { ...least, template: { apiVersion: 'v1' } }
// @ts-expect-error -- the schema knows no such field
export const unknownField: EverythingSpec = { ...least, replica: 1 }
// @ts-expect-error -- null only where the schema says nullable
export const wrongNull: EverythingSpec = { ...least, labels: null }
`
