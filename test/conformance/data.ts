import { getOwn, isPlainObject } from 'kubewright/base'

/** What stands at a path like `metadata.ownerReferences.0.uid`; undefined where there is nothing. */
export function at(value: unknown, path: string): unknown {
  let here = value
  for (const part of path.split('.')) {
    if (Array.isArray(here)) here = here[Number(part)]
    else if (isPlainObject(here)) here = getOwn(here, part)
    else return undefined
  }
  return here
}

/** The same where a text is expected; empty where there is none. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path)
  return typeof found === 'string' ? found : ''
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path)
  return Array.isArray(found) ? found : []
}

export function mapAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  const found = at(value, path)
  return isPlainObject(found) ? found : {}
}
