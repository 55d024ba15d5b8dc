import type { IncomingMessage } from 'node:http'
import { parseJson, stringifyJson, toError } from 'kubewright/base'
import { createLineSplitter, decodeUtf8 } from 'kubewright/client'
import { textAt } from './data.js'
import { readAnswer } from './exchange.js'
import type { Step } from './transcript.js'

/** A watch that is open. What is read from it goes into the transcript when it is read. */
export interface Watch {
  /** So many events more. */
  take(count: number): Promise<readonly unknown[]>
  /** All events up to and with the first one about an object of this name. */
  upTo(name: string): Promise<readonly unknown[]>
  /** All events up to and with the first one that is wanted. */
  upToEvent(isLast: (event: unknown) => boolean): Promise<readonly unknown[]>
  /** All events until the server ends the stream. */
  rest(): Promise<readonly unknown[]>
  close(): void
}

interface WatchParts {
  readonly response: IncomingMessage
  readonly path: string
  readonly record: (step: Step) => void
  readonly showBookmarks: boolean
}

// Longer than any server needs for an event that will come at all, on a machine with other things to do.
const patienceMs = 60_000

/** Takes over the response to a watch request; one that was refused has no events. */
export async function openWatch({ response, path, record, showBookmarks }: WatchParts): Promise<Watch> {
  const what = `watch ${path}`
  const head = { status: response.statusCode, contentType: response.headers['content-type'] }
  const events: unknown[] = []
  let hasEnded = false
  let wake = (): void => {}

  if (response.statusCode === 200) {
    record({ what, seen: head })
    const splitter = createLineSplitter()
    response.on('data', (chunk: Buffer) => {
      splitter.push(chunk, (line) => {
        const event = hideRevision(parseJson(decodeUtf8(line)))
        if (showBookmarks || textAt(event, 'type') !== 'BOOKMARK' || isEndMark(event)) events.push(event)
      })
      wake()
    })
    const end = (): void => {
      hasEnded = true
      wake()
    }
    response.on('close', end)
    response.on('error', (error) => {
      events.push(`broke: ${toError(error).message}`)
      end()
    })
  } else {
    const { status, headers, body } = await readAnswer(response)
    record({ what, seen: { status, headers, body } })
    hasEnded = true
  }

  async function read(
    wanted: string,
    isEnough: (taken: readonly unknown[]) => boolean,
  ): Promise<readonly unknown[]> {
    const taken: unknown[] = []
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      wake()
    }, patienceMs)
    while (!isEnough(taken)) {
      if (events.length > 0) {
        taken.push(events.shift())
      } else if (hasEnded || isLate) {
        if (wanted !== 'the rest') taken.push(hasEnded ? '(the stream ended)' : '(nothing more came)')
        else if (isLate) taken.push('(the stream did not end)')
        break
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    clearTimeout(timer)
    record({ what: `${wanted} of ${what}`, seen: taken })
    return taken
  }

  return {
    take: (count) => read(`${count} events`, (taken) => taken.length === count),
    upTo: (name) => read(`events up to ${name}`, (taken) => nameIn(taken.at(-1)) === name),
    upToEvent: (isLast) => read('events', (taken) => taken.length > 0 && isLast(taken.at(-1))),
    rest: () => read('the rest', () => false),
    close: () => void response.destroy(),
  }
}

const nameIn = (event: unknown): string =>
  textAt(event, 'object.metadata.name') || textAt(event, 'object.rows.0.object.metadata.name')

const endMark = '"k8s.io/initial-events-end":"true"'

/** Whether it is the bookmark after the last of the objects that were there at the beginning. */
export const isEndMark = (event: unknown): boolean =>
  textAt(event, 'type') === 'BOOKMARK' && stringifyJson(event).includes(endMark)

/** A bookmark shows the version of the server, which everybody moves. */
function hideRevision(event: unknown): unknown {
  if (textAt(event, 'type') !== 'BOOKMARK') return event
  return parseJson(stringifyJson(event).replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"<revision>"'))
}
