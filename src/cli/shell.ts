import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** A path as one types it in a shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Whether a person who types the name of this program gets it. */
export async function isOnPath(program: string): Promise<boolean> {
  const file = process.platform === 'win32' ? `${program}.exe` : program
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue
    const isThere = await access(join(folder, file), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return true
  }
  return false
}

/** How the person who started this process calls our own command: in a clone of the repository, by a script of npm. */
export function ownCommand(): string {
  return process.env['npm_lifecycle_event'] === 'kubewright' ? cloneCommand : 'npx kubewright'
}

/** Our own command in a clone of the repository. */
export const cloneCommand = 'npm run kubewright --'
