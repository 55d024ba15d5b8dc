import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import { cacheFolder } from './asset-folder.js'
import { platformOf } from './component.js'
import { type EnsureControlPlaneOptions, ensureControlPlane } from './ensure-control-plane.js'
import type { ArchiveSource } from './envtest-archive.js'
import type { ControlPlaneProgress } from './progress.js'

const run = promisify(execFile)
const components = ['etcd', 'kube-apiserver'] as const

let root = ''
const servers: Server[] = []
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kubewright-ensure-'))
  await mkdir(join(root, 'bin'))
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await rm(root, { recursive: true })
})

// No tools of the system: whether this machine has Go is not for these tests to know.
const env = (): Record<string, string> => ({ XDG_CACHE_HOME: join(root, 'cache'), PATH: join(root, 'bin') })
const cache = (): string => cacheFolder({ env: env(), platform: platformOf(process), version: 'v1.36.3' })
const ensure = (options: EnsureControlPlaneOptions = {}): ReturnType<typeof ensureControlPlane> =>
  ensureControlPlane({ env: env(), components, ...options })

async function putScript(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

/** An archive with the layout of the official one, made by the system's tar. */
async function archive(version = 'v1.36.3'): Promise<Buffer> {
  const folder = join(root, 'controller-tools', 'envtest')
  await mkdir(folder, { recursive: true })
  await putScript(join(folder, 'etcd'), 'echo etcd Version: 3.6.8')
  await putScript(join(folder, 'kube-apiserver'), `echo Kubernetes ${version}`)
  await run('tar', ['czf', 'archive.tar.gz', 'controller-tools'], { cwd: root })
  return readFile(join(root, 'archive.tar.gz'))
}

async function serve(listener: RequestListener): Promise<Pick<ArchiveSource, 'url' | 'ca'>> {
  const authority = createCertificateAuthority({ commonName: 'test' })
  const serving = issueCertificate(authority, {
    commonName: 'test',
    purposes: ['server'],
    ipAddresses: ['127.0.0.1'],
  })
  const server = createServer(serving, listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server's address is never a string.
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/archive.tar.gz`,
    ca: authority.cert,
  }
}

const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex')

test('binaries come from an archive whose checksum is right, and are there the next time', async () => {
  const bytes = await archive()
  const source = await serve((_request, response) => response.end(bytes))
  const progress: ControlPlaneProgress[] = []
  const assets = await ensure({
    archive: { ...source, sha512: sha512(bytes) },
    onProgress: (event) => progress.push(event),
  })
  expect(assets.folder).toBe(cache())
  expect((await readdir(cache())).sort()).toEqual(['etcd', 'inventory.json', 'kube-apiserver'])
  expect((await run(assets.binaries['kube-apiserver'], [])).stdout).toBe('Kubernetes v1.36.3\n')
  expect(progress.map((event) => event.kind)).toEqual(['downloading', 'installed', 'installed'])
  servers[0]?.close()
  expect(await ensure()).toEqual(assets)
})

test('an archive with another checksum is deleted, and nothing is built in its stead', async () => {
  const bytes = await archive()
  const source = await serve((_request, response) => response.end(bytes))
  await expect(ensure({ archive: { ...source, sha512: '00' } })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_ARCHIVE_CHECKSUM_MISMATCH', actualSha512: sha512(bytes) }),
  )
  expect(await readdir(cache())).toEqual([])
})

test('an archive with a link is refused although its checksum is right', async () => {
  await archive()
  await run('ln', ['-s', '/bin/sh', 'controller-tools/envtest/kubectl'], { cwd: root })
  await run('tar', ['czf', 'archive.tar.gz', 'controller-tools'], { cwd: root })
  const bytes = await readFile(join(root, 'archive.tar.gz'))
  const source = await serve((_request, response) => response.end(bytes))
  await expect(ensure({ archive: { ...source, sha512: sha512(bytes) } })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_ARCHIVE_UNSAFE' }),
  )
  expect(await readdir(cache())).toEqual([])
})

test('what is no archive at all is refused', async () => {
  const bytes = Buffer.from('<html>')
  const source = await serve((_request, response) => response.end(bytes))
  await expect(ensure({ archive: { ...source, sha512: sha512(bytes) } })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_ARCHIVE_UNSAFE' }),
  )
})

test('a binary of another version is not installed', async () => {
  const bytes = await archive('v1.35.0')
  const source = await serve((_request, response) => response.end(bytes))
  await expect(ensure({ archive: { ...source, sha512: sha512(bytes) } })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_ASSETS_BROKEN_BINARY', component: 'kube-apiserver' }),
  )
})

test('redirects are followed, but never away from https', async () => {
  const bytes = await archive()
  const source = await serve((request, response) => {
    if (request.url === '/archive.tar.gz') response.writeHead(302, { location: '/moved' }).end()
    else response.end(bytes)
  })
  await ensure({ archive: { ...source, sha512: sha512(bytes) } })
  await rm(cache(), { recursive: true })
  const plain = await serve((_request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  })
  await expect(ensure({ archive: { ...plain, sha512: sha512(bytes) } })).rejects.toThrow(
    expect.objectContaining({
      code: 'KW_GO_MISSING',
      passedOver: [expect.stringContaining('http://127.0.0.1:1/ is not an https address')],
    }),
  )
})

test('an archive out of reach and no Go: the error says both', async () => {
  const source = await serve((_request, response) => response.writeHead(404).end())
  await expect(ensure({ archive: { ...source, sha512: '00' } })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_GO_MISSING', passedOver: [expect.stringContaining('answered 404')] }),
  )
})

test('no pinned checksum and no Go: the error says both', async () => {
  await expect(ensure()).rejects.toThrow(
    expect.objectContaining({
      code: 'KW_GO_MISSING',
      message: expect.stringMatching(/No checksum is pinned .* v1\.36\.3.*Install Go/),
    }),
  )
})

test('a download can be given up', async () => {
  const controller = new AbortController()
  const source = await serve((_request, response) => {
    response.write('a little')
    controller.abort(new Error('enough'))
  })
  await expect(ensure({ archive: { ...source, sha512: '00' }, signal: controller.signal })).rejects.toThrow(
    'enough',
  )
})

/** A stand-in for Go that answers `env` and `mod download`, and builds scripts; `kube-apiserver` only when told. */
async function putGo(version = 'go1.26.8'): Promise<void> {
  await writeFile(
    join(root, 'k8s.mod'),
    'go 1.26.0\nrequire go.etcd.io/etcd/client/v3 v3.6.8\nreplace k8s.io/api => ./staging/src/k8s.io/api\n',
  )
  await putScript(
    join(root, 'bin', 'go'),
    `echo "$1 $GOFLAGS$CGO_ENABLED" >> ${root}/calls
case "$1" in
env) echo '{"GOVERSION":"${version}","GOTOOLCHAIN":"local"}';;
mod) echo '{"GoMod":"${root}/k8s.mod"}';;
build)
  while [ "$1" != -o ]; do shift; done
  case "$2" in
  */etcd) printf '#!/bin/sh\\necho etcd Version: 3.6.8\\n' > "$2";;
  *) [ -e ${root}/fixed ] || { echo 'signal: killed' >&2; exit 1; }
     printf '#!/bin/sh\\necho Kubernetes v1.36.3\\n' > "$2";;
  esac;;
