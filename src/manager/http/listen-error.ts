import { KubewrightError } from '../../base/index.js'

/** Why a server cannot listen. */
export type ListenFailure = 'in-use' | 'not-permitted' | 'not-available' | 'other'

/** A server cannot listen where it was told to. */
export class ListenError extends KubewrightError {
  readonly address: string
  readonly reason: ListenFailure

  constructor(server: string, address: string, cause: Error) {
    const [reason, explanation] = explain('code' in cause ? cause.code : undefined)
    super(`The ${server} cannot listen on ${address}: ${explanation}`, { code: 'KW_LISTEN', cause })
    this.address = address
    this.reason = reason
  }
}

function explain(code: unknown): [ListenFailure, string] {
  switch (code) {
    case 'EADDRINUSE':
      return [
        'in-use',
        'another program does already. End it, or choose another port ("0" switches the server off).',
      ]
    case 'EACCES':
      return ['not-permitted', 'the system does not permit it. Choose a port above 1023.']
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return ['not-available', 'this machine has no such address. Leave the address out to listen on all.']
    default:
      return ['other', `the system refused (${String(code)}). Choose another address.`]
  }
}
