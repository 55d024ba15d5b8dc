import type { Scope } from '../../objects/index.js'
import { docComment, lineWidth } from './doc-comment.js'
import { propertyName, stringLiteral } from './names.js'

/** One field of an interface. */
export interface Field {
  readonly name: string
  /** The members of the union that its type is. */
  readonly type: readonly string[]
  readonly isOptional: boolean
  readonly description: string
  /** TSDoc tags below the description. */
  readonly tags?: readonly string[]
}

export interface InterfaceOptions {
  readonly name: string
  readonly description: string
  readonly tags?: readonly string[]
  readonly fields: readonly Field[]
  /** Fields beyond the named ones may be there, of any type. */
  readonly isOpen: boolean
}

/** An exported interface, with its comments. */
export function interfaceText(options: InterfaceOptions): string {
  const { name, description, tags, fields, isOpen } = options
  const body = [...fields.flatMap(fieldLines), ...(isOpen ? ['  [key: string]: unknown'] : [])]
  const declaration =
    body.length === 0 ? [`export interface ${name} {}`] : [`export interface ${name} {`, ...body, '}']
  return [...docComment(description, '', tags), ...declaration].join('\n')
}

function fieldLines(field: Field): string[] {
  const start = `  ${propertyName(field.name)}${field.isOptional ? '?' : ''}:`
  const line = `${start} ${field.type.join(' | ')}`
  const isBroken = line.length > lineWidth && field.type.length > 1
  const lines = isBroken ? [start, ...field.type.map((member) => `    | ${member}`)] : [line]
  return [...docComment(field.description, '  ', field.tags), ...lines]
}

/** What a descriptor says about its kind, and the names that its text uses. */
export interface DescriptorOptions {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly scope: Scope
  readonly subresources: readonly string[]
  /** The exported name: of the interface, and of this constant. */
  readonly name: string
  /** What the module calls the `Kind` of kubewright. */
  readonly kindType: string
}

/** The constant beside the interface: a plain literal, so that bundlers may drop it. */
export function descriptorText(options: DescriptorOptions): string {
  const { name, kindType, subresources } = options
  const texts = ['group', 'version', 'kind', 'plural', 'singular', 'listKind', 'scope'] as const
  return [
    `export const ${name}: ${kindType}<${name}> = {`,
    ...texts.map((key) => `  ${key}: ${stringLiteral(options[key])},`),
    `  subresources: [${subresources.map(stringLiteral).join(', ')}],`,
    '}',
  ].join('\n')
}
