import type { Clock } from '../base/index.js'
import type { Kind, WriteParameters } from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import type { ApiCaller } from './api-caller.js'

/** What the parts of one client share. */
export interface ClientContext {
  readonly caller: ApiCaller
  readonly log: Logger
  readonly clock: Clock
  /** Used where neither the object nor the key names a namespace. */
  readonly namespace: string | undefined
  /** What writes send unless the call says otherwise. */
  readonly write: WriteParameters
}

/** The namespace of one object: the one that was named, else the client's own. */
export function namespaceFor(
  context: ClientContext,
  kind: Pick<Kind, 'scope'>,
  named: string | undefined,
): string | undefined {
  if (kind.scope === 'Cluster' || (named !== undefined && named !== '')) return named
  return context.namespace
}

/** The write parameters of a call over those of the client. */
export function writeParametersFor(context: ClientContext, call: WriteParameters): WriteParameters {
  const { write } = context
  return {
    dryRun: call.dryRun ?? write.dryRun,
    fieldManager: call.fieldManager ?? write.fieldManager,
    fieldValidation: call.fieldValidation ?? write.fieldValidation,
  }
}
