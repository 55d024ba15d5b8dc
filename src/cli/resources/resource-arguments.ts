import type { DiscoveredKind, Discovery } from '../../client/index.js'
import { InvalidArgumentsError } from './invalid-arguments.js'

/** What a command is about: one object, or all of a kind. */
export interface ResourceTarget {
  readonly kind: DiscoveredKind
  readonly name?: string
}

interface NamedResource {
  /** A resource, kind, short name or category, as it was typed. */
  readonly resource: string
  readonly name?: string
}

/**
 * Reads what kubectl reads: `pods`, `pods web`, `pods,services web db`, `pod/web service/db`.
 * @throws InvalidArgumentsError when the two ways to name an object are mixed.
 */
export function parseResourceArguments(args: readonly string[]): NamedResource[] {
  if (args.some((arg) => arg.includes('/'))) return args.map(parsePair)
  const [list = '', ...names] = args
  const resources = list.split(',').filter((resource) => resource !== '')
  if (resources.length === 0)
    throw new InvalidArgumentsError('No kind was named: write for example `pods`, or `pods,services`.')
  return resources.flatMap((resource): NamedResource[] =>
    names.length === 0 ? [{ resource }] : names.map((name) => ({ resource, name })),
  )
}

function parsePair(arg: string): NamedResource {
  const [resource = '', name = '', ...rest] = arg.split('/')
  if (resource === '' || name === '' || rest.length > 0)
    throw new InvalidArgumentsError(
      `"${arg}" is not of the form kind/name, as the other arguments are: write each as kind/name, or the kind first and then names.`,
    )
  return { resource, name }
}

/** Asks the server what the words mean. A category, as `all`, stands for its kinds. */
export async function resolveTargets(
  discovery: Discovery,
  args: readonly string[],
): Promise<ResourceTarget[]> {
  const targets: ResourceTarget[] = []
  for (const { resource, name } of parseResourceArguments(args)) {
    for (const kind of await kindsNamed(discovery, resource)) {
      targets.push({ kind, ...(name !== undefined && { name }) })
    }
  }
  return targets
}

async function kindsNamed(discovery: Discovery, resource: string): Promise<readonly DiscoveredKind[]> {
  const members = await kindsOfCategory(discovery, resource)
  if (members.length > 0) return members
  return [await discovery.find(resource)]
}

/** The kinds of a category that can be listed, each in the version that the server prefers. */
async function kindsOfCategory(discovery: Discovery, category: string): Promise<readonly DiscoveredKind[]> {
  const preferred = new Map<string, DiscoveredKind>()
  for (const kind of await discovery.kinds()) {
    const id = `${kind.plural}.${kind.group}`
    if (kind.categories.includes(category) && kind.verbs.includes('list') && !preferred.has(id))
      preferred.set(id, kind)
  }
  return [...preferred.values()]
}

/**
 * The one object that the words name: `pod web` or `pod/web`.
 * @throws InvalidArgumentsError when they name none, or several.
 */
export async function resolveObject(
  discovery: Discovery,
  args: readonly string[],
): Promise<Required<ResourceTarget>> {
  const [named, ...others] = parseResourceArguments(args)
  if (named?.name === undefined || others.length > 0)
    throw new InvalidArgumentsError(`Name one object, as in \`pod web\` or \`pod/web\`.`)
  return { kind: await discovery.find(named.resource), name: named.name }
}
