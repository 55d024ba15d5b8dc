import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../objects/index.js'

const prefix = 'system:serviceaccount:'

/** The name that a service account has as a user. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`
}

/** The groups that a service account is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** The service account that a user is; undefined when the name is not that of one. */
export function parseServiceAccountUsername(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(prefix)) return undefined
  const [namespace = '', name = '', ...rest] = username.slice(prefix.length).split(':')
  if (rest.length > 0 || dns1123LabelErrors(namespace).length > 0) return undefined
  return dns1123SubdomainErrors(name).length > 0 ? undefined : { namespace, name }
}
