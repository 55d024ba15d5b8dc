import { dns1123SubdomainErrors } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"

/** What is wrong with a key of a user's extra attributes (`example.com/scopes`), in the server's words. */
export function extraKeyProblem(key: string): string | undefined {
  const invalid = (value: string, why: string): string =>
    `extra.key: Invalid value: ${quoteText(value)}: ${why}`
  const slash = key.indexOf('/')
  if (slash <= 0 || slash === key.length - 1)
    return invalid(key, 'must be a domain-prefixed path (such as "acme.io/foo")')
  const host = key.slice(0, slash)
  const path = key.slice(slash + 1)
  const problems = dns1123SubdomainErrors(host).map((why) => invalid(host, why))
  if (!new RegExp(`^${pathPattern}$`).test(path))
    problems.push(invalid(path, `Invalid path (regex used for validation is '${pathPattern}')`))
  if (problems.length < 2) return problems[0]
  return `[${problems.join(', ')}]`
}
