import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, isPlainObject } from '../../base/index.js'
import { type AssetFolder, installBinary } from './asset-inventory.js'
import { type Component, fileNameOf, kwokVersion } from './component.js'
import { findGo, type Go } from './go-command.js'
import { GoTooOldError } from './go-errors.js'
import { isGoAtLeast, readKubernetesModule } from './go-module.js'
import type { OnProgress } from './progress.js'

export interface GoBuild {
  readonly assets: AssetFolder
  readonly components: readonly Component[]
  /** An empty folder on the file system of the assets. */
  readonly workshop: string
  /** Why the sources before this one gave nothing: for the error when there is no Go either. */
  readonly passedOver: readonly string[]
  readonly clock: Clock
  readonly onProgress: OnProgress
  readonly signal?: AbortSignal
}

/**
 * Builds the components one after the other from the Go module proxy and installs each as soon as it is done, so that
 * a later run goes on where this one was interrupted.
 */
export async function buildWithGo(build: GoBuild): Promise<void> {
  const { assets, components, clock, onProgress } = build
  const go = await findGo({ ...assets, ...build }, build.passedOver)
  const module = await mkdtemp(join(tmpdir(), 'kubewright-go-'))
  try {
    // kwok pins other versions of the same modules: it is built as a program of its own.
    if (components.some((component) => component !== 'kwok')) await writeModule(assets.version, go, module)
    for (const [index, component] of components.entries()) {
      const since = clock.monotonic()
      const step = { component, step: index + 1, steps: components.length }
      const report = (detail: string | undefined): void => {
        const elapsedMs = clock.monotonic() - since
        onProgress({ kind: 'building', ...step, elapsedMs, ...(detail === undefined ? {} : { detail }) })
      }
      report(undefined)
      const output = join(build.workshop, component)
      await mkdir(output)
      const file = join(output, fileNameOf(component, assets.platform))
      const run = {
        cwd: module,
        onAlive: report,
        ...(component === 'kwok' ? { env: { GOBIN: output } } : {}),
      }
      const result = await go.run(buildArguments(component, assets.version, file), run)
      if (result.exitCode !== 0) throw go.explain(component, result)
      await installBinary(assets, component, file)
      onProgress({ kind: 'installed', component, elapsedMs: clock.monotonic() - since })
    }
  } finally {
    await rm(module, { recursive: true, force: true })
  }
}

/** Writes the module that Kubernetes is built from. */
async function writeModule(version: string, go: Go, folder: string): Promise<void> {
  const result = await go.run(['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], { cwd: folder })
  const goMod = downloadedGoMod(result.stdout)
  if (goMod === undefined) throw go.explain('kube-apiserver', result)
  const { goVersion, moduleFile } = readKubernetesModule(version, await readFile(goMod, 'utf8'))
  if (!go.mayFetchNewer && !isGoAtLeast(go.version, goVersion))
    throw new GoTooOldError({ installed: go.version, required: goVersion })
  await writeFile(join(folder, 'go.mod'), moduleFile)
}

function downloadedGoMod(json: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(json)
    return isPlainObject(parsed) && typeof parsed['GoMod'] === 'string' ? parsed['GoMod'] : undefined
  } catch {
    return undefined
  }
}

function buildArguments(component: Component, version: string, file: string): readonly string[] {
  const common = ['-trimpath', '-buildvcs=false']
  // `go install` takes the version of the program itself, and puts it where GOBIN says.
  if (component === 'kwok')
    return ['install', ...common, '-ldflags', '-s -w', `sigs.k8s.io/kwok/cmd/kwok@${kwokVersion}`]
  const program = component === 'etcd' ? 'go.etcd.io/etcd/server/v3' : `k8s.io/kubernetes/cmd/${component}`
  return ['build', '-mod=mod', ...common, '-ldflags', linkerFlags(version), '-o', file, program]
}

/** Without these the binaries say that they are v0.0.0-master, and clients believe them. */
function linkerFlags(version: string): string {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version) ?? []
  const facts = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' }
  const settings = Object.entries(facts).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  )
  return ['-s', '-w', ...settings, `-X k8s.io/client-go/pkg/version.gitVersion=${version}`].join(' ')
}
