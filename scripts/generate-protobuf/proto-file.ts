/** One field of a message, as the .proto file has it. */
export interface ProtoField {
  readonly name: string
  readonly number: number
  readonly label: 'single' | 'repeated' | 'map'
  /** Of the value, for a map, whose keys are texts: `string`, `Container`, `.k8s.io.api.core.v1.PodSpec`. */
  readonly type: string
}

export interface ProtoFile {
  /** `k8s.io.api.core.v1`. */
  readonly package: string
  /** By name. */
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>
}

const messageLine = /^message (\w+) \{$/
const fieldLine = /^ {2}(?:(optional|repeated) ([\w.]+)|map<string, ([\w.]+)>) (\w+) = (\d+);$/

/** Reads a `generated.proto` of Kubernetes: only as much of the language as those use. Throws for anything else. */
export function parseProto(text: string, path: string): ProtoFile {
  const packageName = /^package ([\w.]+);$/m.exec(text)?.[1]
  if (packageName === undefined) throw new Error(`${path} names no package.`)
  const messages = new Map<string, ProtoField[]>()
  let fields: ProtoField[] | undefined
  for (const line of text.split('\n')) {
    if (/^\s*(?:\/\/.*)?$/.test(line)) continue
    const message = messageLine.exec(line)?.[1]
    if (message !== undefined) {
      fields = []
      messages.set(message, fields)
      continue
    }
    if (line === '}') fields = undefined
    else if (fields !== undefined) fields.push(parseField(line, path))
  }
  return { package: packageName, messages }
}

function parseField(line: string, path: string): ProtoField {
  const match = fieldLine.exec(line)
  if (match === null) throw new Error(`${path} has a line that is no field: ${line.trim()}`)
  const [, label, plainType, valueType, name = '', number = ''] = match
  return {
    name,
    number: Number(number),
    label: valueType !== undefined ? 'map' : label === 'repeated' ? 'repeated' : 'single',
    type: valueType ?? plainType ?? '',
  }
}
