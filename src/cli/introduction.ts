import { resolve } from 'node:path'
import { quoted } from './shell.js'

/** What a person can do with a server, after it has started. */
export interface Introduction {
  readonly kubeconfig: string
  /** Whole command lines. */
  readonly commands: readonly string[]
  /** What Ctrl-C does. */
  readonly ending: string
}

/** The text of an introduction. Its first line is for programs. */
export function introduce({ kubeconfig, commands, ending }: Introduction): string {
  // The other terminal may stand elsewhere.
  const path = quoted(resolve(kubeconfig))
  return [
    `KUBECONFIG=${path}`,
    '',
    'Try in another terminal:',
    `  export KUBECONFIG=${path}`,
    ...commands.map((command) => `  ${command}`),
    '',
    ending,
    '',
  ].join('\n')
}
