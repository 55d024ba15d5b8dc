import { isPlainObject } from '../../base/index.js'
import type { Scope } from '../../objects/index.js'
import { ImportError } from './import-error.js'
import { isTrue, listAt, type Schema, schemaAt, textAt } from './schema-view.js'

/** A document that may be a CRD, and where it stood. */
export interface SourceDocument {
  readonly value: unknown
  /** For people: `crds.yaml, document 3`. */
  readonly source: string
}

/** One served version of a CRD. */
export interface CrdVersion {
  readonly version: string
  readonly schema: Schema
  readonly subresources: readonly string[]
  /** The warning of a deprecated version; undefined for the others. */
  readonly deprecation: string | undefined
}

/** What an import needs of a CRD. Every name in it is safe as a part of a path. */
export interface Crd {
  /** `certificates.cert-manager.io`. */
  readonly name: string
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly scope: Scope
  /** The served versions, in the order of the CRD. May be empty. */
  readonly versions: readonly CrdVersion[]
}

// As the API server checks them: labels of RFC 1035, a subdomain of RFC 1123, and a kind that is a label in lower case.
const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const subdomain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const kindName = /^[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/

/** Deeper schemas exist only to break readers. */
const maxDepth = 100

/**
 * Reads a CRD of apiextensions.k8s.io/v1 from untrusted data; undefined when the document is something else.
 * @throws ImportError for a CRD of an older API, and for one that no API server would accept.
 */
export function readCrd({ value, source }: SourceDocument): Crd | undefined {
  if (!isPlainObject(value) || value['kind'] !== 'CustomResourceDefinition') return undefined
  const apiVersion = textAt(value, 'apiVersion') ?? ''
  if (!apiVersion.startsWith('apiextensions.k8s.io/')) return undefined
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    throw new ImportError({
      code: 'KW_IMPORT_OLD_CRD',
      subject: source,
      problem:
        `this is a CRD of ${apiVersion}, which Kubernetes removed in 1.22. ` +
        'Take a newer release of its manifests, or import it with --from-cluster: the API server converts it.',
    })
  }
  const reader = createReader(value, source)
  const group = reader.text(['spec', 'group'], subdomain)
  const plural = reader.text(['spec', 'names', 'plural'], label)
  const kind = reader.text(['spec', 'names', 'kind'], kindName)
  const name = `${plural}.${group}`
  return {
    name,
    group,
    kind,
    plural,
    singular: reader.text(['spec', 'names', 'singular'], label, kind.toLowerCase()),
    listKind: reader.text(['spec', 'names', 'listKind'], kindName, `${kind}List`),
    scope: reader.text(['spec', 'scope'], /^(Namespaced|Cluster)$/) === 'Cluster' ? 'Cluster' : 'Namespaced',
    versions: readVersions(value, name, reader),
  }
}

interface Reader {
  text(path: readonly string[], pattern: RegExp, fallback?: string): string
  fail(field: string, problem: string): never
}

function createReader(root: Schema, source: string): Reader {
  const fail = (field: string, problem: string): never => {
    throw new ImportError({
      code: 'KW_IMPORT_INVALID_CRD',
      subject: source,
      problem:
        `${field} ${problem}, so no API server accepts this CRD. ` +
        'Correct the file, or import the CRD with --from-cluster.',
    })
  }
  return {
    fail,
    text(path, pattern, fallback) {
      const parent = path.slice(0, -1).reduce<Schema>((schema, key) => schemaAt(schema, key) ?? {}, root)
      const found = textAt(parent, path.at(-1) ?? '')
      const text = found === undefined || found === '' ? fallback : found
      if (text === undefined) return fail(path.join('.'), 'is missing')
      if (!pattern.test(text))
        return fail(path.join('.'), `is ${JSON.stringify(text.slice(0, 80))}, which is no valid name`)
      return text
    },
  }
}

function readVersions(root: Schema, name: string, reader: Reader): CrdVersion[] {
  const spec = schemaAt(root, 'spec') ?? {}
  const versions = listAt(spec, 'versions').map((entry): Schema => (isPlainObject(entry) ? entry : {}))
  if (versions.length === 0) reader.fail('spec.versions', 'is empty')
  const seen = new Set<string>()
  for (const [index, entry] of versions.entries()) {
    const version = textAt(entry, 'name') ?? ''
    if (!label.test(version)) reader.fail(`spec.versions[${index}].name`, 'is no valid version')
    if (seen.has(version)) reader.fail(`spec.versions[${index}].name`, `repeats ${version}`)
    seen.add(version)
  }
  return versions.filter((entry) => isTrue(entry, 'served')).map((entry) => readVersion(entry, name, reader))
}

function readVersion(entry: Schema, name: string, reader: Reader): CrdVersion {
  const version = textAt(entry, 'name') ?? ''
  const schema = schemaAt(schemaAt(entry, 'schema') ?? {}, 'openAPIV3Schema')
  if (schema === undefined) {
    throw new ImportError({
      code: 'KW_IMPORT_NO_SCHEMA',
      subject: `${name}, version ${version}`,
      problem:
        'it has no schema.openAPIV3Schema, so there is nothing to make types from. ' +
        'Ask its vendor for a release with schemas, or define the kind yourself with defineKind.',
    })
  }
  if (isTooDeep(schema, maxDepth))
    reader.fail(`the schema of version ${version}`, `is nested deeper than ${maxDepth} levels`)
  const subresources = schemaAt(entry, 'subresources') ?? {}
  const warning = textAt(entry, 'deprecationWarning') ?? `${version} of ${name} is deprecated.`
  return {
    version,
    schema,
    subresources: ['scale', 'status'].filter((subresource) => schemaAt(subresources, subresource)),
    deprecation: isTrue(entry, 'deprecated') ? warning : undefined,
  }
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1))
}
