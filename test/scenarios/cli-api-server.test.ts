import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProgramProcess, runProgram } from './program-process.js'

let folder = ''
let scratch = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-cli-'))
  scratch = join(folder, 'tmp')
  await mkdir(scratch)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const cli = 'src/cli/main.ts'

/** A command as a person types it, on a machine without a cluster of its own. */
function kubewright(args: readonly string[], kubeconfig = '', input?: string): ProgramProcess {
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder, TMPDIR: scratch }
  return runProgram(cli, args, { env, ...(input !== undefined && { input }) })
}

/** What a command prints, and how it ends. */
async function outcome(
  program: ProgramProcess,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const code = await program.ended()
  return { code, output: program.output }
}

const introducedKubeconfig = /^KUBECONFIG=(\S+)$/m

const manifests = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Foo, plural: foos, singular: foo, shortNames: [fo], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {replicas: {type: integer, format: int64}}}
    additionalPrinterColumns: [{name: Replicas, type: integer, jsonPath: .spec.replicas}]
---
---
{"apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "one"}, "spec": {"replicas": 1}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`

describe('on the API server of `kubewright api-server`', () => {
  let server: ProgramProcess
  let kubeconfig = ''
  const run = (command: string, input?: string): Promise<{ code: number | null; output: string }> => {
    const args = Array.from(
      command.matchAll(/'([^']*)'|(\S+)/g),
      ([, quoted, plain]) => quoted ?? plain ?? '',
    )
    return outcome(kubewright(args, kubeconfig, input))
  }

  beforeAll(async () => {
    server = kubewright(['api-server'])
    await server.printed('Ctrl-C')
    kubeconfig = introducedKubeconfig.exec(server.output)?.[1] ?? ''
  })
  afterAll(() => server.stop())

  test('objects are applied, shown, changed and deleted', async () => {
    const applied = await run('apply -f -', manifests)
    expect(applied).toEqual({
      code: 0,
      output: [
        'customresourcedefinition.apiextensions.k8s.io/foos.example.com created',
        'foo.example.com/one created',
        'deployment.apps/web created',
        '',
      ].join('\n'),
    })
    expect((await run('apply -f -', manifests)).output).toMatch(
      /^customresource\S+ unchanged\nfoo.example.com\/one unchanged\ndeployment.apps\/web unchanged\n$/,
    )

    // The number is beyond what a double can hold.
    const patched = await run(`patch fo one --type=merge -p '{"spec":{"replicas":9007199254740993}}'`)
    expect(patched).toEqual({ code: 0, output: 'foo.example.com/one patched\n' })
    expect((await run('get foo one -o yaml')).output).toMatch(/^spec:\n {2}replicas: 9007199254740993$/m)
    expect((await run('get foos.example.com')).output).toBe('NAME   REPLICAS\none    9007199254740993\n')

    const { output: both } = await run('get foo,deployment')
    expect(both).toMatch(
      /^NAME +REPLICAS\nfoo.example.com\/one +\d+\n\nNAME +READY .*\ndeployment.apps\/web +2\/2 +2 +2 +\d+s\n$/,
    )
    expect((await run('get all -o name')).output).toMatch(
      /^pod\/web-\S+\npod\/web-\S+\n(.*\n)*foo.example.com\/one\n$/,
    )

    const conflict = await run('apply -f -', manifests)
    expect(conflict.code).toBe(1)
    expect(conflict.output).toContain('conflict with "kubewright-patch"')
    expect(conflict.output).toContain('--force-conflicts. (KW_APPLY_CONFLICT)')
    expect(conflict.output).toContain('deployment.apps/web unchanged')

    expect(await run('delete foo/one deployment/web --cascade=foreground')).toEqual({
      code: 0,
      output:
        'foo.example.com "one" deleted from default namespace\ndeployment.apps "web" deleted from default namespace\n',
    })
    expect(await run('get foo,pods')).toEqual({
      code: 0,
      output: 'No resources found in default namespace.\n',
    })
    expect((await run('events --for deployment/web')).output).toMatch(
      /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n.* ScalingReplicaSet +deployment\/web +Scaled up/,
    )
  })

  test('a watch shows what is there, then what changes', async () => {
    const apply = (text: string): Promise<unknown> =>
      run('apply -f -', `{apiVersion: v1, kind: ConfigMap, metadata: {name: watched}, data: {${text}}}`)
    await apply('a: x')
    await using watch = kubewright(['get', 'cm', 'watched', '-w'], kubeconfig)
    await watch.printed(/^watched +1 /m)
    await apply('a: x, b: y')
    await watch.printed(/^watched +2 /m)
    expect(watch.output).toMatch(/^NAME +DATA +AGE\n/)
    await watch.stop('SIGINT')
    expect(watch.output).not.toContain('    at ')
  })

  test.each([
    ['get nothing', 'KW_KIND_NOT_FOUND'],
    ['get pods nobody', 'KW_API_ERROR'],
    ['get pods -A web', 'KW_INVALID_ARGUMENTS'],
    ['events --for web', 'KW_INVALID_ARGUMENTS'],
    ['apply -f absent.yaml', 'KW_MANIFEST'],
    ['get pods --kubeconfig absent', 'KW_CLUSTER_CONFIG_MISSING'],
  ])('%s ends in one sentence with its code', async (command, code) => {
    const { code: exitCode, output } = await run(command)
    expect(exitCode).toBe(1)
    expect(output).toMatch(new RegExp(`^Error: .*\\(${code}\\)\\n$`))
  })

  test('it stops when it is told to, and leaves nothing behind', async () => {
    expect(await server.stop('SIGINT')).toBe(0)
    expect(existsSync(kubeconfig)).toBe(false)
    expect((await readdir(scratch)).filter((name) => name.startsWith('kubewright-'))).toEqual([])
    const { code, output } = await run('get ns')
    expect(code).toBe(1)
    expect(output).toMatch(/^Error: .*\(KW_CLUSTER_CONFIG_MISSING\)\n$/)
  })
})

