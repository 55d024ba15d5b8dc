import type { YAMLMap } from 'yaml'
import { deepCopy, deepEqual, getOwn, setOwn } from '../../base/index.js'
import { parseYamlDocument } from '../config/yaml-document.js'
import type { ProviderTokens } from './identity-provider.js'

/** New tokens, and whose they are. */
export interface TokenChange {
  /** The name of the entry in `users`. */
  readonly user: string
  readonly tokens: ProviderTokens
  /** The refresh token that was used. The entry is left alone if it holds another one. */
  readonly replaced: string
}

/** A text with new tokens in it, or why there is none. */
type EditedText =
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unsafe' }

const configPath = ['user', 'auth-provider', 'config']

/**
 * Puts new tokens into the text of a kubeconfig, YAML or JSON. The places are found by a parser, but the text is edited as
 * text: writing a parsed document would reformat what people have arranged. `unsafe`: the text is written in a way that
 * would change something else too.
 */
export async function editTokens(text: string, change: TokenChange): Promise<EditedText> {
  const { isMap, isSeq } = await import('yaml')
  const { user, tokens, replaced } = change
  const parsed = await parseYamlDocument(text)
  if (parsed.kind === 'problem') return { kind: 'unsafe' }
  const { document, lines } = parsed
  const users = document.get('users')
  const index = isSeq(users) ? users.items.findIndex((item) => isMap(item) && item.get('name') === user) : -1
  const config = isSeq(users) ? users.getIn([index, ...configPath]) : undefined
  if (index === -1 || !isMap(config) || config.get('refresh-token') !== replaced) return { kind: 'unchanged' }

  const edits = await planEdits(config, tokens, (offset) => lines.linePos(offset).col - 1)
  const edited = edits
    .toSorted((left, right) => right.from - left.from)
    .reduce((before, { from, to, text: put }) => before.slice(0, from) + put + before.slice(to), text)

  // YAML has many ways to write a thing (anchors, explicit keys): only a text that says what it should is good.
  const expected: unknown = deepCopy(document.toJS())
  const place = ['users', String(index), ...configPath]
  setAt(expected, [...place, 'id-token'], tokens.idToken)
  if (tokens.refreshToken !== undefined) setAt(expected, [...place, 'refresh-token'], tokens.refreshToken)
  const result = await parseYamlDocument(edited)
  const isRight = result.kind === 'yaml' && deepEqual(result.document.toJS(), expected)
  return isRight ? { kind: 'edited', text: edited } : { kind: 'unsafe' }
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

async function planEdits(
  config: YAMLMap,
  tokens: ProviderTokens,
  indentOf: (offset: number) => number,
): Promise<readonly Edit[]> {
  const { isScalar } = await import('yaml')
  const pairOf = (name: string) => config.items.find(({ key }) => isScalar(key) && key.value === name)
  const replaceValue = (name: string, token: string): readonly Edit[] => {
    const value = pairOf(name)?.value
    const range = isScalar(value) ? value.range : undefined
    // A JSON string is a string in YAML as well.
    return range ? [{ from: range[0], to: range[1], text: JSON.stringify(token) }] : []
  }
  const insertIdToken = (): readonly Edit[] => {
    const key = pairOf('refresh-token')?.key
    const at = isScalar(key) ? key.range?.[0] : undefined
    if (at === undefined) return []
    const next = config.flow === true ? ', ' : `\n${' '.repeat(indentOf(at))}`
    return [{ from: at, to: at, text: `"id-token": ${JSON.stringify(tokens.idToken)}${next}` }]
  }
  return [
    ...(config.has('id-token') ? replaceValue('id-token', tokens.idToken) : insertIdToken()),
    ...(tokens.refreshToken === undefined ? [] : replaceValue('refresh-token', tokens.refreshToken)),
  ]
}

function setAt(root: unknown, [key, ...rest]: readonly string[], value: string): void {
  if (key === undefined || typeof root !== 'object' || root === null) return
  if (rest.length === 0) setOwn(root, key, value)
  else setAt(getOwn(root, key), rest, value)
}
