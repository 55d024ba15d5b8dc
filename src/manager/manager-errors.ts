import { KubewrightError } from '../base/index.js'

/** A runnable failed, or did not become ready. `cause` is what it threw. All others have been stopped. */
export class RunnableFailedError extends KubewrightError {
  readonly runnable: string

  constructor(runnable: string, cause: Error) {
    super(`"${runnable}" failed, so everything was stopped: ${cause.message}`, {
      code: 'KW_RUNNABLE_FAILED',
      cause,
    })
    this.runnable = runnable
  }
}

/** Some runnables did not stop when they were told to. They still run: end the process. */
export class GracePeriodExceededError extends KubewrightError {
  readonly runnables: readonly string[]

  constructor(gracePeriodMs: number, runnables: readonly string[]) {
    super(
      `Still running ${gracePeriodMs} ms after the stop: ${runnables.join(', ')}. ` +
        'End the process now. Let them heed their AbortSignal, or allow a longer grace period.',
      { code: 'KW_GRACE_PERIOD_EXCEEDED' },
    )
    this.runnables = runnables
  }
}

/** A manager runs once: what it ran may have left state behind. */
export class ManagerAlreadyRunError extends KubewrightError {
  constructor() {
    super('This manager runs already or has run before. Create a new one for each run.', {
      code: 'KW_MANAGER_ALREADY_RUN',
    })
  }
}

/** A runnable came too late. */
export class ManagerStoppedError extends KubewrightError {
  constructor(runnable: string) {
    super(`"${runnable}" cannot be added: the manager is stopping or has stopped. Add it before that.`, {
      code: 'KW_MANAGER_STOPPED',
    })
  }
}

/** An option of the manager makes no sense. */
export class InvalidManagerOptionsError extends KubewrightError {
  constructor(problem: string) {
    super(problem, { code: 'KW_MANAGER_OPTIONS_INVALID' })
  }
}
