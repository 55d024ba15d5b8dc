import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../objects/index.js'

/** A name rule of {@link KindRules}: namespaces, services and some others are labels. */
export function labelName(name: string, isPrefix: boolean): readonly string[] {
  return dns1123LabelErrors(withoutTrailingDash(name, isPrefix))
}

/** Most kinds. */
export function subdomainName(name: string, isPrefix: boolean): readonly string[] {
  return dns1123SubdomainErrors(withoutTrailingDash(name, isPrefix))
}

/** Roles and their bindings: anything that can stand in a path. */
export function pathSegmentName(name: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}

/** With a prefix, something will still be appended: a dash at its end is no fault. */
function withoutTrailingDash(name: string, isPrefix: boolean): string {
  return isPrefix && name.endsWith('-') ? `${name.slice(0, -1)}a` : name
}
