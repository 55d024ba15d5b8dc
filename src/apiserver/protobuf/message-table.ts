import { messages } from './data/messages.js'
import { type MessageField, MessageType } from './message-type.js'
import { boolType, bytesType, doubleType, int32Type, int64Type, textType } from './scalar-types.js'
import { specialTypes } from './special-types.js'
import type { WireType } from './wire-type.js'

/** The messages of the built-in kinds. */
export interface MessageTable {
  /** The message of a kind, lists included; undefined for what has none. */
  kind(apiVersion: string, kind: string): MessageType | undefined
}

const scalars: Readonly<Record<string, WireType>> = {
  s: textType,
  b: boolType,
  i: int32Type,
  l: int64Type,
  d: doubleType,
  y: bytesType,
}

/** Of the meta package, registered for the core group; PartialObjectMetadata is of the group meta.k8s.io. */
const coreMetaKinds: ReadonlySet<string> = new Set(['Status', 'APIGroup', 'APIGroupList', 'APIResourceList'])
/** The document at `/api` has a kind, but no apiVersion. */
const unversionedKind = 'APIVersions'
/** Of the meta package, registered for every group. */
const optionKinds: ReadonlySet<string> = new Set([
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
])

/** Reads the table of the generated data: its lines now, what they say when it is first needed. */
export function createMessageTable(): MessageTable {
  const lines = new Map<string, string>()
  const modules = new Map<string, string>()
  const kinds = new Set<string>()
  let module = ''
  for (const line of messages.split('\n')) {
    const [first = ''] = line.split(' ', 1)
    if (line.startsWith('[')) {
      module = first.slice(1)
      modules.set(line.slice(first.length + 1, -1), module)
    } else {
      const isKind = first.startsWith('+')
      const name = `${module}.${isKind ? first.slice(1) : first}`
      lines.set(name, line)
      if (isKind) kinds.add(name)
    }
  }
  const found = new Map<string, MessageType>()

  const message = (name: string): MessageType => {
    const known = found.get(name)
    if (known !== undefined) return known
    const line = lines.get(name)
    if (line === undefined) throw new RangeError(`${name} is no message of the built-in API`)
    const type = new MessageType(name.slice(name.indexOf('.') + 1), () =>
      line
        .split(' ')
        .slice(1)
        .map((text) => parseField(text, (reference) => typeNamed(reference, name))),
    )
    found.set(name, type)
    return type
  }
  const special = specialTypes(message('apiextensions-v1.JSONSchemaProps'))
  const typeNamed = (reference: string, user: string): WireType => {
    const scalar = scalars[reference]
    if (scalar !== undefined) return scalar
    const name = reference.includes('.') ? reference : `${user.slice(0, user.indexOf('.'))}.${reference}`
    return special.get(name) ?? message(name)
  }

  return {
    kind(apiVersion, kind) {
      const name = `${moduleOf(modules, apiVersion, kind)}.${kind}`
      return kinds.has(name) ? message(name) : undefined
    },
  }
}

function moduleOf(modules: ReadonlyMap<string, string>, apiVersion: string, kind: string): string {
  if (optionKinds.has(kind)) return 'meta'
  if (kind === unversionedKind || (apiVersion === 'v1' && coreMetaKinds.has(kind))) return 'meta'
  if (apiVersion === 'meta.k8s.io/v1beta1') return 'meta'
  return modules.get(apiVersion) ?? ''
}

/** A field as the generator writes it: `replicas:1?i`, `metadata(ObjectMeta):1!meta.ObjectMeta`. */
const fieldText = /^([^:(]*)(?:\((\w+)\))?:(\d+)([?!*%]*)([\w.-]+)$/

function parseField(text: string, typeNamed: (reference: string) => WireType): MessageField {
  const match = fieldText.exec(text)
  if (match === null) throw new RangeError(`the table of messages has a field that cannot be read: ${text}`)
  const [, name = '', goName, number = '', marks = '', reference = ''] = match
  return {
    name,
    goName: goName ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    number: Number(number),
    shape: marks.includes('*') ? 'list' : marks.includes('%') ? 'map' : 'single',
    isOptional: marks.includes('?'),
    isAlways: marks.includes('!'),
    type: typeNamed(reference),
  }
}
