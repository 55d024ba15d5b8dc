import { deepCopy, deepFreeze } from '../../base/index.js'
import type { NamespacedObjectMeta, ObjectMeta, ObjectMetaInput, Scope } from '../../objects/index.js'
import type { ValidationRule } from '../structural-schema.js'
import { checkDefinition } from './check-definition.js'
import { checkDefinitionMetadata, checkNames, type KindNames, pluralOf } from './naming.js'
import { objectSchema } from './object-schema.js'
import { InvalidKindError, ProblemList } from './problem.js'
import type { SchemaInput, SchemaOutput, StandardJsonSchema } from './standard-schema.js'
import type { DefinedKind, PrinterColumn, ScalePaths, VersionDefinition } from './version-definition.js'

/** Everything that can be said about one version of a kind. */
export interface KindOptions<
  TGroup extends string = string,
  TVersion extends string = string,
  TKind extends string = string,
  TScope extends Scope = Scope,
  TSpec extends StandardJsonSchema = StandardJsonSchema,
  TStatus extends StandardJsonSchema = StandardJsonSchema,
  TFields extends StandardJsonSchema = StandardJsonSchema,
> {
  /** A domain of your own: `example.com`. */
  readonly group: TGroup
  /** `v1alpha1`, `v1`. */
  readonly version: TVersion
  /** PascalCase, singular. */
  readonly kind: TKind
  /** Default: the English plural of the kind, in lower case. */
  readonly plural?: string
  /** Default: the kind in lower case. */
  readonly singular?: string
  /** Default: the kind with `List`. */
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  /** Groups of resources for `kubectl get`, such as `all`. */
  readonly categories?: readonly string[]
  /** Default: Namespaced. */
  readonly scope?: TScope
  readonly description?: string
  /** What users ask for: an object. Required in each object, unless the schema has a default. */
  readonly spec?: TSpec
  /** What the operator reports: an object, or any scalar. Always optional in an object. */
  readonly status?: TStatus
  /** Fields beside spec and status, as an object schema: `z.object({ data: z.record(z.string(), z.string()) })`. */
  readonly fields?: TFields
  /** Default: on when there is a `status`. Switched off, the status is written with the rest of the object. */
  readonly statusSubresource?: boolean
  readonly scale?: ScalePaths
  /** Columns of `kubectl get`. With columns of your own, the age is shown only when you list it too. */
  readonly columns?: readonly PrinterColumn[]
  /** JSON paths that field selectors may use: `.spec.color`. */
  readonly selectableFields?: readonly string[]
  /** CEL rules on the whole object. */
  readonly rules?: readonly ValidationRule[]
  /** Exactly one version of a kind is the one that is stored. Default: true. */
  readonly storage?: boolean
  /** Default: true. */
  readonly served?: boolean
  /** Warns the users of this version; with a text, in these words. */
  readonly deprecated?: boolean | string
  /** Labels of the CustomResourceDefinition. */
  readonly labels?: Readonly<Record<string, string>>
  /** Annotations of the CustomResourceDefinition. */
  readonly annotations?: Readonly<Record<string, string>>
}

type Absent<T> = [T] extends [never] ? true : false

type MetadataOf<TScope extends Scope> = TScope extends 'Cluster' ? ObjectMeta : NamespacedObjectMeta

/** An object of the kind as the server returns it. */
export type DefinedObject<
  TType extends { apiVersion: string; kind: string; metadata: ObjectMeta },
  TSpec extends StandardJsonSchema,
  TStatus extends StandardJsonSchema,
  TFields extends StandardJsonSchema,
> = TType &
  (Absent<TSpec> extends true ? unknown : { spec: Exclude<SchemaOutput<TSpec>, undefined> }) &
  (Absent<TStatus> extends true ? unknown : { status?: SchemaOutput<TStatus> }) &
  (Absent<TFields> extends true ? unknown : SchemaOutput<TFields>)

/** An object of the kind as one sends it. */
export type DefinedInput<
  TType extends { apiVersion: string; kind: string },
  TSpec extends StandardJsonSchema,
  TStatus extends StandardJsonSchema,
  TFields extends StandardJsonSchema,
> = Partial<Pick<TType, 'apiVersion' | 'kind'>> & { metadata: ObjectMetaInput } & (Absent<TSpec> extends true
    ? unknown
    : undefined extends SchemaInput<TSpec>
      ? { spec?: SchemaInput<TSpec> }
      : { spec: SchemaInput<TSpec> }) &
  (Absent<TStatus> extends true ? unknown : { status?: SchemaInput<TStatus> }) &
  (Absent<TFields> extends true ? unknown : SchemaInput<TFields>)

/**
 * Defines a kind. The one value is its type (`ObjectOf<typeof Foo>`), its CustomResourceDefinition (`toCrd(Foo)`), its
 * validator (`loadValidator(Foo)`) and what the client needs to find it.
 *
 * @throws InvalidKindError with all that an API server would refuse, each with its path and what to write instead.
 *
 * @example
 * export const Foo = defineKind({
 *   group: 'example.com',
 *   version: 'v1',
 *   kind: 'Foo',
 *   spec: z.object({ replicas: z.int32().min(1).max(10).default(1) }),
 * })
 * export type Foo = ObjectOf<typeof Foo>
 */
export function defineKind<
  const TGroup extends string,
  const TVersion extends string,
  const TKind extends string,
  TSpec extends StandardJsonSchema = never,
  TStatus extends StandardJsonSchema = never,
  TFields extends StandardJsonSchema = never,
  TScope extends Scope = 'Namespaced',
>(
  options: KindOptions<TGroup, TVersion, TKind, TScope, TSpec, TStatus, TFields>,
): DefinedKind<
  DefinedObject<
    { apiVersion: `${TGroup}/${TVersion}`; kind: TKind; metadata: MetadataOf<TScope> },
    TSpec,
    TStatus,
    TFields
  >,
  DefinedInput<{ apiVersion: `${TGroup}/${TVersion}`; kind: TKind }, TSpec, TStatus, TFields>
>
export function defineKind(options: KindOptions): DefinedKind {
  const problems = new ProblemList()
  const names = namesOf(options)
  const schema = objectSchema(options, problems)
  const definition = definitionOf(options)
  checkNames(names, problems)
  checkDefinitionMetadata({ ...definition, group: names.group }, problems)
  checkDefinition(definition, schema, problems)
  if (problems.problems.length > 0) throw new InvalidKindError(options.kind, problems.problems)

  const kind: DefinedKind = {
    ...names,
    scope: options.scope ?? 'Namespaced',
    subresources: [
      ...((options.statusSubresource ?? options.status !== undefined) ? ['status'] : []),
      ...(options.scale === undefined ? [] : ['scale']),
    ],
    schema,
    definition,
  }
  deepFreeze(kind)
  return kind
}

function namesOf(options: KindOptions): KindNames {
  const { group, version, kind } = options
  return {
    group,
    version,
    kind,
    plural: options.plural ?? pluralOf(kind.toLowerCase()),
    singular: options.singular ?? kind.toLowerCase(),
    listKind: options.listKind ?? `${kind}List`,
  }
}

function definitionOf(options: KindOptions): VersionDefinition {
  // A copy: what users pass stays theirs.
  return deepCopy({
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    columns: options.columns ?? [],
    selectableFields: options.selectableFields ?? [],
    ...(options.scale !== undefined && { scale: options.scale }),
    storage: options.storage ?? true,
    served: options.served ?? true,
    deprecated: options.deprecated ?? false,
    labels: options.labels ?? {},
    annotations: options.annotations ?? {},
  })
}
