/**
 * Writes `src/kinds` and `src/apiserver/builtin/data` from a real API server: `npm run generate:kinds`, which starts a
 * control plane of the pinned version; with `--kubeconfig PATH`, from the one behind it. What OpenAPI does not say of the
 * built-in kinds is read off their Go sources, which lie in the module cache of whoever built the control plane
 * (`--go-modules PATH`, by default ~/go/pkg/mod).
 *
 * "Every built-in kind" means every kind that the pinned version serves without a flag: the stable ones. Alpha and beta
 * versions are off in a default cluster and change shape between releases, so a type pinned to one release would be
 * wrong on its neighbours.
 *
 * With `--check` nothing is written; the exit code is 1 when the files differ from what the server says.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseJson } from '../src/base/index.js'
import { type Client, readText } from '../src/client/index.js'
import { createCluster } from '../src/testing/index.js'
import { readGoTypes } from './generate-kinds/go-types.js'
import { kindModules } from './generate-kinds/kind-modules.js'
import { generatedMark } from './generate-kinds/module-builder.js'
import { type FetchJson, readApi } from './generate-kinds/read-api.js'
import { serverData } from './generate-kinds/server-data.js'

const root = fileURLToPath(new URL('../', import.meta.url))

type Files = ReadonlyMap<string, string>

function fetchJsonOf(client: Client): FetchJson {
  return async (path) => {
    const response = await client.request({ method: 'GET', path })
    return parseJson(await readText(response.body))
  }
}

/** The generated files that are there, by their path below the folder. Tests and other files are left alone. */
function readGenerated(folder: string): Map<string, string> {
  if (!existsSync(join(root, folder))) return new Map()
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const texts = files.map((path) => [path, readFileSync(join(root, folder, path), 'utf8')] as const)
  return new Map(texts.filter(([, text]) => text.startsWith(generatedMark)))
}

function differences(wanted: Files, found: Files): string[] {
  const paths = [...new Set([...wanted.keys(), ...found.keys()])].toSorted()
  return paths.filter((path) => wanted.get(path) !== found.get(path))
}

function write(folder: string, wanted: Files, paths: readonly string[]): void {
  for (const path of paths) {
    const text = wanted.get(path)
    const file = join(root, folder, path)
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
    options: {
      kubeconfig: { type: 'string' },
      'go-modules': { type: 'string', default: join(homedir(), 'go/pkg/mod') },
      check: { type: 'boolean', default: false },
    },
  })
  await using cluster = await createCluster(
    values.kubeconfig === undefined
      ? { kind: 'control-plane' }
      : { kind: 'existing', kubeconfig: values.kubeconfig },
  )
  const api = await readApi(fetchJsonOf(cluster.client))
  // Kubernetes 1.36.3 is made of modules of version 0.36.3.
  const goStruct = readGoTypes(values['go-modules'], api.version.replace(/^v1[.]/, 'v0.'))
  const targets: [folder: string, wanted: Files][] = [
    ['src/kinds', kindModules(api)],
    ['src/apiserver/builtin/data', serverData(api, goStruct)],
  ]
  let changes = 0
  for (const [folder, wanted] of targets) {
    const changed = differences(wanted, readGenerated(folder))
    changes += changed.length
    if (!values.check) write(folder, wanted, changed)
    for (const path of changed) console.log(`${values.check ? 'differs' : 'changed'}: ${folder}/${path}`)
    console.log(`${folder}: ${wanted.size} files from Kubernetes ${api.version}, ${changed.length} different`)
  }
  return values.check && changes > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`generate:kinds: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
