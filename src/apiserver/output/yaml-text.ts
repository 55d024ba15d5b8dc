import type { Content } from './content.js'

/**
 * YAML laid out as the real server does it: keys in order, sequences at the level of their key. Which quotes it takes may
 * differ. Loaded on first use; nearly nobody asks for it.
 */
export async function toYaml(content: Content): Promise<Buffer> {
  const { stringify } = await import('yaml')
  return Buffer.from(
    stringify(content.value(), {
      sortMapEntries: true,
      indentSeq: false,
      blockQuote: 'literal',
      aliasDuplicateObjects: false,
      version: '1.1',
      defaultStringType: 'PLAIN',
      defaultKeyType: 'PLAIN',
    }),
  )
}
