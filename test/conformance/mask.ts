import { isPlainObject, setOwn, stringifyJson } from 'kubewright/base'
import { at, textAt } from './data.js'
import { maskedRows } from './mask-table.js'
import type { Circumstances, Step } from './transcript.js'

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
/** Those of cases, which are the same on every server. */
const writtenUuid = /^(0{8}|1{8}|2{8})-/
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g
const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g
/** Revisions that messages name: everybody on the server moves them. */
const currentRevision = /(too old resource version: \d+ \(|current: )\d+/gi
/** An object that a message quotes. */
const quotedVersion =
  /(resourceVersion\\*":\\*"|ResourceVersion in (?:the precondition|record) \()([1-9]\d+)/g
const pem = /-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----\n?/g
/** By which certificate somebody was known. */
const certificateId = /\bX509SHA256=[0-9a-f]{64}\b/g
const tokenVolume = /\bkube-api-access-[a-z0-9]{5}\b/g
const address = /^\d+\.\d+\.\d+\.\d+$|^[0-9a-f:]+:[0-9a-f:]*$/

/** So much may lie between the making of a time and our looking at it. */
const nowToleranceMs = 15_000

/**
 * The transcript without what no two runs share. What identifies becomes a number (uids in the order of appearance,
 * versions by their rank), so that equal stays equal, different stays different, and later stays later.
 */
export function maskSteps(steps: readonly Step[], circumstances: Circumstances): Step[] {
  const names = collect(steps)
  const mask = createMask(names, circumstances)
  return steps.map(({ what, seen }) => ({ what: mask.text(what), seen: mask.value(seen, '') }))
}

interface Names {
  readonly uids: ReadonlyMap<string, number>
  /** Of objects, by rank. */
  readonly versions: ReadonlyMap<string, number>
  readonly generated: readonly (readonly [name: string, shown: string])[]
}

function collect(steps: readonly Step[]): Names {
  const uids = new Map<string, number>()
  const versions = new Set<string>()
  const generated = new Map<string, string>()

  const visitText = (text: string): void => {
    for (const [found] of text.matchAll(uuid))
      if (!writtenUuid.test(found) && !uids.has(found)) uids.set(found, uids.size + 1)
  }
  const visitMetadata = (owner: Record<string, unknown>, metadata: Record<string, unknown>): void => {
    const { name, generateName, resourceVersion } = metadata
    if (isVersion(resourceVersion) && !isCollection(owner)) versions.add(resourceVersion)
    if (
      typeof name === 'string' &&
      typeof generateName === 'string' &&
      !generated.has(name) &&
      name.startsWith(generateName) &&
      name !== generateName
    )
      generated.set(name, `${generateName}<generated ${generated.size + 1}>`)
  }
  // A generated name that is refused shows in nothing but the refusal.
  const visitStatus = ({ message, details }: Record<string, unknown>): void => {
    const name = textAt(details, 'name')
    if (name !== '' && typeof message === 'string' && message.includes('metadata.generateName:'))
      generated.set(name, `<generated ${generated.size + 1}>`)
  }
  const visit = (value: unknown): void => {
    if (typeof value === 'string') return visitText(value)
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isPlainObject(value)) return
    visitStatus(value)
    if (isPlainObject(value['metadata'])) visitMetadata(value, value['metadata'])
    // By key: the order of keys on the wire says nothing.
    for (const key of Object.keys(value).toSorted()) {
      visitText(key)
      visit(value[key])
    }
  }
  for (const { seen } of steps) visit(seen)
  const ranked = [...versions].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return {
    uids,
    versions: new Map(ranked.map((version, index) => [version, index + 1])),
    generated: [...generated].toSorted(([a], [b]) => b.length - a.length),
  }
}

const isVersion = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d*$/.test(value)

/** The version of a list is the server's own, moved by everybody who writes to it. */
function isCollection({ kind, items }: Record<string, unknown>): boolean {
  return items !== undefined || (typeof kind === 'string' && /List$|^Table$/.test(kind))
}

/** The object, with the version of the server hidden if it shows one. */
function hideRevision(object: Record<string, unknown>): Record<string, unknown> {
  const { metadata } = object
  if (!isCollection(object) || !isPlainObject(metadata) || !isVersion(metadata['resourceVersion']))
    return object
  return { ...object, metadata: { ...metadata, resourceVersion: '<revision>' } }
}

interface Mask {
  text(text: string): string
  value(value: unknown, key: string): unknown
}

function createMask(names: Names, circumstances: Circumstances): Mask {
  const { words, startedMs, endedMs } = circumstances

  function showVersion(version: string): string | undefined {
    const rank = names.versions.get(version)
    return rank === undefined ? undefined : `<version ${rank}>`
  }

  function text(original: string): string {
    let masked = original
    for (const [name, shown] of names.generated) masked = masked.replaceAll(name, shown)
    for (const [word, shown] of Object.entries(words)) masked = masked.replaceAll(word, shown)
    return masked
      .replace(uuid, (found) => (names.uids.has(found) ? `<uid ${names.uids.get(found)}>` : found))
      .replace(time, (found) => maskTime(found, startedMs, endedMs))
      .replace(token, '<token>')
      .replace(pem, '<certificate>')
      .replace(certificateId, 'X509SHA256=<hash>')
      .replace(tokenVolume, 'kube-api-access-<generated>')
      .replace(
        quotedVersion,
        (_, before: string, found: string) => `${before}${showVersion(found) ?? '<revision>'}`,
      )
      .replace(currentRevision, '$1<revision>')
  }

  function value(original: unknown, key: string): unknown {
    if (typeof original === 'string') return maskField(key, original) ?? text(original)
    if (typeof original === 'number') return /nodePort$/i.test(key) && original > 0 ? '<port>' : original
    if (Array.isArray(original)) {
      const items = original.map((item) => value(item, key))
      return key === 'managedFields' ? sortWithinOperations(items) : items
    }
    if (!isPlainObject(original)) return original
    const rows = maskedRows(original)
    const masked: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(hideRevision(original))) {
      setOwn(masked, text(name), value(name === 'rows' && rows !== undefined ? rows : member, name))
    }
    return circumstances.anyOrderOfCauses ? withSortedCauses(masked) : masked
  }

  function maskField(key: string, original: string): string | undefined {
    switch (key) {
      case 'resourceVersion':
        return showVersion(original)
      case 'continue':
        return original === '' ? '' : '<continue>'
      case 'clusterIP':
      case 'clusterIPs':
        return address.test(original) ? '<ip>' : undefined
      default:
        return undefined
    }
  }

  return { text, value }
}

