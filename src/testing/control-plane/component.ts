import { KubewrightError } from '../../base/index.js'

/** The programs that a control plane for tests is made of. */
export type Component =
  | 'etcd'
  | 'kube-apiserver'
  | 'kubectl'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'

/** All of them, in the order in which they are built: what the smallest cluster needs comes first. */
export const allComponents: readonly Component[] = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
]

/** The Kubernetes version that kubewright is tested with. */
export const defaultKubernetesVersion = '1.36.3'

/** kwok has versions of its own; one serves several versions of Kubernetes. */
export const kwokVersion = 'v0.7.0'

/** A machine in Go's words: `linux` and `amd64`, `darwin` and `arm64`. */
export interface Platform {
  readonly os: string
  readonly arch: string
}

/** The version asked for is not one of Kubernetes: `1.36.3`, with or without a leading `v`. */
export class InvalidKubernetesVersionError extends KubewrightError {
  readonly version: string

  constructor(version: string) {
    super(
      `${JSON.stringify(version)} is not a version of Kubernetes. Write all three numbers, as in ${defaultKubernetesVersion}.`,
      { code: 'KW_KUBERNETES_VERSION_INVALID' },
    )
    this.version = version
  }
}

/** `1.36.3` and `v1.36.3` as `v1.36.3`. Nothing else passes: the version becomes part of paths and addresses. */
export function parseKubernetesVersion(version: string): string {
  const match = /^v?(1\.\d{1,3}\.\d{1,3}(?:-(?:alpha|beta|rc)\.\d{1,3})?)$/.exec(version)
  if (match?.[1] === undefined) throw new InvalidKubernetesVersionError(version)
  return `v${match[1]}`
}

const goArch: Readonly<Record<string, string>> = { x64: 'amd64', ppc64: 'ppc64le', ia32: '386' }

/** The platform in Go's words for what Node calls it. */
export function platformOf(machine: { readonly platform: string; readonly arch: string }): Platform {
  return {
    os: machine.platform === 'win32' ? 'windows' : machine.platform,
    arch: goArch[machine.arch] ?? machine.arch,
  }
}

/** The name of a component's file. */
export function fileNameOf(component: Component, platform: Platform): string {
  return platform.os === 'windows' ? `${component}.exe` : component
}
