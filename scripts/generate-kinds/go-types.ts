import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One field of a Go struct, as it travels. */
export interface GoField {
  /** As `reflect` prints it, without the pointer: `int32`, `v1.Protocol`, `[]v1.Container`. */
  readonly type: string
  readonly isPointer: boolean
  readonly omits: 'never' | 'empty' | 'zero'
  /** The number and the wire type that protobuf has for it: `8,bytes`. */
  readonly proto: string
}

/** The fields of a struct by their names in JSON, embedded ones included. */
export type GoStruct = Readonly<Record<string, GoField>>

/** A struct as its source has it. */
export interface Declaration {
  readonly fields: readonly { readonly line: RegExpExecArray; readonly isEmbedded: boolean }[]
  readonly imports: ReadonlyMap<string, string>
  readonly packagePath: string
}

const fieldLine = /^\s+(?:(\w+)\s+)?([*[\]\w.]+)\s+`([^`]*)`/
const importLine = /^(?:import)?\s+(?:(\w+)\s+)?"([^"]+)"/

/**
 * Reads struct definitions from the sources of Kubernetes: which fields are pointers and which leave themselves out when
 * empty is in no OpenAPI document, but decides what the server writes. Only as much Go as those files use.
 */
export function readGoTypes(modulesDir: string, version: string): (schemaName: string) => GoStruct {
  const packages = new Map<string, Map<string, Declaration>>()

  const packageAt = (path: string): Map<string, Declaration> => {
    const known = packages.get(path)
    if (known !== undefined) return known
    const [host = '', module = '', ...rest] = path.split('/')
    const directory = join(modulesDir, host, `${module}@${version}`, ...rest)
    if (!existsSync(directory))
      throw new Error(
        `${directory} is not there: run \`go mod download k8s.io/${module}@${version}\` or name the module cache with --go-modules.`,
      )
    const found = readPackage(directory, path)
    packages.set(path, found)
    return found
  }

  const structAt = (path: string, name: string): GoStruct => {
    const declaration = packageAt(path).get(name)
    if (declaration === undefined) throw new Error(`${path} has no struct ${name}.`)
    const fields: Record<string, GoField> = {}
    for (const { line, isEmbedded } of declaration.fields) {
      const [, , typeText = '', tags = ''] = line
      const [jsonName = '', ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',')
      if (jsonName === '-') continue
      const embeddedType = typeText.replace(/^\*/, '')
      if (isEmbedded && jsonName === '') {
        const [alias, member] = embeddedType.includes('.') ? embeddedType.split('.') : ['', embeddedType]
        const from = alias === '' ? path : declaration.imports.get(alias ?? '')
        Object.assign(fields, structAt(from ?? '', member ?? ''))
        continue
      }
      const [wire = '', number = ''] = (/protobuf:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',')
      fields[jsonName] = {
        type: printedType(typeText.replace(/^\*/, ''), declaration),
        isPointer: typeText.startsWith('*'),
        omits: options.includes('omitzero') ? 'zero' : options.includes('omitempty') ? 'empty' : 'never',
        proto: number === '' ? '' : `${number},${wire}`,
      }
    }
    return fields
  }

  return (schemaName) => {
    const dot = schemaName.lastIndexOf('.')
    return structAt(packagePath(schemaName.slice(0, dot)), schemaName.slice(dot + 1))
  }
}

/** The structs of a package by name. */
export function readPackage(directory: string, path: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>()
  for (const file of readdirSync(directory)) {
    if (!file.endsWith('.go') || file.endsWith('_test.go') || /generated|[.]pb[.]/.test(file)) continue
    const lines = readFileSync(join(directory, file), 'utf8').split('\n')
    const imports = new Map<string, string>()
    let fields: { line: RegExpExecArray; isEmbedded: boolean }[] | undefined
    for (const line of lines) {
      const imported = fields === undefined ? importLine.exec(line) : null
      if (imported !== null) {
        const target = imported[2] ?? ''
        imports.set(imported[1] ?? target.slice(target.lastIndexOf('/') + 1), target)
      }
      const start = /^type (\w+) struct \{$/.exec(line)
      if (start !== null) {
        fields = []
        found.set(start[1] ?? '', { fields, imports, packagePath: path })
      } else if (line === '}') {
        fields = undefined
      } else if (fields !== undefined) {
        const field = fieldLine.exec(line)
        if (field !== null) fields.push({ line: field, isEmbedded: field[1] === undefined })
      }
    }
  }
  return found
}

/** `[]Container` in core/v1 is `[]v1.Container`; `*metav1.Time` in a list keeps its star. */
function printedType(text: string, { imports, packagePath: home }: Declaration): string {
  return text.replace(
    /(?<![\w.])(?:(\w+)[.])?(\w+)(?![\w.])/g,
    (_, alias: string | undefined, name: string) => {
      if (alias !== undefined) return `${lastSegment(imports.get(alias) ?? alias)}.${name}`
      const isBuiltin = name === 'map' || /^[a-z]/.test(name)
      return isBuiltin ? (name === 'byte' ? 'uint8' : name) : `${lastSegment(home)}.${name}`
    },
  )
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `io.k8s.api.core.v1` is `k8s.io/api/core/v1`. */
function packagePath(schemaPackage: string): string {
  return `k8s.io/${schemaPackage.replace(/^io[.]k8s[.]/, '').replaceAll('.', '/')}`
}