esac`,
  )
}

test('a build that failed goes on where it was, with the binaries that were done', async () => {
  await putGo()
  const progress: string[] = []
  const onProgress = (event: ControlPlaneProgress): void => {
    if (event.kind === 'installed' || event.kind === 'building')
      progress.push(`${event.kind} ${event.component}`)
  }
  await expect(ensure({ onProgress })).rejects.toThrow(
    expect.objectContaining({
      code: 'KW_GO_BUILD_FAILED',
      component: 'kube-apiserver',
      output: 'signal: killed',
    }),
  )
  expect((await readdir(cache())).sort()).toEqual(['etcd', 'inventory.json'])
  await writeFile(join(root, 'fixed'), '')
  await ensure({ onProgress })
  expect(progress).toEqual([
    'building etcd',
    'installed etcd',
    'building kube-apiserver',
    'building kube-apiserver',
    'installed kube-apiserver',
  ])
  // Static, and without the user's own flags.
  expect(new Set((await readFile(join(root, 'calls'), 'utf8')).trim().split('\n'))).toEqual(
    new Set(['env 0', 'mod 0', 'build 0']),
  )
})

test('two that ask at once build once', async () => {
  await putGo()
  await writeFile(join(root, 'fixed'), '')
  const installed: string[] = []
  const onProgress = (event: ControlPlaneProgress): void => {
    if (event.kind === 'installed') installed.push(event.component)
  }
  const [first, second] = await Promise.all([ensure({ onProgress }), ensure({ onProgress })])
  expect(first).toEqual(second)
  expect(installed).toEqual(['etcd', 'kube-apiserver'])
})

test('a Go that is too old is told from one that is missing', async () => {
  await putGo('go1.25.3')
  await expect(ensure()).rejects.toThrow(
    expect.objectContaining({ code: 'KW_GO_TOO_OLD', installed: '1.25.3', required: '1.26.0' }),
  )
})

test('a module proxy out of reach is told from a failed build', async () => {
  await putScript(
    join(root, 'bin', 'go'),
    `[ "$1" = env ] && echo '{"GOVERSION":"go1.26.8","GOTOOLCHAIN":"local"}' && exit
echo '{"Error":"Get \\"https://proxy.invalid/\\": dial tcp: lookup proxy.invalid: no such host"}'; exit 1`,
  )
  await expect(ensure()).rejects.toThrow(expect.objectContaining({ code: 'KW_GO_MODULES_UNREACHABLE' }))
})

test('a cache that cannot be written is named', async () => {
  await writeFile(join(root, 'cache'), 'a file where a folder should be')
  await expect(ensure()).rejects.toThrow(
    expect.objectContaining({ code: 'KW_ASSETS_CACHE_UNWRITABLE', folder: cache() }),
  )
})
