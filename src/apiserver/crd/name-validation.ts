import type { FieldError } from '../../schema/index.js'
import { dns1035LabelProblems, dnsSubdomainProblems, invalid, required } from '../../schema/internal.js'
import type { CrdNames } from './definition.js'

/** What is wrong with names, where they are given. */
export function nameErrors(names: CrdNames, path: string): FieldError[] {
  const errors: FieldError[] = []
  const checkLabel = (field: string, value: string): void => {
    const problems = dns1035LabelProblems(value)
    if (problems.length > 0) errors.push(invalid(`${path}.${field}`, value, problems.join(',')))
  }
  const checkKind = (field: string, value: string): void => {
    const problems = dns1035LabelProblems(value.toLowerCase())
    if (problems.length === 0) return
    const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`
    errors.push(invalid(`${path}.${field}`, value, detail))
  }
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names
  if (plural !== '') checkLabel('plural', plural)
  if (singular !== '') checkLabel('singular', singular)
  if (kind !== '') checkKind('kind', kind)
  if (listKind !== '') checkKind('listKind', listKind)
  for (const [index, name] of shortNames.entries()) checkLabel(`shortNames[${index}]`, name)
  // A list and an object could not be told apart.
  if (kind !== '' && kind === listKind)
    errors.push(invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same'))
  for (const [index, name] of categories.entries()) checkLabel(`categories[${index}]`, name)
  return errors
}

/** Names that a spec must have. */
export function missingNameErrors(names: CrdNames, path: string): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => (names[name] ?? '') === '')
    .map((name) => required(`${path}.${name}`))
}

export function groupErrors(group: string, path: string): FieldError[] {
  if (group === '') return [required(path)]
  const problems = dnsSubdomainProblems(group)
  if (problems.length > 0) return [invalid(path, group, problems.join(','))]
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')]
}
