import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { isPlainObject, KubewrightError } from '../../base/index.js'
import type { Environment } from '../../client/index.js'
import { programEnvironment } from './program-environment.js'
import { supervisorProgram } from './supervisor-program.js'

/** A program to be run under supervision. */
interface SupervisedProgram {
  readonly file: string
  readonly args: readonly string[]
  /** The file in the supervisor's folder that gets its output. */
  readonly log: string
  /** The others depend on it: it is ended after them. */
  readonly last?: boolean
}

/** How a program ended. */
export interface ProgramEnd {
  readonly code: number | undefined
  readonly signal: string | undefined
  /** Why it could not be started at all. */
  readonly error?: string
}

export interface RunningProgram {
  readonly pid: number | undefined
  /** Resolves when the program has ended; never rejects. */
  readonly ended: Promise<ProgramEnd>
  /** Sends a signal. A program that has ended does not mind. */
  signal(name: NodeJS.Signals): void
  /** Kills the program and resolves when it has ended. */
  kill(): Promise<void>
}

/**
 * Runs programs in such a way that none of them outlives this process, even when this process is killed: a small
 * process of its own watches over them and over the folder in which they work.
 */
export interface Supervisor {
  /** An empty folder of the user alone, the working directory of the programs. Removed at the end. */
  readonly folder: string
  start(program: SupervisedProgram): Promise<RunningProgram>
  /** Ends all programs, removes the folder. Resolves when that has happened; may be called again. */
  stop(graceMs: number): Promise<void>
}

/** The supervisor ended although nobody asked it to. The programs were ended with it. */
export class SupervisorLostError extends KubewrightError {
  constructor(cause?: unknown) {
    super(
      'The process that watches over the control plane has ended, and the control plane with it. ' +
        'Look for what killed it (memory?) and start a new cluster.',
      { code: 'KW_SUPERVISOR_LOST', cause },
    )
  }
}

interface Pending {
  readonly started: (pid: number | undefined) => void
  readonly ended: (end: ProgramEnd) => void
  readonly lost: (error: Error) => void
}

/** Starts a supervisor. It keeps this process alive only while something is awaited from it. */
export async function startSupervisor(env: Environment): Promise<Supervisor> {
  const child = spawn(process.execPath, ['-e', supervisorProgram], {
    // A session of its own: Ctrl-C in the terminal is for us, and we decide how the programs end.
    detached: true,
    env: programEnvironment(env),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  })
  const awaited = refWhileAwaited(child)
  const pending = new Map<number, Pending>()
  let nextId = 1

  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', (code) => {
      if (code !== 0) endGroup(child)
      resolve()
    })
  })
  void gone.then(() => {
    for (const { ended, lost } of pending.values()) {
      lost(new SupervisorLostError())
      ended({ code: undefined, signal: 'SIGKILL' })
    }
    pending.clear()
  })

  function onMessage(message: unknown): void {
    if (!isPlainObject(message) || typeof message['id'] !== 'number') return
    const { id, kind, pid, code, signal, error } = message
    const program = pending.get(id)
    if (kind === 'started') program?.started(typeof pid === 'number' ? pid : undefined)
    if (kind !== 'ended') return
    pending.delete(id)
    program?.ended({
      code: typeof code === 'number' ? code : undefined,
      signal: typeof signal === 'string' ? signal : undefined,
      ...(typeof error === 'string' ? { error } : {}),
    })
  }

  function send(message: Readonly<Record<string, unknown>>): void {
    // A supervisor that has gone answers through `gone`.
    if (child.connected) child.send(message, () => {})
  }

  const folder = await awaited(firstFolder(child, gone))
  child.on('message', onMessage)

  return {
    folder,
    async start(program) {
      if (!child.connected) throw new SupervisorLostError()
      const id = nextId++
      let onEnd: (end: ProgramEnd) => void = () => {}
      const ended = new Promise<ProgramEnd>((resolve) => {
        onEnd = resolve
      })
      const started = new Promise<number | undefined>((resolve, reject) => {
        pending.set(id, { started: resolve, ended: onEnd, lost: reject })
      })
      send({ kind: 'start', id, env: programEnvironment(env), ...program })
      const pid = await awaited(started)
      const signal = (name: NodeJS.Signals): void => send({ kind: 'signal', id, signal: name })
      const kill = async (): Promise<void> => {
        signal('SIGKILL')
        await awaited(ended)
      }
      return { pid, ended, signal, kill }
    },
    async stop(graceMs) {
      send({ kind: 'stop', graceMs })
      await awaited(gone)
      // Done already by the supervisor, unless somebody killed it.
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function firstFolder(child: ChildProcess, gone: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: unknown) => {
      if (isPlainObject(message) && typeof message['folder'] === 'string') resolve(message['folder'])
      else reject(new SupervisorLostError(message))
    })
    void gone.then(() => reject(new SupervisorLostError()))
  })
}

/** Whoever forgets a cluster should see the process end; whoever waits for an answer should get it. */
function refWhileAwaited(child: ChildProcess): <T>(answer: Promise<T>) => Promise<T> {
  let waiting = 0
  return async (answer) => {
    waiting++
    child.ref()
    child.channel?.ref()
    try {
      return await answer
    } finally {
      if (--waiting === 0) {
        child.unref()
        child.channel?.unref()
      }
    }
  }
}

/** The programs are in the process group of their supervisor, which could not end them. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // No such group: all of them have ended.
  }
}
