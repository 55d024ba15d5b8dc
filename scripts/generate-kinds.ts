/**
 * Writes `src/kinds` from a real API server: `npm run generate:kinds -- --server URL --token TOKEN [--insecure]`.
 *
 * "Every built-in kind" means every kind that the pinned version serves without a flag: the stable ones. Alpha and beta
 * versions are off in a default cluster and change shape between releases, so a type pinned to one release would be
 * wrong on its neighbours.
 *
 * With `--check` nothing is written; the exit code is 1 when the files differ from what the server says.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseJson } from '../src/base/index.js'
import { kindModules } from './generate-kinds/kind-modules.js'
import { generatedMark } from './generate-kinds/module-builder.js'
import { type FetchJson, readApi } from './generate-kinds/read-api.js'

const kindsDir = fileURLToPath(new URL('../src/kinds/', import.meta.url))

interface Server {
  readonly url: string
  readonly token: string
  /** Accept any certificate: a control plane for tests signs its own. */
  readonly insecure: boolean
}

function createFetchJson({ url, token, insecure }: Server): FetchJson {
  return (path) =>
    new Promise((resolve, reject) => {
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
      const call = request(new URL(path, url), { headers, rejectUnauthorized: !insecure }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          if (response.statusCode !== 200)
            return reject(new Error(`GET ${path}: HTTP ${response.statusCode} ${text.slice(0, 300)}`))
          resolve(parseJson(text))
        })
      })
      call.setTimeout(30_000, () => call.destroy(new Error(`GET ${path}: no answer within 30 s`)))
      call.on('error', reject)
      call.end()
    })
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
    options: {
      server: { type: 'string' },
      token: { type: 'string', default: '' },
      insecure: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  })
  if (values.server === undefined) {
    console.error(
      'No server: start a control plane of the pinned version and pass --server, --token, --insecure.',
    )
    return 2
  }
  const api = await readApi(
    createFetchJson({ url: values.server, token: values.token, insecure: values.insecure }),
  )
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
