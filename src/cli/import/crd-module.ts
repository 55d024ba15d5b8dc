import { fieldsOf } from './fields-of.js'
import { importHeader } from './import-header.js'
import { descriptorText, type Field, interfaceText } from './interface-text.js'
import { createNames, type Names, pascalCase, stringLiteral } from './names.js'
import type { Crd, CrdVersion } from './read-crd.js'
import { isTrue, type Schema, textAt, withoutProperties } from './schema-view.js'
import { isOpen, type TypeScope } from './type-text.js'

/** One version of one CRD: what becomes one kind of a module. */
export interface CrdKind {
  readonly crd: Crd
  readonly version: CrdVersion
}

/**
 * The TypeScript of one group version: an interface and a descriptor for each kind, and an interface for each object
 * inside. The same CRDs give the same text, whatever their order and that of their fields.
 */
export function crdModule(kinds: readonly CrdKind[]): string {
  const names = createNames()
  // The kinds choose first: users look for them by name. A capital keeps them apart from all reserved words.
  const named = kinds
    .toSorted((left, right) => (left.crd.kind < right.crd.kind ? -1 : 1))
    .map((kind) => ({ ...kind, name: names.claim(pascalCase(kind.crd.kind)) }))
  const imports = createImports(names)
  const blocks: string[] = []
  const scope = createScope(names, imports, blocks)
  for (const kind of named) {
    // The place in the file comes before the fields do: a kind stands above the types that it uses.
    const place = blocks.push('') - 1
    blocks[place] = kindText(kind, scope, imports)
  }
  const header = importHeader(kinds.map(({ crd }) => crd.name))
  return [header, imports.text(), `${blocks.join('\n\n')}\n`].join('\n\n')
}

const importable = ['Kind', 'NamespacedObjectMeta', 'ObjectMeta', 'ObjectMetaInput'] as const
type ImportName = (typeof importable)[number]

/** What the module takes from the package. A kind may have such a name too: then the import gets another one. */
interface Imports {
  use(name: ImportName): string
  text(): string
}

function createImports(names: Names): Imports {
  const locals = new Map(importable.map((name) => [name, names.claim(name)] as const))
  const used = new Set<ImportName>()
  const local = (name: ImportName): string => locals.get(name) ?? name
  return {
    use(name) {
      used.add(name)
      return local(name)
    },
    text() {
      const list = importable
        .filter((name) => used.has(name))
        .map((name) => (local(name) === name ? name : `${name} as ${local(name)}`))
      return `import type { ${list.join(', ')} } from 'kubewright'`
    },
  }
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

function createScope(names: Names, imports: Imports, blocks: string[]): TypeScope {
  // An embedded resource has these three fields whether its schema names them or not, and needs the first two.
  const embeddedFields = (name: string, schema: Schema): Field[] => [
    field('apiVersion', 'string'),
    field('kind', 'string'),
    field('metadata', imports.use('ObjectMetaInput'), true),
    ...fieldsOf(withoutProperties(schema, typeFields), name, scope),
  ]
  const scope: TypeScope = {
    hasRealDefaults: true,
    // A CRD cannot have references; the API server refuses them.
    reference: () => 'unknown',
    mapOf: (valueType) =>
      names.has('Record') ? `{ [key: string]: ${valueType} }` : `Record<string, ${valueType}>`,
    declare(wantedName, schema) {
      const name = names.claim(wantedName)
      const place = blocks.push('') - 1
      blocks[place] = interfaceText({
        name,
        description: textAt(schema, 'description') ?? '',
        fields: isTrue(schema, 'x-kubernetes-embedded-resource')
          ? embeddedFields(name, schema)
          : fieldsOf(schema, name, scope),
        isOpen: isOpen(schema),
      })
      return name
    },
  }
  return scope
}

function kindText(kind: CrdKind & { readonly name: string }, scope: TypeScope, imports: Imports): string {
  const { crd, version, name } = kind
  const declaration = interfaceText({
    name,
    description: textAt(version.schema, 'description') ?? `${crd.kind} of ${crd.group}.`,
    tags: version.deprecation === undefined ? [] : [`@deprecated ${version.deprecation}`],
    fields: [
      field('apiVersion', stringLiteral(`${crd.group}/${version.version}`)),
      field('kind', stringLiteral(crd.kind)),
      field('metadata', imports.use(crd.scope === 'Cluster' ? 'ObjectMeta' : 'NamespacedObjectMeta')),
      ...fieldsOf(withoutProperties(version.schema, typeFields), name, scope),
    ],
    isOpen: isOpen(version.schema),
  })
  const descriptor = descriptorText({
    ...crd,
    version: version.version,
    subresources: version.subresources,
    name,
    kindType: imports.use('Kind'),
  })
  return `${declaration}\n\n${descriptor}`
}

function field(name: string, type: string, isOptional = false): Field {
  return { name, type: [type], isOptional, description: '' }
}
