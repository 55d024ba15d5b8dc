import { apiVersionOf } from '../../objects/index.js'
import type { ApiObject } from '../api-object.js'
import { applyTokenRequestDefaults } from '../auth/token-request.js'
import { ApiFailure } from '../failure.js'
import type { Handler, Resource, ServedVersion, Subresource } from '../resource.js'
import { builtinTable } from '../table/builtin-table.js'
import { createStatusStrategy, createStrategy, type StrategyParts } from './generic-strategy.js'
import type { BuiltinOptions, KindRules } from './kind-rules.js'
import { type ListedResource, listedResources } from './listed-resources.js'
import { schemaOf } from './schema-of.js'
import { rulesOf } from './strategies.js'
import { virtualHandlers } from './virtual-resources.js'

/** All built-in resources, in the order of discovery. Cheap: schemas are read when they are first asked for. */
export function builtinResources(options: BuiltinOptions): readonly Resource[] {
  const byName = new Map<string, ListedResource[]>()
  for (const listed of listedResources()) {
    const name = qualifiedName(listed)
    const versions = byName.get(name)
    if (versions === undefined) byName.set(name, [listed])
    else versions.push(listed)
  }
  const handlers = { ...virtualHandlers(options), ...options.handlers }
  return Array.from(byName.values(), (versions) => createResource(versions, options, handlers))
}

type Handlers = Readonly<Record<string, Handler>>

function qualifiedName({ plural, group }: ListedResource): string {
  return group === '' ? plural : `${plural}.${group}`
}

function createResource(
  listed: readonly ListedResource[],
  options: BuiltinOptions,
  handlers: Handlers,
): Resource {
  const [first] = listed
  if (first === undefined) throw new RangeError('a resource has at least one version')
  const { group, plural, singular, kind, scope } = first
  const listedRules = rulesOf(group, kind)
  const rules = listedRules.forServer?.(options) ?? listedRules
  const verbs = words(first.verbs)
  return {
    group,
    plural,
    singular,
    kind,
    listKind: `${kind}List`,
    shortNames: words(first.shortNames),
    categories: words(first.categories),
    scope,
    versions: listed.map((version) => servedVersion(version, rules, options, handlers)),
    storageVersion: rules.storageVersion ?? first.version,
    ...(rules.storedAs !== undefined && { storedAs: rules.storedAs }),
    isCustom: false,
    // What cannot be deleted is not kept.
    ...(!verbs.includes('delete') && {
      actions: Object.fromEntries(
        verbs.map((verb) => [verb, handlers[qualifiedName(first)] ?? notServed(plural)]),
      ),
    }),
    async convert(object, toVersion) {
      const apiVersion = apiVersionOf({ group, version: toVersion })
      if (object.apiVersion === apiVersion || rules.convert === undefined) return object
      return rules.convert(object, toVersion)
    },
  }
}

function servedVersion(
  listed: ListedResource,
  rules: KindRules,
  options: BuiltinOptions,
  handlers: Handlers,
): ServedVersion {
  const { group, version, kind } = listed
  const parts: StrategyParts = {
    schema: () => schemaOf(group, version, kind),
    kind,
    rules: rules.versions?.[version] === undefined ? rules : { ...rules, ...rules.versions[version] },
    hasStatus: listed.subresources.some(({ name }) => name === 'status'),
  }
  const fields = Object.entries(parts.rules.selectableFields ?? {})
  // Made when they are first asked for: a server is there sooner, and hardly anybody asks for all kinds.
  let strategy: ServedVersion['strategy'] | undefined
  let subresources: ServedVersion['subresources'] | undefined
  let table: ServedVersion['table'] | undefined
  return {
    name: version,
    verbs: words(listed.verbs),
    get schema() {
      return parts.schema()
    },
    get strategy() {
      return (strategy ??= createStrategy(parts))
    },
    get subresources() {
      return (subresources ??= subresourcesOf(listed, parts, options, handlers))
    },
    get table() {
      return (table ??= builtinTable(group, kind))
    },
    selectableFieldNames: fields.map(([name]) => name),
    selectableFields: (object) => Object.fromEntries(fields.map(([name, read]) => [name, read(object)])),
    ...(parts.rules.deprecationWarning !== undefined && {
      deprecationWarning: parts.rules.deprecationWarning,
    }),
  }
}

function subresourcesOf(
  listed: ListedResource,
  parts: StrategyParts,
  options: BuiltinOptions,
  handlers: Handlers,
): ReadonlyMap<string, Subresource> {
  const own = parts.rules.subresources?.(options, createStrategy(parts)) ?? {}
  return new Map(
    listed.subresources.map(({ name, group, version, kind, verbs }): [string, Subresource] => {
      const given = own[name]
      if (given !== undefined) return [name, given]
      if (name === 'status') return [name, { type: 'part', strategy: createStatusStrategy(parts) }]
      if (name === 'scale' && parts.rules.scale !== undefined)
        return [name, { type: 'scale', scale: parts.rules.scale }]
      const path = `${qualifiedName(listed)}/${name}`
      const handler = handlers[path] ?? notServed(path)
      const byVerb = Object.fromEntries(words(verbs).map((verb) => [verb, handler]))
      const applyDefaults = actionDefaults[path]
      return [
        name,
        {
          type: 'action',
          verbs: byVerb,
          group,
          version,
          kind,
          ...(applyDefaults !== undefined && { applyDefaults, validatesLate: true }),
        },
      ]
    }),
  )
}

/** Of the bodies of actions: those of all others are complete as they are. */
const actionDefaults: Readonly<Record<string, (body: ApiObject) => void>> = {
  'serviceaccounts/token': applyTokenRequestDefaults,
}

/** For what needs a kubelet or a part of the server that is not there. */
function notServed(path: string): Handler {
  return async () => {
    throw new ApiFailure({
      code: 503,
      reason: 'ServiceUnavailable',
      message: `${path} is not available on this server`,
    })
  }
}

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ')
}
