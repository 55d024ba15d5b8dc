import { relative } from 'node:path'
import { parseJson } from '../base/index.js'
import { createClient, loadClusterConfig, readText } from '../client/index.js'
import { type FetchJson, type ImportResult, runImport } from './import/index.js'

export interface ImportCommand {
  readonly out: string
  readonly fromCluster?: boolean
  readonly kubeconfig?: string
  readonly context?: string
  readonly force?: boolean
}

/** `kubewright import`: from files, or with --from-cluster from a cluster. Prints what was written. */
export async function importCommand(sources: readonly string[], command: ImportCommand): Promise<number> {
  const force = command.force ?? false
  if (command.fromCluster !== true) {
    report(await runImport({ source: { type: 'files', paths: sources }, outDir: command.out, force }))
    return 0
  }
  const config = await loadClusterConfig({
    ...(command.kubeconfig !== undefined && { path: command.kubeconfig }),
    ...(command.context !== undefined && { context: command.context }),
  })
  const client = createClient({ config })
  try {
    const fetchJson: FetchJson = async (path) => {
      const response = await client.request({ method: 'GET', path })
      return parseJson(await readText(response.body))
    }
    report(
      await runImport({ source: { type: 'cluster', fetchJson, names: sources }, outDir: command.out, force }),
    )
    return 0
  } finally {
    client.close()
  }
}

function report({ files, changed, unserved }: ImportResult): void {
  for (const { path, kinds } of files) process.stdout.write(`${path}: ${kinds.join(', ')}\n`)
  for (const name of unserved) process.stdout.write(`${name}: left out, none of its versions is served\n`)
  process.stdout.write(
    changed.length === 0
      ? 'Everything was up to date.\n'
      : `Wrote ${changed.length} file${changed.length === 1 ? '' : 's'}: ${changed.map((path) => relative('.', path)).join(', ')}\n`,
  )
}
