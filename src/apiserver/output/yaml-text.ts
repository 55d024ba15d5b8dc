import type { Content } from './content.js'

/**
 * YAML laid out as the real server does it: keys in order, sequences at the level of their key. Which quotes it takes may
 * differ. Loaded on first use; nearly nobody asks for it.
 */
export async function toYaml(content: Content): Promise<Buffer> {
  const { Document, visit } = await import('yaml')
  const document = new Document(content.value(), {
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    version: '1.1',
    // It writes every << as a merge.
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge'),
  })
  visit(document, {
    Scalar(_, node) {
      // Without quotes it would be a merge.
      if (node.value === '<<') node.type = 'QUOTE_DOUBLE'
    },
  })
  return Buffer.from(document.toString({ indentSeq: false, blockQuote: 'literal' }))
}
