import { deepCopy, deepEqual } from '../../base/index.js'
import { resourceNameOf } from '../../objects/index.js'
import type { CrdConversion, CrdVersion, CrdWebhookConversion, CustomResourceDefinition } from './crd.js'
import { InvalidKindError, ProblemList } from './problem.js'
import type { DefinedKind } from './version-definition.js'

export interface ToCrdOptions {
  /** How to convert between versions. Default: None, which changes the apiVersion of an object and nothing else. */
  readonly conversion?: CrdConversion
}

/**
 * The CustomResourceDefinition of a kind, or of all versions of one kind.
 *
 * @throws InvalidKindError when the versions do not fit together, or not exactly one of them is stored.
 */
export function toCrd(
  kinds: DefinedKind | readonly DefinedKind[],
  options: ToCrdOptions = {},
): CustomResourceDefinition {
  const versions = 'schema' in kinds ? [kinds] : kinds
  const [first] = versions
  if (first === undefined) {
    throw new InvalidKindError('?', [
      { path: 'versions', message: 'There is none. Pass at least one version of the kind.' },
    ])
  }
  checkVersions(first, versions, options)
  const { shortNames, categories } = first.definition
  const labels = mergeAll(versions.map(({ definition }) => definition.labels))
  const annotations = mergeAll(versions.map(({ definition }) => definition.annotations))
  return deepCopy({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: resourceNameOf(first),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      group: first.group,
      scope: first.scope,
      names: {
        kind: first.kind,
        listKind: first.listKind,
        plural: first.plural,
        singular: first.singular,
        ...(shortNames.length > 0 && { shortNames }),
        ...(categories.length > 0 && { categories }),
      },
      versions: versions.map(versionOf),
      ...(options.conversion !== undefined && { conversion: options.conversion }),
    },
  })
}

function versionOf(kind: DefinedKind): CrdVersion {
  const { columns, selectableFields, scale, storage, served, deprecated } = kind.definition
  const hasStatus = kind.subresources.includes('status')
  return {
    name: kind.version,
    served,
    storage,
    ...(deprecated !== false && { deprecated: true as const }),
    ...(typeof deprecated === 'string' && { deprecationWarning: deprecated }),
    schema: { openAPIV3Schema: kind.schema },
    ...((hasStatus || scale !== undefined) && {
      subresources: { ...(hasStatus && { status: {} }), ...(scale !== undefined && { scale }) },
    }),
    ...(columns.length > 0 && { additionalPrinterColumns: columns }),
    ...(selectableFields.length > 0 && {
      selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })),
    }),
  }
}

function mergeAll(maps: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.fromEntries(maps.flatMap((map) => Object.entries(map)))
}

function checkVersions(first: DefinedKind, versions: readonly DefinedKind[], options: ToCrdOptions): void {
  const problems = new ProblemList()
  for (const [index, version] of versions.entries()) {
    const path = `versions[${index}]`
    for (const name of ['group', 'kind', 'plural', 'singular', 'listKind', 'scope'] as const) {
      if (version[name] === first[name]) continue
      problems.add(
        `${path}.${name}`,
        `It is ${version[name]} here and ${first[name]} in ${first.version}. Versions of one kind share all names and the scope.`,
      )
    }
    for (const name of ['shortNames', 'categories'] as const) {
      if (deepEqual(version.definition[name], first.definition[name])) continue
      problems.add(
        `${path}.${name}`,
        `They differ from those of ${first.version}. Use the same in all versions.`,
      )
    }
    if (versions.findIndex((other) => other.version === version.version) < index) {
      problems.add(`${path}.version`, `Version ${version.version} is there twice. Remove one.`)
    }
  }
  const stored = versions.filter(({ definition }) => definition.storage).map(({ version }) => version)
  if (stored.length !== 1) {
    const found = stored.length === 0 ? 'No version is' : `The versions ${stored.join(' and ')} are`
    problems.add('storage', `${found} stored. Set storage: false in all versions but one.`)
  }
  if (options.conversion?.strategy === 'Webhook') checkWebhook(options.conversion.webhook, problems)
  if (problems.problems.length > 0) throw new InvalidKindError(first.kind, problems.problems)
}

function checkWebhook(webhook: CrdWebhookConversion['webhook'], problems: ProblemList): void {
  const { url, service } = webhook.clientConfig
  if ((url === undefined) === (service === undefined)) {
    problems.add(
      'conversion.webhook.clientConfig',
      'A webhook is found by its url or by its service. Give exactly one.',
    )
  }
  if (!webhook.conversionReviewVersions.some((version) => version === 'v1' || version === 'v1beta1')) {
    problems.add('conversion.webhook.conversionReviewVersions', 'API servers speak v1. Add it to the list.')
  }
}
