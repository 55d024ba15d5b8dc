import { buildRequest, type QueryParameters } from '../objects/index.js'
import type { CallOptions } from './call-options.js'
import type { ClientContext } from './client-context.js'
import { createLineSplitter, decodeUtf8 } from './line-splitter.js'
import type { AnyKey } from './object-access.js'
import { podTarget } from './pods.js'

/** Which part of which log. */
export interface LogOptions extends CallOptions {
  /** Required when the pod has several containers. */
  readonly container?: string | undefined
  /** The log of the container's last life. */
  readonly previous?: boolean | undefined
  readonly sinceSeconds?: number | undefined
  /** RFC 3339. */
  readonly sinceTime?: string | undefined
  readonly tailLines?: number | undefined
  readonly limitBytes?: number | undefined
  /** Begin each line with its time. */
  readonly timestamps?: boolean | undefined
}

/** The log of a container so far. */
export function readLogs(context: ClientContext, key: AnyKey, options: LogOptions = {}): Promise<string> {
  return context.caller.text(logRequest(context, key, options, false), options)
}

/** The lines of a container's log as they are written, until the container ends or the iteration is left. */
export async function* followLogs(
  context: ClientContext,
  key: AnyKey,
  options: LogOptions = {},
): AsyncGenerator<string, void, undefined> {
  const request = logRequest(context, key, options, true)
  // A container that is silent is not dead, and its first line may be what brings the headers.
  const patience = { timeoutMs: options.timeoutMs ?? 0, idleTimeoutMs: 0 }
  const response = await context.caller.send(request, { ...options, ...patience, isStream: true })
  const splitter = createLineSplitter()
  for await (const chunk of response.body) {
    const lines: string[] = []
    splitter.push(chunk, (line) => lines.push(decodeUtf8(line)))
    for (const line of lines) yield line
  }
  const rest = splitter.rest()
  if (rest !== undefined) yield decodeUtf8(rest)
}

function logRequest(context: ClientContext, key: AnyKey, options: LogOptions, follow: boolean) {
  const query: QueryParameters = {
    follow: follow ? true : undefined,
    container: options.container,
    previous: options.previous,
    sinceSeconds: options.sinceSeconds,
    sinceTime: options.sinceTime,
    tailLines: options.tailLines,
    limitBytes: options.limitBytes,
    timestamps: options.timestamps,
  }
  return buildRequest('get', podTarget(context, key, 'log'), { query, accept: '*/*' })
}