describe('`kubewright api-server --data-dir`', () => {
  test('is the same server again after it was killed: objects, keys and port', async () => {
    const dataDir = join(folder, 'data')
    const old = join(folder, 'old.kubeconfig')
    {
      await using first = kubewright(['api-server', '--data-dir', dataDir])
      await first.printed('Ctrl-C')
      expect(introducedKubeconfig.exec(first.output)?.[1]).toBe(join(dataDir, 'kubeconfig'))
      await copyFile(join(dataDir, 'kubeconfig'), old)
      const applied = kubewright(
        ['apply', '-f', '-'],
        old,
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: kept}}',
      )
      expect(await outcome(applied)).toEqual({ code: 0, output: 'configmap/kept created\n' })

      const second = await outcome(kubewright(['api-server', '--data-dir', dataDir]))
      expect(second.code).toBe(1)
      expect(second.output).toMatch(/^Error: .*\(KW_STORE_LOCKED\)\n$/)
      await first.stop('SIGKILL')
    }
    await using again = kubewright(['api-server', '--data-dir', dataDir])
    await again.printed('Ctrl-C')
    expect(await outcome(kubewright(['get', 'cm', 'kept', '-o', 'name'], old))).toEqual({
      code: 0,
      output: 'configmap/kept\n',
    })
    expect(await again.stop('SIGTERM')).toBe(0)
    expect(await readFile(join(dataDir, 'kubeconfig'), 'utf8')).toContain('"kubewright"')
  })

  test('names what is wrong with a folder or a port', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    const damaged = join(folder, 'damaged')
    await mkdir(damaged)
    await writeFile(join(damaged, 'keys.json'), '{')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    try {
      const attempts = [
        [['--data-dir', file], 'KW_DATA_DIRECTORY'],
        [['--data-dir', damaged], 'KW_API_SERVER_KEYS'],
        [['--port', String(port)], 'KW_API_SERVER_LISTEN'],
        [['--host', '0.0.0.0'], 'KW_API_SERVER_EXPOSED'],
        [['--kubeconfig', join(folder, 'absent', 'config')], 'KW_KUBECONFIG_UNWRITABLE'],
      ] as const
      for (const [flags, code] of attempts) {
        const { code: exitCode, output } = await outcome(kubewright(['api-server', ...flags]))
        expect(exitCode).toBe(1)
        expect(output).toMatch(new RegExp(`^Error: .*\\(${code}\\)\\n$`))
      }
    } finally {
      taken.close()
    }
  })
})

describe('`npm start`', () => {
  test('shows what happens to the sample, keeps it, and stops when it is told to', async () => {
    const dataDir = join(folder, 'start')
    const env = { ...process.env, PATH: '', TMPDIR: scratch }
    const start = (): ProgramProcess => runProgram('scripts/start.ts', ['--data-dir', dataDir], { env })
    {
      await using first = start()
      await first.printed(/^Foo default\/foo-sample settled in \d+ ms, because: added foos.example.com/m)
      expect(first.output).toContain(`KUBECONFIG=${join(dataDir, 'kubeconfig')}\n`)
      // Without kubectl on the PATH, our own commands do the same.
      expect(first.output.match(/^ {2}npm run kubewright -- (get|patch|delete) /gm)).toHaveLength(3)
      const patch = ['patch', 'foo', 'foo-sample', '--type=merge', '-p', '{"spec":{"replicas":3}}']
      expect((await outcome(kubewright(patch, join(dataDir, 'kubeconfig')))).code).toBe(0)
      await first.printed(/because: changed foos.example.com default\/foo-sample: spec.replicas/)
      expect(await first.stop('SIGTERM')).toBe(0)
      expect(first.output).not.toMatch(/ {4}at |failed/)
    }
    await using second = start()
    await second.printed('is there from an earlier run')
    const { output } = await outcome(
      kubewright(['get', 'foo', 'foo-sample', '-o', 'yaml'], join(dataDir, 'kubeconfig')),
    )
    expect(output).toMatch(/^ {2}replicas: 3$/m)
    expect(await second.stop('SIGINT')).toBe(0)
  })
})
