import { readFile } from 'node:fs/promises'
import { isPlainObject, toError } from '../../base/index.js'
import { parseDocuments } from '../parse-documents.js'
import { ImportError } from './import-error.js'
import type { SourceDocument } from './read-crd.js'

/**
 * Every document of the files: YAML 1.2 with any number of documents, or JSON. A list (`kubectl get crds -o yaml`)
 * counts as the documents in it.
 * @throws ImportError when a file cannot be read or parsed.
 */
export async function readFiles(paths: readonly string[]): Promise<SourceDocument[]> {
  const documents = await Promise.all(paths.map(async (path) => parseText(await readText(path), path)))
  return documents.flat()
}

async function readText(path: string): Promise<string> {
  if (/^https?:\/\//.test(path)) {
    throw new ImportError({
      code: 'KW_IMPORT_UNREADABLE',
      subject: path,
      problem: 'URLs are not fetched. Download the file, look at it, and import it from disk.',
    })
  }
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const isFolder = toError(cause).message.startsWith('EISDIR')
    throw new ImportError({
      code: 'KW_IMPORT_UNREADABLE',
      subject: path,
      problem: isFolder
        ? 'this is a folder. Name the files in it, for example with *.yaml.'
        : `the file cannot be read (${toError(cause).message}). Check the path and its permissions.`,
      cause,
    })
  }
}

/** The documents of one text. */
export function parseText(text: string, path: string): SourceDocument[] {
  const values = parse(text, path)
  const numbered = values.map((value, index) => ({
    value,
    source: values.length === 1 ? path : `${path}, document ${index + 1}`,
  }))
  return numbered.flatMap(expandList)
}

function parse(text: string, path: string): unknown[] {
  try {
    return parseDocuments(text)
  } catch (cause) {
    const isTemplate = text.includes('{{')
    throw new ImportError({
      code: 'KW_IMPORT_NOT_YAML',
      subject: path,
      problem:
        `this is neither YAML nor JSON (${toError(cause).message.trim()}). ` +
        (isTemplate
          ? 'It looks like a template: render it first, for example with `helm template --include-crds`.'
          : 'Correct the file and import it again.'),
      cause,
    })
  }
}

function expandList({ value, source }: SourceDocument): SourceDocument[] {
  if (!isPlainObject(value) || !Array.isArray(value['items'])) return [{ value, source }]
  const { kind, apiVersion } = value
  if (kind !== 'List' && kind !== 'CustomResourceDefinitionList') return [{ value, source }]
  // The items of a typed list do not repeat their type.
  const type = kind === 'List' ? {} : { apiVersion, kind: 'CustomResourceDefinition' }
  return value['items'].map((item: unknown, index) => ({
    value: isPlainObject(item) ? { ...type, ...item } : item,
    source: `${source}, item ${index + 1}`,
  }))
}
