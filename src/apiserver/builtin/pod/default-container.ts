import type { Container, LifecycleHandler, Probe } from '../../../kinds/core/v1.js'
import type { Draft } from '../draft.js'
import { roundResources } from '../resource-list.js'
import { isLatestImage } from './image-tag.js'

/** What containers, init containers and ephemeral containers have in common. */
export type AnyContainer = Omit<Container, 'name'> & { readonly name: string }

/** Fills in what the server fills in of a container. */
export function defaultContainer(container: Draft<AnyContainer>): void {
  container.imagePullPolicy ??= isLatestImage(container.image ?? '') ? 'Always' : 'IfNotPresent'
  container.terminationMessagePath ??= '/dev/termination-log'
  container.terminationMessagePolicy ??= 'File'
  for (const port of container.ports ?? []) port.protocol ??= 'TCP'
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ??= 'v1'
    if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false
  }
  roundResources(container.resources?.limits)
  roundResources(container.resources?.requests)
  defaultProbe(container.livenessProbe)
  defaultProbe(container.readinessProbe)
  defaultProbe(container.startupProbe)
  defaultHandler(container.lifecycle?.postStart)
  defaultHandler(container.lifecycle?.preStop)
}

function defaultProbe(probe: Draft<Probe> | undefined): void {
  if (probe === undefined) return
  probe.timeoutSeconds ??= 1
  probe.periodSeconds ??= 10
  probe.successThreshold ??= 1
  probe.failureThreshold ??= 3
  defaultHandler(probe)
  if (probe.grpc) probe.grpc.service ??= ''
}

function defaultHandler(handler: Pick<Draft<LifecycleHandler>, 'httpGet'> | undefined): void {
  if (!handler?.httpGet) return
  handler.httpGet.path ??= '/'
  handler.httpGet.scheme ??= 'HTTP'
}
