import { parseJson } from '../../base/index.js'
import { parseYamlDocument } from './yaml-document.js'

/** What a text says, or what is wrong with it and where. Never quotes the text: kubeconfigs are full of secrets. */
type ParsedText =
  | { readonly kind: 'document'; readonly document: unknown }
  | { readonly kind: 'problem'; readonly message: string }

/**
 * Parses JSON or YAML. JSON is tried first: it is the common case in clusters and tests, and needs no YAML parser.
 * Besides what {@link parseYamlDocument} refuses, aliases that unfold into a bomb are refused.
 */
export async function parseKubeconfigText(text: string): Promise<ParsedText> {
  try {
    return { kind: 'document', document: parseJson(text) }
  } catch {
    // The message of a JSON error quotes the text. YAML is a superset, so its parser finds the place as well.
  }
  const parsed = await parseYamlDocument(text)
  if (parsed.kind === 'problem') return parsed
  try {
    return { kind: 'document', document: parsed.document.toJS({ maxAliasCount: 100 }) }
  } catch {
    return {
      kind: 'problem',
      message: 'its aliases unfold into too much data: write the values out',
    }
  }
}
