import { type Clock, KubewrightError, systemClock, toError } from '../../base/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { type HttpAnswer, type HttpHandler, textAnswer } from '../http/http-handler.js'

/** Throws or rejects when something is wrong. The signal aborts when nobody waits for the answer any more. */
export type HealthCheck = (signal: AbortSignal) => void | Promise<void>

/** `/healthz`: should the process be restarted? `/readyz`: may it be given work? */
export type Probe = 'healthz' | 'readyz'

export interface HealthOptions {
  readonly log?: Logger
  readonly clock?: Clock
  /** How long one check may take before it counts as failed: 2 seconds. */
  readonly checkTimeoutMs?: number
}

/** A check cannot have that name. */
export class InvalidHealthCheckError extends KubewrightError {
  constructor(probe: Probe, name: string, problem: string) {
    super(`The health check "${name}" cannot be added to /${probe}: ${problem}`, {
      code: 'KW_HEALTH_CHECK_INVALID',
    })
  }
}

/** The health of this process, as named checks behind `/healthz` and `/readyz`. */
export interface Health {
  /** Adds a check. Throws {@link InvalidHealthCheckError} for a name that is taken or cannot be part of a path. */
  addCheck(probe: Probe, name: string, check: HealthCheck): void
  /**
   * Answers `/healthz` and `/readyz` (all checks), `/healthz/<name>` (one), with `?verbose` (list them) and
   * `?exclude=<name>`. 200 when all is well, else 500. What is wrong goes to the log: callers are anonymous and learn only
   * which check failed. Answers in time also when a check hangs.
   */
  readonly handler: HttpHandler
}

const ping: HealthCheck = () => {}

/** Without checks all is well: the process answers. */
export function createHealth(options: HealthOptions = {}): Health {
  const { log = silentLogger, clock = systemClock, checkTimeoutMs = 2_000 } = options
  const checks: Record<Probe, Map<string, GuardedCheck>> = { healthz: new Map(), readyz: new Map() }
  const guarded = (name: string, check: HealthCheck): GuardedCheck =>
    new GuardedCheck({ name, check, clock, log, timeoutMs: checkTimeoutMs })
  const alone = guarded('ping', ping)

  const answerAll = async (probe: Probe, query: URLSearchParams): Promise<HttpAnswer> => {
    const excluded = new Set(query.getAll('exclude'))
    const all = checks[probe].size === 0 ? [alone] : [...checks[probe].values()]
    const results = await Promise.all(
      all.map(async (check) => {
        if (excluded.delete(check.name)) return { isWell: true, line: `[+]${check.name} excluded: ok` }
        const isWell = await check.isWell()
        return { isWell, line: isWell ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld` }
      }),
    )
    const lines = results.map(({ line }) => line)
    if (excluded.size > 0) lines.push('warn: some checks that were excluded do not exist')
    const isWell = results.every((result) => result.isWell)
    if (isWell && !query.has('verbose')) return textAnswer(200, 'ok')
    return textAnswer(
      isWell ? 200 : 500,
      [...lines, `${probe} check ${isWell ? 'passed' : 'failed'}`].join('\n'),
    )
  }
  const answerOne = async (check: GuardedCheck): Promise<HttpAnswer> =>
    (await check.isWell()) ? textAnswer(200, 'ok') : textAnswer(500, 'failed: reason withheld')

  return {
    addCheck(probe, name, check) {
      if (checks[probe].has(name))
        throw new InvalidHealthCheckError(probe, name, 'there is one of that name. Choose another.')
      if (!/^[\w.-]{1,100}$/.test(name))
        throw new InvalidHealthCheckError(probe, name, 'use letters, digits, "-", "_" and "." only.')
      checks[probe].set(name, guarded(name, check))
    },
    async handler({ path, query }) {
      const [, probe, name = '', rest] = path.split('/')
      if ((probe !== 'healthz' && probe !== 'readyz') || rest !== undefined)
        return textAnswer(404, 'Not Found')
      if (name === '') return answerAll(probe, query)
      const check =
        checks[probe].get(name) ?? (name === alone.name && checks[probe].size === 0 ? alone : undefined)
      return check === undefined ? textAnswer(404, 'Not Found') : answerOne(check)
    },
  }
}

interface GuardedCheckOptions {
  readonly name: string
  readonly check: HealthCheck
  readonly clock: Clock
  readonly log: Logger
  readonly timeoutMs: number
}

/** A check that always has an answer in time, and never runs twice at once: one that hangs does not pile up. */
class GuardedCheck {
  readonly name: string
  readonly #options: GuardedCheckOptions
  #running: Promise<Error | undefined> | undefined

  constructor(options: GuardedCheckOptions) {
    this.#options = options
    this.name = options.name
  }

  async isWell(): Promise<boolean> {
    const { clock, timeoutMs, log, name } = this.#options
    const running = (this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    }))
    const problem = await new Promise<Error | undefined>((resolve, reject) => {
      const timer = clock.setTimer(timeoutMs, () =>
        resolve(new Error(`The check has not answered within ${timeoutMs} ms.`)),
      )
      running.then(resolve, reject).finally(() => timer.cancel())
    })
    if (problem !== undefined) log.warn('A health check failed.', { check: name, error: problem })
    return problem === undefined
  }

  async #run(): Promise<Error | undefined> {
    const { check, clock, timeoutMs } = this.#options
    const late = new AbortController()
    const timer = clock.setTimer(timeoutMs, () => late.abort(), { background: true })
    try {
      await check(late.signal)
      return undefined
    } catch (thrown) {
      return toError(thrown)
    } finally {
      timer.cancel()
    }
  }
}
