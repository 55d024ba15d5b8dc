import type { Declaration } from '../generate-kinds/go-types.js'
import type { ProtoField, ProtoFile } from './proto-file.js'

/** A Go package with a protobuf form. */
export interface ProtoPackage {
  readonly proto: ProtoFile
  readonly structs: ReadonlyMap<string, Declaration>
  /** `apps/v1`. */
  readonly apiVersion: string
}

/** Messages that are no struct with the same fields in JSON: the codec has code for each. */
const special: ReadonlySet<string> = new Set([
  'meta.Time',
  'meta.MicroTime',
  'meta.FieldsV1',
  'meta.Verbs',
  'meta.Quantity',
  'meta.IntOrString',
  'meta.RawExtension',
  'authentication-v1.ExtraValue',
  'authorization-v1.ExtraValue',
  'certificates-v1.ExtraValue',
  'apiextensions-v1.JSON',
  'apiextensions-v1.JSONSchemaPropsOrArray',
  'apiextensions-v1.JSONSchemaPropsOrBool',
  'apiextensions-v1.JSONSchemaPropsOrStringArray',
])

const scalars: Readonly<Record<string, string>> = {
  string: 's',
  bool: 'b',
  int32: 'i',
  int64: 'l',
  double: 'd',
  bytes: 'y',
}

interface GoField {
  readonly name: string
  readonly jsonName: string
  readonly type: string
  readonly omits: 'never' | 'empty' | 'zero'
}

/**
 * The table of messages, a section for each package, a line for each message that a kind can contain:
 *
 *     [apps-v1 apps/v1]
 *     +Deployment metadata:1!meta.ObjectMeta spec:2!DeploymentSpec status:3!DeploymentStatus
 *
 * `+` marks what has a kind and an apiVersion. A field is its name in JSON, its number, marks and its type. A field
 * without a name is a struct whose fields stand among those of the message in JSON. Marks: `?` may be absent, `!` is in
 * JSON whatever its value; with neither, it is left out of JSON when empty; `*` is a list, `%` a map with texts as keys.
 * A field whose name in Go does not follow from the one in JSON has that in brackets: errors name it.
 */
export function messageLines(packages: readonly ProtoPackage[]): string[] {
  const byModule = new Map(packages.map((each) => [moduleOf(each.proto.package), each]))
  const lines = new Map<string, string>()
  const queue: string[] = []
  for (const [module, { proto, structs }] of byModule)
    for (const name of proto.messages.keys()) if (isKind(structs.get(name))) queue.push(`${module}.${name}`)
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (lines.has(next) || special.has(next)) continue
    const [module = '', name = ''] = next.split('.')
    const home = packageOf(byModule, module, name)
    const fields = home.proto.messages.get(name)
    // An empty struct is declared in one line, which the reader of Go passes over.
    const struct = home.structs.get(name) ?? (fields?.length === 0 ? emptyStruct : undefined)
    if (fields === undefined || struct === undefined)
      throw new Error(`${next} is not both a message and a struct: give it code of its own in the codec.`)
    const { text, references } = messageLine(name, fields, { struct, home })
    lines.set(next, text)
    queue.push(...references)
    // Held by those that have code of their own.
    if (next === 'apiextensions-v1.CustomResourceValidation') queue.push('apiextensions-v1.JSONSchemaProps')
  }
  return [...byModule].flatMap(([module, { apiVersion }]) => {
    const own = [...lines].filter(([name]) => name.startsWith(`${module}.`)).map(([, text]) => text)
    return [`[${module} ${apiVersion}]`, ...own.toSorted()]
  })
}

const emptyStruct: Declaration = { fields: [], imports: new Map(), packagePath: '' }

function packageOf(byModule: ReadonlyMap<string, ProtoPackage>, module: string, name: string): ProtoPackage {
  const found = byModule.get(module)
  if (found === undefined)
    throw new Error(`${module} is not among the packages, but ${name} of it is needed.`)
  return found
}

