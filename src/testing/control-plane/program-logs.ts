import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const suffix = '.log'
const tailLines = 15

/** The name of a program's log in the cluster's folder. */
export const logFileOf = (program: string): string => `${program}${suffix}`

/** All that the programs of a cluster have written, by name. */
export async function readLogs(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(suffix)).sort()
  const logs = files.map(
    async (file): Promise<[string, string]> => [
      file.slice(0, -suffix.length),
      await readFile(join(folder, file), 'utf8'),
    ],
  )
  return Object.fromEntries(await Promise.all(logs))
}

/** The last lines of each log. */
export async function readLogTails(folder: string): Promise<Readonly<Record<string, string>>> {
  const logs = Object.entries(await readLogs(folder))
  return Object.fromEntries(
    logs.map(([name, log]) => [name, log.trimEnd().split('\n').slice(-tailLines).join('\n')]),
  )
}
