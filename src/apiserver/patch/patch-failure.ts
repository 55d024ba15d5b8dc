import { ApiFailure } from '../failure.js'

/** A patch that is well-formed and cannot be applied: the server says no more than this. */
export function patchDoesNotApply(): ApiFailure {
  return new ApiFailure({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  })
}

/** An error that the server did not foresee: it answers the bare text. */
export function unforeseen(message: string): ApiFailure {
  return new ApiFailure({ code: 500, reason: '', message })
}
