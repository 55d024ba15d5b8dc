import type { Container, PodSpec } from '../../../kinds/core/v1.js'
import type { Draft } from '../draft.js'
import { roundResources } from '../resource-list.js'
import { defaultContainer } from './default-container.js'
import { defaultVolume } from './default-volume.js'
import { defaultPodResources } from './pod-resources.js'

/** Fills in what the server fills in of the spec of every pod, also in templates. */
export function defaultPodSpec(spec: Draft<PodSpec>): void {
  dropUnserved(spec)
  spec.dnsPolicy ??= 'ClusterFirst'
  spec.restartPolicy ??= 'Always'
  spec.securityContext ??= {}
  spec.terminationGracePeriodSeconds ??= 30
  spec.schedulerName ??= 'default-scheduler'
  mirrorServiceAccount(spec)
  for (const volume of spec.volumes ?? []) defaultVolume(volume)
  for (const containers of [spec.initContainers, spec.containers, spec.ephemeralContainers])
    for (const container of containers ?? []) defaultContainer(container)
  roundResources(spec.overhead)
  roundResources(spec.resources?.limits)
  roundResources(spec.resources?.requests)
}

/** Fields of features that are off in a default server are dropped without a word. */
function dropUnserved(spec: Draft<PodSpec>): void {
  delete spec.schedulingGroup
  for (const containers of [spec.initContainers, spec.containers, spec.ephemeralContainers])
    for (const container of containers ?? []) {
      if (container.lifecycle?.stopSignal === undefined) continue
      delete container.lifecycle.stopSignal
      if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle
    }
  for (const { projected } of spec.volumes ?? [])
    for (const source of projected?.sources ?? []) {
      delete source.clusterTrustBundle
      delete source.podCertificate
    }
}

/** What is filled in of pods only, not of templates. Goes before {@link defaultPodSpec}. */
export function defaultOwnPodSpec(spec: Draft<PodSpec>): void {
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    defaultRequests(container)
  defaultPodResources(spec)
  spec.enableServiceLinks ??= true
  if (spec.hostNetwork === true) defaultHostPorts(spec)
}

/** The old name of the field always has the value of the new one. */
export function mirrorServiceAccount(spec: Draft<PodSpec>): void {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  if (name === undefined) return
  spec.serviceAccountName = name
  spec.serviceAccount = name
}

function defaultRequests({ resources }: Draft<Container>): void {
  if (!resources?.limits) return
  resources.requests = { ...resources.limits, ...resources.requests }
}

function defaultHostPorts(spec: Draft<PodSpec>): void {
  for (const { ports } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    for (const port of ports ?? []) if (port.containerPort) port.hostPort ??= port.containerPort
}
