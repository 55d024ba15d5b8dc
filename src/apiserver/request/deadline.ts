import type { Clock, Timer } from '../../base/index.js'
import { goQuote } from '../../schema/internal.js'
import { badRequest, timedOut } from '../failure.js'

/** What a request may take at most. Writes are answered sooner. */
const longestMs = 60_000
const longestWriteMs = 34_000

/** How long a request may take, by the parameter `timeout` (`30s`, `1m30s`). Throws ApiFailure 400. */
export function timeoutOf(query: URLSearchParams, isWrite: boolean): number {
  const most = isWrite ? longestWriteMs : longestMs
  const given = query.get('timeout')
  if (given === null || given === '') return most
  const wanted = durationMs(given)
  if (wanted === undefined)
    throw badRequest(`invalid timeout specified in the request URL - ${durationProblem(given)}`)
  return wanted <= 0 ? most : Math.min(wanted, most)
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

function durationMs(text: string): number | undefined {
  if (text === '0') return 0
  if (!/^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|ms|s|m|h))+$/.test(text)) return undefined
  let total = 0
  for (const [, number = '0', unit = ''] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|ms|s|m|h)/g))
    total += Number(number) * (units[unit] ?? 0)
  return text.startsWith('-') ? -total : total
}

/** In the words of Go. */
function durationProblem(text: string): string {
  const shown = goQuote(text)
  const [, unit] = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)([^\d.]*)$/.exec(text) ?? []
  if (unit === undefined) return `time: invalid duration ${shown}`
  return unit === ''
    ? `time: missing unit in duration ${shown}`
    : `time: unknown unit ${goQuote(unit)} in duration ${shown}`
}

/** Work that must end in time. */
export class Deadline {
  #isOver = false

  /** Whether the time is up: the answer has been given, and what is still done is done for nobody. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The outcome of the work, or a rejection with 504 when the time is up. */
  async within<T>(clock: Clock, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    let timer: Timer | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = clock.setTimer(
        timeoutMs,
        () => {
          this.#isOver = true
          reject(timedOut())
        },
        { background: true },
      )
    })
    try {
      return await Promise.race([work(), timeout])
    } finally {
      timer?.cancel()
    }
  }
}
