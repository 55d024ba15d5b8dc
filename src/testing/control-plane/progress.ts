import { assertNever, type Clock } from '../../base/index.js'
import type { Component } from './component.js'

/** What is going on while a control plane is found, fetched, built and started. For people; plain data. */
export type ControlPlaneProgress =
  /** A source was passed over, and why. */
  | { readonly kind: 'skipped'; readonly source: 'archive'; readonly reason: string }
  /** Another process prepares the same folder. Repeated while it does. */
  | { readonly kind: 'waiting'; readonly holder: string; readonly elapsedMs: number }
  /** Repeated while bytes arrive. */
  | {
      readonly kind: 'downloading'
      readonly url: string
      readonly receivedBytes: number
      readonly totalBytes: number | undefined
    }
  /** Repeated while the build of one binary runs. */
  | {
      readonly kind: 'building'
      readonly component: Component
      /** This is the `step`-th of `steps` binaries. */
      readonly step: number
      readonly steps: number
      readonly elapsedMs: number
      /** The last thing that Go said. */
      readonly detail?: string
    }
  | { readonly kind: 'installed'; readonly component: Component; readonly elapsedMs: number }
  | { readonly kind: 'starting'; readonly component: Component }
  | { readonly kind: 'ready'; readonly elapsedMs: number }

export type OnProgress = (progress: ControlPlaneProgress) => void

/** One line for a terminal. */
export function describeProgress(progress: ControlPlaneProgress): string {
  switch (progress.kind) {
    case 'skipped':
      return `Official archive not used: ${progress.reason}`
    case 'waiting':
      return `Waiting for ${progress.holder}, which prepares the same binaries (${duration(progress.elapsedMs)})`
    case 'downloading':
      return `Downloading ${progress.url}: ${megabytes(progress.receivedBytes)} of ${
        progress.totalBytes === undefined ? 'unknown size' : megabytes(progress.totalBytes)
      }`
    case 'building':
      return `Building ${progress.component} with Go, ${progress.step} of ${progress.steps} (${duration(progress.elapsedMs)})${
        progress.detail === undefined ? '' : `: ${progress.detail}`
      }`
    case 'installed':
      return `Installed ${progress.component} after ${duration(progress.elapsedMs)}`
    case 'starting':
      return `Starting ${progress.component}`
    case 'ready':
      return `The control plane is ready after ${duration(progress.elapsedMs)}`
    default:
      return assertNever(progress)
  }
}

function duration(elapsedMs: number): string {
  const seconds = elapsedMs / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** Lets through the first call and then one every five seconds: for people, who read slower than machines poll. */
export function throttled<Args extends readonly unknown[]>(
  clock: Clock,
  report: (...args: Args) => void,
): (...args: Args) => void {
  let nextMs = Number.NEGATIVE_INFINITY
  return (...args) => {
    const nowMs = clock.monotonic()
    if (nowMs < nextMs) return
    nextMs = nowMs + 5_000
    report(...args)
  }
}
