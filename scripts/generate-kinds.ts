/**
 * Writes `src/kinds` from a real API server: `npm run generate:kinds`, which starts a control plane of the pinned version;
 * with `--kubeconfig PATH`, from the one behind it.
 *
 * "Every built-in kind" means every kind that the pinned version serves without a flag: the stable ones. Alpha and beta
 * versions are off in a default cluster and change shape between releases, so a type pinned to one release would be
 * wrong on its neighbours.
 *
 * With `--check` nothing is written; the exit code is 1 when the files differ from what the server says.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseJson } from '../src/base/index.js'
import { type Client, readText } from '../src/client/index.js'
import { createCluster } from '../src/testing/index.js'
import { kindModules } from './generate-kinds/kind-modules.js'
import { generatedMark } from './generate-kinds/module-builder.js'
import { type FetchJson, readApi } from './generate-kinds/read-api.js'

const kindsDir = fileURLToPath(new URL('../src/kinds/', import.meta.url))

function fetchJsonOf(client: Client): FetchJson {
  return async (path) => {
    const response = await client.request({ method: 'GET', path })
    return parseJson(await readText(response.body))
  }
}

/** The generated files that are there, by their path below `src/kinds`. Tests and other files are left alone. */
function readGenerated(): Map<string, string> {
  const files = readdirSync(kindsDir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const texts = files.map((path) => [path, readFileSync(join(kindsDir, path), 'utf8')] as const)
  return new Map(texts.filter(([, text]) => text.startsWith(generatedMark)))
}

function differences(wanted: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] {
  const paths = [...new Set([...wanted.keys(), ...found.keys()])].toSorted()
  return paths.filter((path) => wanted.get(path) !== found.get(path))
}

function write(wanted: ReadonlyMap<string, string>, paths: readonly string[]): void {
  for (const path of paths) {
    const text = wanted.get(path)
    const file = join(kindsDir, path)
    if (text === undefined) {
      rmSync(file)
    } else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { kubeconfig: { type: 'string' }, check: { type: 'boolean', default: false } },
  })
  await using cluster = await createCluster(
    values.kubeconfig === undefined
      ? { kind: 'control-plane' }
      : { kind: 'existing', kubeconfig: values.kubeconfig },
  )
  const api = await readApi(fetchJsonOf(cluster.client))
  const wanted = kindModules(api)
  const changed = differences(wanted, readGenerated())
  if (!values.check) write(wanted, changed)
  for (const path of changed) console.log(`${values.check ? 'differs' : 'changed'}: src/kinds/${path}`)
  console.log(`kinds: ${wanted.size} files from Kubernetes ${api.version}, ${changed.length} different`)
  return values.check && changed.length > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`generate:kinds: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
