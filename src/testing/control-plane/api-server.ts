import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, sleep } from '../../base/index.js'
import { type ClusterConfig, createTransport } from '../../client/index.js'
import type { Transport } from '../../objects/index.js'
import type { ApiServerProcess } from '../cluster.js'
import { ControlPlaneStartError, PortInUseError } from '../cluster-errors.js'
import { describeEnd, type FailureWatch } from './failure-watch.js'
import { freePort } from './free-port.js'
import { logFileOf, readLogTails } from './program-logs.js'
import type { RunningProgram, Supervisor } from './supervisor.js'
import { type Waiting, waitUntil } from './wait-until.js'

export interface ApiServerOptions {
  readonly supervisor: Supervisor
  /** Without it the API server never becomes ready. */
  readonly etcd: RunningProgram
  readonly failures: FailureWatch
  readonly file: string
  readonly argumentsFor: (port: number) => readonly string[]
  readonly configFor: (server: string) => Promise<ClusterConfig>
  /** Absent: a free one. */
  readonly port?: number
  readonly clock: Clock
  readonly startTimeoutMs: number
  readonly signal?: AbortSignal
}

export interface StartedApiServer {
  readonly server: string
  readonly process: ApiServerProcess
}

const program = 'kube-apiserver'
const portInUse = 'port in use'

// So often in a row another process would have to snatch the port that we have just been given.
const freePortAttempts = 10

// After a restart the port may still be held for a moment, by a connection that had it as its own end.
const samePortPatienceMs = 10_000

/** Starts the API server on a port that it can have, and resolves when it is ready. */
export async function startApiServer(options: ApiServerOptions): Promise<StartedApiServer> {
  for (let attempt = 1; attempt <= (options.port === undefined ? freePortAttempts : 1); attempt++) {
    const port = await freePort(options.port)
    const running = port === undefined ? portInUse : await attemptStart(options, port, options.signal)
    if (port !== undefined && running !== portInUse)
      return { server: serverOf(port), process: controlOf(options, port, running) }
  }
  throw new PortInUseError(options.port)
}

const serverOf = (port: number): string => `https://127.0.0.1:${port}`

function controlOf(options: ApiServerOptions, port: number, first: RunningProgram): ApiServerProcess {
  let running: RunningProgram | undefined
  let starting: Promise<void> | undefined

  function adopt(started: RunningProgram): void {
    running = started
    void started.ended.then(() => {
      if (running === started) running = undefined
    })
  }
  adopt(first)

  async function restart(): Promise<void> {
    const { clock } = options
    const giveUpMs = clock.monotonic() + samePortPatienceMs
    for (;;) {
      // The signal was about the creation of the cluster, which is over.
      const attempt = await attemptStart(options, port, undefined)
      if (attempt !== portInUse) return adopt(attempt)
      if (clock.monotonic() > giveUpMs) throw new PortInUseError(port)
      await sleep(clock, 200)
    }
  }

  return {
    async kill() {
      await starting?.catch(() => {})
      if (running === undefined) return
      options.failures.expectEnd(running)
      await running.kill()
      running = undefined
    },
    start() {
      if (running !== undefined) return Promise.resolve()
      starting ??= restart().finally(() => {
        starting = undefined
      })
      return starting
    },
    pause: () => running?.signal('SIGSTOP'),
    resume: () => running?.signal('SIGCONT'),
  }
}

async function attemptStart(
  options: ApiServerOptions,
  port: number,
  signal: AbortSignal | undefined,
): Promise<RunningProgram | typeof portInUse> {
  const { supervisor, clock } = options
  const log = join(supervisor.folder, logFileOf(program))
  const before = (await readLog(log)).length
  const running = await supervisor.start({
    file: options.file,
    args: options.argumentsFor(port),
    log: logFileOf(program),
  })
  const transport = createTransport(await options.configFor(serverOf(port)), { clock })
  try {
    const problem = await problemUntilReady({ ...options, running, transport, signal })
    if (problem === undefined) {
      options.failures.add(program, running)
      return running
    }
    await running.kill()
    if ((await readLog(log)).slice(before).includes('address already in use')) return portInUse
    throw new ControlPlaneStartError(problem, await readLogTails(supervisor.folder))
  } finally {
    transport.close()
  }
}

interface Launch {
  readonly running: RunningProgram
  readonly etcd: RunningProgram
  readonly transport: Transport
  readonly clock: Clock
  readonly startTimeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** Waits until the API server is ready; what went wrong if that will not happen. */
async function problemUntilReady(launch: Launch): Promise<string | undefined> {
  const { clock, signal, startTimeoutMs, transport } = launch
  const ends: string[] = []
  const stillRunning = new AbortController()
  const noteEnd = (name: string, { ended }: RunningProgram): void => {
    void ended.then((end) => {
      ends.push(`${name} ended ${describeEnd(end)}`)
      // Whoever has the port instead may let us wait for an answer.
      stillRunning.abort()
    })
  }
  noteEnd(program, launch.running)
  noteEnd('etcd', launch.etcd)
  const probe = AbortSignal.any([stillRunning.signal, ...(signal === undefined ? [] : [signal])])
  const waiting: Waiting = {
    clock,
    deadlineMs: clock.monotonic() + startTimeoutMs,
    ...(signal === undefined ? {} : { signal }),
  }
  const isSettled = await waitUntil(waiting, async () => ends.length > 0 || (await isReady(transport, probe)))
  return ends[0] ?? (isSettled ? undefined : `${program} was not ready within ${startTimeoutMs / 1000} s`)
}

/** Ready, and past the making of the namespaces that everybody takes for granted. */
async function isReady(transport: Transport, signal: AbortSignal): Promise<boolean> {
  return (
    (await succeeds(transport, '/readyz', signal)) &&
    (await succeeds(transport, '/api/v1/namespaces/default', signal))
  )
}

async function succeeds(transport: Transport, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await transport({
      method: 'GET',
      path,
      headers: {},
      headersTimeoutMs: 5_000,
      signal,
    })
    for await (const _ of response.body) continue
    return response.status === 200
  } catch {
    // Not there yet; who gives up is decided by the clock and the signal.
    return false
  }
}

function readLog(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
