/** What has become of a promise so far. */
export interface Watched<T> {
  readonly isSettled: boolean
  readonly value: T | undefined
  readonly error: unknown
}

/** Looks at a promise without waiting for it. Its failure counts as handled. */
export function watched<T>(promise: Promise<T>): Watched<T> {
  const outcome = { isSettled: false, value: undefined as T | undefined, error: undefined as unknown }
  promise.then(
    (value) => Object.assign(outcome, { isSettled: true, value }),
    (error: unknown) => Object.assign(outcome, { isSettled: true, error }),
  )
  return outcome
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It did not fail.')
}
