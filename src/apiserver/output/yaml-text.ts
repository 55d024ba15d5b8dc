import type { Content } from './content.js'

/**
 * YAML as the real server writes it: keys in order, sequences at the level of their key, long texts folded. Loaded on
 * first use; nearly nobody asks for it.
 */
export async function toYaml(content: Content): Promise<Buffer> {
  const { stringify } = await import('yaml')
  return Buffer.from(
    stringify(content.value(), {
      sortMapEntries: true,
      indentSeq: false,
      aliasDuplicateObjects: false,
      version: '1.1',
      defaultStringType: 'PLAIN',
      defaultKeyType: 'PLAIN',
    }),
  )
}
