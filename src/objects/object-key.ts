import { KubewrightError } from '../base/index.js'

/** What names one object of a kind: no namespace for a cluster-scoped one. */
export interface ObjectKey {
  readonly namespace?: string
  readonly name: string
}

/** The text is not a key such as `default/web` or `node-1`, or the object has no name to make one from. */
export class InvalidKeyError extends KubewrightError {
  constructor(message: string) {
    super(message, { code: 'KW_KEY_INVALID' })
  }
}

/** The key of an object. Throws {@link InvalidKeyError} when it has no name. */
export function keyOf(object: {
  readonly metadata: { readonly namespace?: string | undefined; readonly name?: string | undefined }
}): ObjectKey {
  const { namespace, name } = object.metadata
  if (name === undefined || name === '')
    throw new InvalidKeyError(
      'The object has no name: set metadata.name, or take the object that create returned.',
    )
  return namespace === undefined || namespace === '' ? { name } : { namespace, name }
}

/** `default/web`, or `node-1` for a cluster-scoped object. */
export function formatKey(key: { readonly namespace?: string | undefined; readonly name: string }): string {
  return key.namespace === undefined || key.namespace === '' ? key.name : `${key.namespace}/${key.name}`
}

/** The reverse of {@link formatKey}. Throws {@link InvalidKeyError} for anything that it could not have written. */
export function parseKey(text: string): ObjectKey {
  const parts = text.split('/')
  // What cannot be a segment of a URL cannot be a name on the server either.
  const isSegment = (part: string): boolean =>
    part !== '' && part !== '.' && part !== '..' && !part.includes('%')
  const [first = '', second] = parts
  if (parts.length > 2 || !parts.every(isSegment)) {
    throw new InvalidKeyError(
      `${JSON.stringify(text.slice(0, 300))} is not the key of an object: write namespace/name, or name alone for a cluster-scoped one.`,
    )
  }
  return second === undefined ? { name: first } : { namespace: first, name: second }
}
