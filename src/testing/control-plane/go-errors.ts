import { KubewrightError } from '../../base/index.js'
import type { Component } from './component.js'

const byHand = 'or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl'

/** The binaries would have to be built, and there is no Go to build them with. */
export class GoMissingError extends KubewrightError {
  /** Why the sources before this one gave nothing. */
  readonly passedOver: readonly string[]

  constructor(passedOver: readonly string[], cause: unknown) {
    super(
      `The control plane is not installed, and the command \`go\`, which could build it, was not found. ${passedOver
        .map((reason) => `${reason} `)
        .join('')}Install Go, ${byHand}.`,
      { code: 'KW_GO_MISSING', cause },
    )
    this.passedOver = passedOver
  }
}

/** The installed Go cannot build this version of Kubernetes and may not fetch a newer one. */
export class GoTooOldError extends KubewrightError {
  readonly installed: string
  readonly required: string

  constructor(facts: { readonly installed: string; readonly required: string }) {
    super(
      `Go ${facts.installed} is installed and Go ${facts.required} or newer is needed. Install it, or allow Go to ` +
        `fetch it (go env -w GOTOOLCHAIN=auto), ${byHand}.`,
      { code: 'KW_GO_TOO_OLD' },
    )
    this.installed = facts.installed
    this.required = facts.required
  }
}

/** Go could not fetch the sources. */
export class GoModulesUnreachableError extends KubewrightError {
  /** The end of what Go said. */
  readonly output: string

  constructor(output: string) {
    super(
      `Go could not fetch the sources of Kubernetes. Check the connection and what \`go env GOPROXY GONOSUMDB\` says, ` +
        `and try again: what is built already is kept. Go said:\n${output}`,
      { code: 'KW_GO_MODULES_UNREACHABLE' },
    )
    this.output = output
  }
}

/** The build of one binary failed. */
export class GoBuildFailedError extends KubewrightError {
  readonly component: Component
  /** The end of what Go said. */
  readonly output: string

  constructor(component: Component, output: string) {
    super(
      `Building ${component} failed. Look at the output of Go (is there memory and disk left?) and try again: ` +
        `what is built already is kept. Go said:\n${output}`,
      { code: 'KW_GO_BUILD_FAILED' },
    )
    this.component = component
    this.output = output
  }
}
