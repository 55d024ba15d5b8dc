import { deepEqual } from '../../base/index.js'
import { type FetchJson, readCluster } from './cluster-source.js'
import { type CrdKind, crdModule } from './crd-module.js'
import { readFiles } from './file-source.js'
import { ImportError } from './import-error.js'
import { type Crd, readCrd, type SourceDocument } from './read-crd.js'
import { type ModuleFile, writeModules } from './write-modules.js'

/** Where the CRDs come from: files on disk, or a cluster. */
export type ImportSource =
  | { readonly type: 'files'; readonly paths: readonly string[] }
  | {
      readonly type: 'cluster'
      readonly fetchJson: FetchJson
      /** `<plural>.<group>` of the CRDs to import; empty: all of them. */
      readonly names: readonly string[]
    }

export interface ImportOptions {
  readonly source: ImportSource
  /** Made if it is not there. Each group version becomes `<group>/<version>.ts` in it. */
  readonly outDir: string
  /** Overwrite files that would otherwise be protected. Default false. */
  readonly force?: boolean
}

export interface ImportResult {
  /** Every file of this import, below the output folder, sorted. */
  readonly files: readonly { readonly path: string; readonly kinds: readonly string[] }[]
  /** The absolute paths of those that were not there, or had another text. */
  readonly changed: readonly string[]
  /** CRDs that were left out because none of their versions is served. */
  readonly unserved: readonly string[]
}

/**
 * Types and kinds from CRDs of others: reads the CRDs and writes one TypeScript file for each group version, with
 * every served version. The files import nothing but types from `kubewright`.
 *
 * @throws ImportError, with a `KW_IMPORT_...` code and the next step; then nothing was written, unless the code is
 * `KW_IMPORT_UNWRITABLE`.
 */
export async function runImport(options: ImportOptions): Promise<ImportResult> {
  const { source, outDir, force = false } = options
  const documents =
    source.type === 'files'
      ? await readFiles(source.paths)
      : await readCluster(source.fetchJson, source.names)
  const crds = readCrds(documents)
  const modules = modulesOf(crds)
  if (modules.length === 0) throw nothingToImport(source, crds)
  const changed = await writeModules(modules, { outDir, force })
  return {
    files: modules.map(({ path, kinds }) => ({ path, kinds })),
    changed,
    unserved: crds.filter((crd) => crd.versions.length === 0).map((crd) => crd.name),
  }
}

function readCrds(documents: readonly SourceDocument[]): Crd[] {
  const crds = new Map<string, Crd>()
  const owners = new Map<string, string>()
  for (const document of documents) {
    const crd = readCrd(document)
    if (crd === undefined) continue
    const known = crds.get(crd.name)
    if (known !== undefined && !deepEqual(known, crd)) throw duplicate(document.source, crd.name)
    crds.set(crd.name, crd)
    const kind = `${crd.kind} of ${crd.group}`
    const owner = owners.get(kind) ?? crd.name
    if (owner !== crd.name) throw duplicate(document.source, `the kind ${kind}`)
    owners.set(kind, owner)
  }
  return [...crds.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function modulesOf(crds: readonly Crd[]): (ModuleFile & { readonly kinds: readonly string[] })[] {
  const modules = new Map<string, CrdKind[]>()
  for (const crd of crds) {
    for (const version of crd.versions) {
      const path = `${crd.group}/${version.version}.ts`
      modules.set(path, [...(modules.get(path) ?? []), { crd, version }])
    }
  }
  return [...modules]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, kinds]) => ({ path, text: crdModule(kinds), kinds: kinds.map(({ crd }) => crd.kind) }))
}

function duplicate(source: string, what: string): ImportError {
  return new ImportError({
    code: 'KW_IMPORT_DUPLICATE',
    subject: source,
    problem: `${what} was already defined in another way. Import the two into different folders.`,
  })
}

function nothingToImport(source: ImportSource, crds: readonly Crd[]): ImportError {
  const subject = source.type === 'files' ? source.paths.join(', ') : 'the cluster'
  const problem =
    crds.length > 0
      ? `no version of ${crds.map((crd) => crd.name).join(', ')} is served. Import a CRD with a served version.`
      : 'there is no CustomResourceDefinition in it. Name the files that hold the CRDs: ' +
        'with Helm charts they are often in a folder of their own, crds/.'
  return new ImportError({ code: 'KW_IMPORT_NO_CRD', subject: subject || 'import', problem })
}
