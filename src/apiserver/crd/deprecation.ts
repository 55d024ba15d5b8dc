import { compareVersions } from '../discovery/documents.js'
import type { CrdSpec, CrdVersion } from './definition.js'

/** What users of a deprecated version are told: what the CRD says, or which version to use instead. */
export function deprecationWarningOf(spec: CrdSpec, version: CrdVersion): string | undefined {
  if (version.deprecated !== true) return undefined
  if (version.deprecationWarning !== undefined) return version.deprecationWarning
  const { group, names, versions } = spec
  const message = `${group}/${version.name} ${names.kind} is deprecated`
  const [newest] = versions
    .filter((each) => each.served && each.deprecated !== true && compareVersions(each.name, version.name) < 0)
    .sort((left, right) => compareVersions(left.name, right.name))
  return newest === undefined ? message : `${message}; use ${group}/${newest.name} ${names.kind}`
}
