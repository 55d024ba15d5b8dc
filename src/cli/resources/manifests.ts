import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { isPlainObject, KubewrightError, toError } from '../../base/index.js'
import type { DynamicInput } from '../../client/index.js'
import { parseDocuments } from '../parse-documents.js'

/** An object as it stands in a file. */
export interface Manifest {
  readonly object: DynamicInput & { readonly apiVersion: string; readonly kind: string }
  readonly name: string
  readonly namespace: string | undefined
}

/** A file cannot be read, or holds what is no object of Kubernetes. */
export class ManifestError extends KubewrightError {
  /** The file, and the document in it. */
  readonly source: string

  /** `problem` says what is wrong and what to do next, to stand behind the source. */
  constructor(source: string, problem: string, cause?: unknown) {
    super(`${source}: ${problem}`, { code: 'KW_MANIFEST', cause })
    this.source = source
  }
}

const extensions = new Set(['.yaml', '.yml', '.json'])

/**
 * The objects in files, in folders (their .yaml, .yml and .json files, in the order of their names) and, for `-`, in the
 * standard input. Lists count as what is in them.
 * @throws ManifestError when something cannot be read; then nothing has been done yet.
 */
export async function readManifests(paths: readonly string[]): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const path of paths) {
    for (const { source, text } of await readTexts(path)) manifests.push(...parseManifests(text, source))
  }
  if (manifests.length === 0)
    throw new ManifestError(
      paths.join(', '),
      'there is no object in it. Name a file with objects in YAML or JSON.',
    )
  return manifests
}

interface SourceText {
  readonly source: string
  readonly text: string
}

async function readTexts(path: string): Promise<SourceText[]> {
  if (/^https?:\/\//.test(path))
    throw new ManifestError(path, 'URLs are not fetched. Download the file, look at it, and name it here.')
  try {
    if (path === '-') return [{ source: 'standard input', text: await readStream(process.stdin) }]
    if (!(await stat(path)).isDirectory()) return [{ source: path, text: await readFile(path, 'utf8') }]
    const names = (await readdir(path)).filter((name) => extensions.has(extname(name))).toSorted()
    const files = names.map((name) => join(path, name))
    return await Promise.all(files.map(async (source) => ({ source, text: await readFile(source, 'utf8') })))
  } catch (error) {
    throw new ManifestError(
      path,
      `it cannot be read (${toError(error).message}). Check the path and its permissions.`,
      error,
    )
  }
}

/** The objects of one text. Empty documents are passed over. */
export function parseManifests(text: string, path: string): Manifest[] {
  let documents: unknown[]
  try {
    documents = parseDocuments(text)
  } catch (error) {
    const problem = `this is neither YAML nor JSON (${toError(error).message.trim()}). Correct the file.`
    throw new ManifestError(path, problem, error)
  }
  return documents.flatMap((document, index) => {
    const source = documents.length === 1 ? path : `${path}, document ${index + 1}`
    return document === null ? [] : itemsOf(document, source)
  })
}

function itemsOf(document: unknown, source: string): Manifest[] {
  if (isPlainObject(document) && document['kind'] === 'List' && Array.isArray(document['items']))
    return document['items'].map((item: unknown, index) => readManifest(item, `${source}, item ${index + 1}`))
  return [readManifest(document, source)]
}

function readManifest(document: unknown, source: string): Manifest {
  if (!isPlainObject(document))
    throw new ManifestError(source, 'this is no object. Write one with apiVersion and kind.')
  const { apiVersion, kind, metadata } = document
  const missing = (field: string): ManifestError =>
    new ManifestError(source, `the object has no ${field}. Write it, as a text.`)
  if (typeof apiVersion !== 'string' || apiVersion === '') throw missing('apiVersion')
  if (typeof kind !== 'string' || kind === '') throw missing('kind')
  const known = isPlainObject(metadata) ? metadata : {}
  const { name, namespace } = known
  if (typeof name !== 'string' || name === '') throw missing('metadata.name')
  if (namespace !== undefined && typeof namespace !== 'string') throw missing('namespace that is a text')
  return { object: { ...document, apiVersion, kind, metadata: { ...known, name } }, name, namespace }
}
