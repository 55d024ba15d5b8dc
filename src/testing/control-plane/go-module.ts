import { KubewrightError } from '../../base/index.js'

/** What the module file of k8s.io/kubernetes says about how it is built. */
export interface KubernetesModule {
  /** The oldest Go that builds it: `1.26.0`. */
  readonly goVersion: string
  readonly etcdVersion: string
  /** A module file from which Kubernetes can be built out of the module proxy. */
  readonly moduleFile: string
}

/** The module file of Kubernetes does not have the shape that a build relies on. */
export class UnknownModuleShapeError extends KubewrightError {
  constructor(version: string, missing: string) {
    super(
      `The module file of Kubernetes ${version} has no ${missing}: this version cannot be built here. ` +
        'Choose another version, or set KUBEBUILDER_ASSETS to a folder with its binaries.',
      { code: 'KW_GO_MODULE_UNKNOWN_SHAPE' },
    )
  }
}

/**
 * Reads the module file of Kubernetes. It replaces its staging modules by folders that its module zip leaves out, so
 * nobody can build it as it is; a module of our own requires it and replaces each of them by its published version.
 */
export function readKubernetesModule(version: string, goMod: string): KubernetesModule {
  const find = (what: string, pattern: RegExp): string => {
    const found = pattern.exec(goMod)?.[1]
    if (found === undefined) throw new UnknownModuleShapeError(version, what)
    return found
  }
  const goVersion = find('go directive', /^go (\d+\.\d+(?:\.\d+)?)$/m)
  const etcdVersion = find(
    'requirement of etcd',
    /^\s*(?:require )?go\.etcd\.io\/etcd\/client\/v3 (v[\w.+-]+)/m,
  )
  const staging = [...goMod.matchAll(/^\s*(?:replace )?(k8s\.io\/[\w-]+) => \.\/staging\//gm)].map(
    (found) => found[1],
  )
  if (staging.length === 0) throw new UnknownModuleShapeError(version, 'replacements of its staging modules')
  // The behaviour of Go's runtime follows the main module: that is ours, and should be theirs.
  const godebug = /^godebug (default=\S+)$/m.exec(goMod)?.[1]
  const stagingVersion = version.replace(/^v1\./, 'v0.')
  return {
    goVersion,
    etcdVersion,
    moduleFile: [
      'module kubewright.invalid/control-plane',
      '',
      `go ${goVersion}`,
      '',
      ...(godebug === undefined ? [] : [`godebug ${godebug}`, '']),
      'require (',
      `\tk8s.io/kubernetes ${version}`,
      `\tgo.etcd.io/etcd/server/v3 ${etcdVersion}`,
      ')',
      '',
      'replace (',
      ...staging.map((module) => `\t${module} => ${module} ${stagingVersion}`),
      ')',
      '',
    ].join('\n'),
  }
}

/** True when Go `installed` (`go1.26.8`) is at least `required` (`1.26.0`). */
export function isGoAtLeast(installed: string, required: string): boolean {
  const numbers = (text: string): number[] => (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number)
  const [have, need] = [numbers(installed), numbers(required)]
  for (const [at, wanted] of need.entries()) {
    const found = have[at] ?? 0
    if (found !== wanted) return found > wanted
  }
  return true
}
