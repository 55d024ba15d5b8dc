import { KubewrightError } from '../base/index.js'
import type { KindCacheOptions } from '../cache/index.js'
import type { ControllerDefinition } from '../controller/index.js'
import { type AnyKind, type Kind, type KubeObject, resourceNameOf } from '../objects/index.js'

/** How one kind is cached: see {@link caching}. */
export interface KindCaching {
  readonly kind: AnyKind
  readonly options: KindCacheOptions
}

/** How objects are cached, for all controllers of an operator. */
export interface OperatorCache {
  /** Reconcile everything again each so often, changed or not. Zero or absent: never. */
  readonly resyncMs?: number
  /** Leave `metadata.managedFields` out of what is cached. */
  readonly stripManagedFields?: boolean
  /** What is particular to single kinds: `caching(Secret, { labelSelector: { app: 'foo' } })`. */
  readonly kinds?: readonly KindCaching[]
}

/** Says how a kind is cached: which of its objects, and what of them. */
export function caching<T extends KubeObject, I>(
  kind: Kind<T, I>,
  options: KindCacheOptions<T>,
): KindCaching {
  // The cache gives the options objects of this kind only.
  return { kind, options: options as unknown as KindCacheOptions }
}

export interface OperatorOptions {
  /** Lower case letters, digits and dashes: the name of its lease, its Role and its field manager. */
  readonly name: string
  /** The kinds that this operator brings with it: their CRDs are part of its manifests. */
  readonly kinds?: readonly AnyKind[]
  readonly controllers: readonly ControllerDefinition[]
  readonly cache?: OperatorCache
}

/** An operator as plain data: what it brings, follows and needs. Nothing runs yet. */
export interface Operator {
  readonly name: string
  readonly kinds: readonly AnyKind[]
  readonly controllers: readonly ControllerDefinition[]
  readonly cache: OperatorCache
}

/** An operator cannot be what its options say. */
export class InvalidOperatorError extends KubewrightError {
  constructor(name: string, problem: string) {
    super(`The operator ${JSON.stringify(name)}: ${problem}`, { code: 'KW_INVALID_OPERATOR' })
  }
}

const validName = /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/

/** Describes an operator. Throws {@link InvalidOperatorError} for options that cannot work. */
export function defineOperator(options: OperatorOptions): Operator {
  const { name, kinds = [], controllers, cache = {} } = options
  const fail = (problem: string): never => {
    throw new InvalidOperatorError(name, problem)
  }
  if (!validName.test(name)) fail('its name must be lower case letters, digits and dashes, at most 53.')
  const names = new Set<string>()
  for (const controller of controllers) {
    if (names.has(controller.name)) {
      fail(`two controllers are called ${controller.name}; give one of them another "name".`)
    }
    names.add(controller.name)
  }
  const versions = new Set<string>()
  for (const kind of kinds) {
    const id = `${resourceNameOf(kind)}/${kind.version}`
    if (versions.has(id)) fail(`${id} is listed twice in "kinds".`)
    versions.add(id)
  }
  const cached = new Set<string>()
  for (const { kind } of cache.kinds ?? []) {
    const id = `${resourceNameOf(kind)}/${kind.version}`
    if (cached.has(id)) fail(`${id} is listed twice in "cache.kinds".`)
    cached.add(id)
  }
  return { name, kinds, controllers, cache }
}