/** Times of the conversation are hidden, times written by the case stay. */
function maskTime(found: string, startedMs: number, endedMs: number): string {
  const atMs = Date.parse(found)
  const precision = found.includes('.') ? ', exact' : ''
  if (atMs > startedMs - nowToleranceMs && atMs < endedMs + nowToleranceMs) return `<now${precision}>`
  const isNear = Math.abs(atMs - endedMs) < 366 * 24 * 3_600_000
  return isNear && atMs > endedMs ? `<later${precision}>` : found
}

/**
 * Within an operation the server sorts by whole seconds, then by manager: which of the two decides depends on when the
 * second changed.
 */
function sortWithinOperations(entries: readonly unknown[]): unknown[] {
  const sorted: unknown[] = []
  let group: unknown[] = []
  const operationOf = (entry: unknown): unknown => at(entry, 'operation')
  const identityOf = (entry: unknown): string =>
    stringifyJson(['manager', 'apiVersion', 'subresource'].map((key) => at(entry, key) ?? ''))
  const flush = (): void => {
    sorted.push(...group.toSorted((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1)))
    group = []
  }
  for (const entry of entries) {
    if (group.length > 0 && operationOf(group[0]) !== operationOf(entry)) flush()
    group.push(entry)
  }
  flush()
  return sorted
}

function withSortedCauses(masked: Record<string, unknown>): Record<string, unknown> {
  const { kind, message, details } = masked
  if (kind !== 'Status' || typeof message !== 'string') return masked
  const words = message.split(/[\s,[\]]+/).toSorted()
  const causes = isPlainObject(details) && Array.isArray(details['causes']) ? details['causes'] : []
  const sorted = causes.map((cause) => stringifyJson(cause)).toSorted()
  return {
    ...masked,
    message: words.join(' '),
    details: { ...(isPlainObject(details) ? details : {}), causes: sorted },
  }
}