/** `k8s.io.api.core.v1` is `core-v1`; all of apimachinery is `meta`. */
function moduleOf(packageName: string): string {
  if (packageName.startsWith('k8s.io.apimachinery.')) return 'meta'
  const [version = '', group = ''] = packageName.split('.').toReversed()
  return `${group}-${version}`
}

function isKind(struct: Declaration | undefined): boolean {
  return struct?.fields.some(({ line }) => /^(?:\w+[.])?TypeMeta$/.test(line[2] ?? '')) ?? false
}

function messageLine(
  name: string,
  fields: readonly ProtoField[],
  { struct, home }: { readonly struct: Declaration; readonly home: ProtoPackage },
): { text: string; references: string[] } {
  const goFields = fieldsByNumber(struct)
  const references: string[] = []
  const texts = fields
    .toSorted((left, right) => left.number - right.number)
    .map((field) => {
      const go = goFields.get(field.number)
      if (go === undefined) throw new Error(`The Go type of ${name} has no field ${field.number}.`)
      const scalar = scalars[field.type]
      const target = scalar === undefined ? referenceOf(field.type, home.proto.package) : undefined
      if (target !== undefined) references.push(target)
      const own = `${moduleOf(home.proto.package)}.`
      const type = scalar ?? (target?.startsWith(own) === true ? target.slice(own.length) : (target ?? ''))
      return `${go.jsonName}${goName(go)}:${field.number}${marksOf(field, go, target)}${type}`
    })
  checkCovered(name, fields, goFields)
  return { text: [`${isKind(struct) ? '+' : ''}${name}`, ...texts].join(' '), references }
}

/** A pointer is there or not; a list or a map without anything is the same as none. */
function marksOf({ label }: ProtoField, { type, omits }: GoField, target: string | undefined): string {
  const always = omits === 'never' ? '!' : ''
  if (label !== 'single') return `${always}${label === 'map' ? '%' : '*'}`
  // A list in Go that is a message in protobuf can be none at all.
  if (type.startsWith('*') || target === 'meta.Verbs') return `?${always}`
  // A struct held by value is never empty for Go's encoder.
  return target !== undefined && omits !== 'zero' ? '!' : always
}

function goName({ name, jsonName }: GoField): string {
  return jsonName === '' || name === `${jsonName.slice(0, 1).toUpperCase()}${jsonName.slice(1)}`
    ? ''
    : `(${name})`
}

/** `.k8s.io.api.core.v1.PodSpec` or `PodSpec` is `core-v1.PodSpec`. */
function referenceOf(type: string, packageName: string): string {
  const full = type.startsWith('.') ? type.slice(1) : `${packageName}.${type}`
  const dot = full.lastIndexOf('.')
  return `${moduleOf(full.slice(0, dot))}.${full.slice(dot + 1)}`
}

function fieldsByNumber(struct: Declaration): Map<number, GoField> {
  const fields = new Map<number, GoField>()
  for (const { line, isEmbedded } of struct.fields) {
    const [, ownName = '', type = '', tags = ''] = line
    const number = Number((/protobuf:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',')[1] ?? 0)
    if (number === 0) continue
    const [jsonName = '', ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',')
    if (jsonName === '' && !isEmbedded) throw new Error(`${ownName} has no name in JSON.`)
    fields.set(number, {
      name: isEmbedded ? type.slice(type.lastIndexOf('.') + 1) : ownName,
      jsonName,
      type,
      omits: options.includes('omitzero') ? 'zero' : options.includes('omitempty') ? 'empty' : 'never',
    })
  }
  return fields
}

function checkCovered(
  name: string,
  fields: readonly ProtoField[],
  goFields: ReadonlyMap<number, GoField>,
): void {
  for (const [number, { jsonName }] of goFields)
    if (!fields.some((field) => field.number === number))
      throw new Error(`The message ${name} has no field ${number}, which is ${jsonName} in Go.`)
}
