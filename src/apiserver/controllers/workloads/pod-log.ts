import { parseUtcTime } from '../../../base/index.js'
import type { Pod } from '../../../kinds/core/v1.js'
import type { TransportResponse } from '../../../objects/index.js'
import { containerFor } from '../../builtin/core/pod-container.js'
import { viewOf } from '../../builtin/draft.js'
import { type FieldError, forbidden, invalid } from '../../builtin/field-errors.js'
import type { ClusterState, Nature } from '../../cluster-state.js'
import { badRequest, invalid as invalidOptions, notFound } from '../../failure.js'
import { partsResponse } from '../../output/parts-response.js'
import { parseGoInt64 } from '../../read/go-integer.js'
import { isTrue } from '../../request/parse-request.js'
import type { Handler } from '../../resource.js'

export interface PodLogParts {
  readonly cluster: ClusterState
  readonly nature: Nature
  /** Calls back after each change, until the function that it returns is called. */
  readonly onChange: (listener: () => void) => () => void
  /** Aborts when the server stops: nothing is followed any longer. */
  readonly shutdown: AbortSignal
}

/**
 * Answers `get` of `pods/log`: a simulated container says once that it runs, and nothing more. Whoever follows it waits
 * until it ends.
 */
export function answerPodLog({ cluster, nature, onChange, shutdown }: PodLogParts): Handler {
  return async ({ info, query, signal }) => {
    const options = readOptions(query, info.name)
    const object = cluster.get('pods', info.namespace, info.name)
    if (object === undefined) throw notFound({ group: '', resource: 'pods' }, info.name)
    const pod = viewOf<Pod>(object)
    const container = containerFor(pod, query.get('container') ?? '')
    // Nobody is there who could have said anything.
    if ((pod.spec?.nodeName ?? '') === '') return { raw: noContent() }
    const status = pod.status?.containerStatuses?.find(({ name }) => name === container)
    const state = options.isPrevious ? status?.lastState : status?.state
    const started = state?.running ?? state?.terminated
    if (started === undefined) {
      if (options.isPrevious)
        throw badRequest(`previous terminated container "${container}" in pod "${info.name}" not found`)
      const reason = state?.waiting?.reason ?? 'ContainerCreating'
      throw badRequest(`container "${container}" in pod "${info.name}" is waiting to start: ${reason}`)
    }
    const startedAt = started.startedAt ?? ''
    const isAskedFor =
      options.tailLines !== 0n && (parseUtcTime(startedAt) ?? 0) >= options.sinceMs(nature.clock.now())
    const text = `container ${container} of image ${status?.image ?? ''} runs as a simulation\n`
    const log = isAskedFor ? `${options.hasTimes ? `${startedAt} ` : ''}${text}` : ''
    const bytes = Buffer.from(log).subarray(0, options.maxBytes)
    const isRunning = (): boolean => {
      const found = cluster.get('pods', info.namespace, info.name)
      const now =
        found && viewOf<Pod>(found).status?.containerStatuses?.find(({ name }) => name === container)
      return found?.metadata.uid === object.metadata.uid && now?.state?.running?.startedAt === startedAt
    }
    if (!options.isFollowed || bytes.length === options.maxBytes || !isRunning())
      return { raw: partsResponse(200, 'text/plain', [bytes]) }
    const untilEnd = (): Promise<void> =>
      new Promise((resolve) => {
        const endings = signal === undefined ? [shutdown] : [shutdown, signal]
        const unsubscribe = onChange(() => end())
        const end = (): void => {
          if (isRunning() && !endings.some(({ aborted }) => aborted)) return
          unsubscribe()
          for (const ending of endings) ending.removeEventListener('abort', end)
          resolve()
        }
        for (const ending of endings) ending.addEventListener('abort', end)
        // It may have ended while what it said was read.
        end()
      })
    return { raw: followResponse(bytes, untilEnd) }
  }
}

/** What was said so far, and then nothing until the end. */
function followResponse(said: Uint8Array, untilEnd: () => Promise<void>): TransportResponse {
  async function* body(): AsyncGenerator<Uint8Array, void> {
    if (said.length > 0) yield said
    await untilEnd()
  }
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: { [Symbol.asyncIterator]: body } }
}

function noContent(): TransportResponse {
  return { status: 204, headers: {}, body: { [Symbol.asyncIterator]: async function* () {} } }
}

interface LogOptions {
  readonly tailLines: bigint | undefined
  readonly maxBytes: number
  readonly hasTimes: boolean
  readonly isPrevious: boolean
  readonly isFollowed: boolean
  /** What was said before this time is not asked for. */
  sinceMs(nowMs: number): number
}

/** Throws ApiFailure: 400 for what is no number, 422 for one that cannot be. */
function readOptions(query: URLSearchParams, name: string): LogOptions {
  const number = (option: string): bigint | undefined => {
    const text = query.get(option)
    if (text === null) return undefined
    const parsed = parseGoInt64(text)
    if ('problem' in parsed) throw badRequest(parsed.problem)
    return parsed.value
  }
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map(number)
  const sinceTime = query.get('sinceTime')
  const errors: FieldError[] = []
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'))
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'))
  if (sinceSeconds !== undefined && sinceTime !== null)
    errors.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'))
  if (errors.length > 0) throw invalidOptions({ group: '', resource: 'PodLogOptions' }, name, errors)
  return {
    tailLines,
    maxBytes: limitBytes === undefined ? Number.POSITIVE_INFINITY : Number(limitBytes),
    hasTimes: isTrue(query.get('timestamps')),
    isPrevious: isTrue(query.get('previous')),
    isFollowed: isTrue(query.get('follow')),
    sinceMs: (nowMs) =>
      sinceSeconds === undefined ? (parseUtcTime(sinceTime ?? '') ?? 0) : nowMs - Number(sinceSeconds) * 1000,
  }
}
