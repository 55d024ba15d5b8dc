import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { toError } from '../../base/index.js'
import { ImportError } from './import-error.js'
import { importedCrds } from './import-header.js'

/** A file to write, by its path below the output folder. */
export interface ModuleFile {
  readonly path: string
  readonly text: string
}

export interface WriteOptions {
  readonly outDir: string
  /** Write over files that an import did not make, or that hold CRDs which this import does not bring. */
  readonly force: boolean
}

/**
 * Writes the files, each at once or not at all, and nothing outside of the output folder. A file that holds the same
 * text already is left alone. Everything is checked before the first byte is written.
 *
 * @returns The absolute paths of the files that changed.
 * @throws ImportError when a file must not be overwritten, or the file system refuses.
 */
export async function writeModules(files: readonly ModuleFile[], options: WriteOptions): Promise<string[]> {
  try {
    return await writeChecked(files, options)
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw new ImportError({
      code: 'KW_IMPORT_UNWRITABLE',
      subject: options.outDir,
      problem: `cannot write there (${toError(cause).message}). Check --out and its permissions.`,
      cause,
    })
  }
}

async function writeChecked(files: readonly ModuleFile[], options: WriteOptions): Promise<string[]> {
  const outDir = resolve(options.outDir)
  await mkdir(outDir, { recursive: true })
  const changed: { readonly path: string; readonly text: string }[] = []
  for (const file of files) {
    const path = join(outDir, file.path)
    await refuseDetour(outDir, path)
    const existing = await readIfThere(path)
    if (existing === file.text) continue
    if (existing !== undefined && !options.force) refuseLoss(existing, file)
    changed.push({ path, text: file.text })
  }
  for (const { path, text } of changed) await replaceFile(path, text)
  return changed.map(({ path }) => path)
}

// The names are safe, but a symbolic link in their place may lead anywhere.
async function refuseDetour(outDir: string, path: string): Promise<void> {
  const folder = dirname(path)
  const stats = await lstat(folder).catch(() => undefined)
  if (stats === undefined) return
  const expected = join(await realpath(outDir), folder.slice(outDir.length))
  if ((await realpath(folder)) === expected) return
  throw new ImportError({
    code: 'KW_IMPORT_OUTSIDE',
    subject: folder,
    problem: 'it is a link that leads out of the output folder. Remove the link, or choose another --out.',
  })
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function refuseLoss(existing: string, file: ModuleFile): void {
  const existingCrds = importedCrds(existing)
  if (existingCrds === undefined) {
    throw new ImportError({
      code: 'KW_IMPORT_FOREIGN_FILE',
      subject: file.path,
      problem:
        'this file was not written by an import. Move it away, choose another --out, or overwrite it with --force.',
    })
  }
  const lost = existingCrds.filter((name) => !importedCrds(file.text)?.includes(name))
  if (lost.length === 0) return
  throw new ImportError({
    code: 'KW_IMPORT_FOREIGN_FILE',
    subject: file.path,
    problem:
      `this file also holds ${lost.join(', ')}, which would be lost. ` +
      'Import all CRDs of the group in one call, or drop the others with --force.',
  })
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // In the same folder, so that the rename is atomic; by process, so that two imports do not share it.
  const draft = `${path}.${process.pid}.tmp`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
