import { getOwn, isPlainObject, KubewrightError, toError } from '../../base/index.js'
import { apiVersionOf } from '../../objects/index.js'
import type { CelEngine, CelProgram } from '../cel/index.js'
import type { FieldError, FieldErrorReason } from '../field-error.js'
import type { DefinedKind, ScalePaths } from '../kind/version-definition.js'
import type { StructuralSchema } from '../structural-schema.js'
import { withDefaults } from './apply-defaults.js'
import { Correlation } from './correlation.js'
import { embeddedResourceErrors } from './embedded-resources.js'
import { invalid } from './field-errors.js'
import { type Issue, toFieldError, withoutRepeats } from './issue.js'
import { listTypeErrors } from './list-types.js'
import { metadataErrors, metadataUpdateErrors, objectNameProblems } from './object-meta.js'
import { loadPatternCompiler, type PatternCompiler } from './patterns.js'
import { pruneValue } from './prune.js'
import { scaleErrors } from './scale.js'
import { compileSchema, type SchemaNode } from './schema-node.js'
import { someSchema } from './schema-search.js'
import { schemaIssues, schemaUpdateIssues } from './schema-walk.js'

/** A pattern of a schema cannot be run by RE2, the only engine that the API server has. */
export class InvalidPatternError extends KubewrightError {
  readonly pattern: string

  constructor(pattern: string, cause: Error) {
    super(
      `Pattern ${pattern} is not one of RE2 (${cause.message}): write it without look-around and back-references.`,
      {
        code: 'KW_INVALID_PATTERN',
        cause,
      },
    )
    this.pattern = pattern
  }
}

export interface ValidateOptions {
  /** The stored object that this one replaces: what was wrong in it and stays as it is, is forgiven. */
  readonly old?: unknown
  /** Check as a write to this subresource: only its part of the object is looked at. */
  readonly subresource?: 'status'
}

/**
 * The API server's judgement of custom resources, locally. The server prunes and defaults a request before it
 * validates it; to get its verdict on raw input, do the same: `validate(applyDefaults(prune(object)))`.
 */
export interface Validator {
  /**
   * What the server would refuse the object for, with its paths, reasons and messages; empty when it is valid.
   * Fields that the server fills in (namespace, generated name, apiVersion and kind) may be absent.
   */
  validate(object: unknown, options?: ValidateOptions): FieldError[]
  /** A copy in which defaults stand where values are absent. */
  applyDefaults<T>(object: T): T
  /** A copy without what the schema does not know. */
  prune<T>(object: T): T
}

/**
 * Prepares a validator. Asynchronous because the engines for patterns and CEL rules are loaded when first needed;
 * a schema without either loads nothing.
 *
 * @throws InvalidPatternError, or the CEL engine's error for a rule that does not compile.
 */
export async function loadValidator(source: DefinedKind | StructuralSchema): Promise<Validator> {
  const kind = isDefinedKind(source) ? source : undefined
  const schema = isDefinedKind(source) ? source.schema : source
  const compilePattern = await patternCompilerFor(schema)
  return createValidator({
    kind,
    scale: kind?.definition.scale,
    isResource: kind !== undefined,
    node: compileSchema(schema, compilePattern),
    rules: await loadRules(schema),
  })
}

/** The engines behind patterns and rules: what checks and validators need and what is loaded only when it is used. */
export interface SchemaEngines {
  readonly compilePattern: PatternCompiler
  readonly cel: CelEngine
}

/** Loads both engines. */
export async function loadSchemaEngines(): Promise<SchemaEngines> {
  const { loadCel } = await import('../cel/index.js')
  const [compilePattern, cel] = await Promise.all([loadPatternCompiler(), loadCel()])
  return { compilePattern, cel }
}

/** What there is to know about the objects of a CRD besides their schema. */
export interface ResourceShape {
  readonly schema: StructuralSchema
  readonly scale?: ScalePaths
}

/**
 * The validator of the objects of a CRD that was accepted. Their metadata, apiVersion and kind are left to others.
 *
 * @throws InvalidPatternError, CelRuleError, NestingTooDeepError for a schema that no server accepts.
 */
export function createResourceValidator(shape: ResourceShape, engines: SchemaEngines): Validator {
  const { schema, scale } = shape
  const node = compileSchema(schema, engines.compilePattern)
  const rules = hasRules(schema) ? engines.cel.compile(schema) : undefined
  return createValidator({ kind: undefined, scale, isResource: true, node, rules })
}

function isDefinedKind(source: DefinedKind | StructuralSchema): source is DefinedKind {
  return 'definition' in source
}

async function patternCompilerFor(schema: StructuralSchema): Promise<PatternCompiler> {
  if (!someSchema(schema, ({ pattern }) => pattern !== undefined && pattern !== '')) return () => () => true
  const compile = await loadPatternCompiler()
  return (pattern) => {
    try {
      return compile(pattern)
    } catch (error) {
      throw new InvalidPatternError(pattern, toError(error))
    }
  }
}

function hasRules(schema: StructuralSchema): boolean {
  return someSchema(schema, (part) => (part['x-kubernetes-validations']?.length ?? 0) > 0)
}

async function loadRules(schema: StructuralSchema): Promise<CelProgram | undefined> {
  if (!hasRules(schema)) return undefined
  const { loadCel } = await import('../cel/index.js')
  return (await loadCel()).compile(schema)
}

interface Parts {
  /** Absent where somebody else checks kind and metadata. */
  readonly kind: DefinedKind | undefined
  readonly scale: ScalePaths | undefined
  /** The schema is that of a whole Kubernetes object. */
  readonly isResource: boolean
  readonly node: SchemaNode
  readonly rules: CelProgram | undefined
}

function createValidator(parts: Parts): Validator {
  const { kind, node, isResource } = parts
  return {
    validate(object, options = {}) {
      const typeErrors = kind === undefined ? [] : typeMetaErrors(object, kind)
      if (typeErrors.length > 0) return typeErrors
      const errors = [
        ...rootMetadataErrors(object, parts, options),
        ...(options.subresource === 'status'
          ? statusErrors(object, parts, options.old)
          : objectErrors(object, parts, options.old)),
      ]
      return [...errors, ...ruleErrors(object, parts, options.old, errors)]
    },
    // Both keep the shape of what they are given: they add what the schema promises and drop what it does not know.
    applyDefaults: <T>(object: T) => withDefaults(node, object) as T,
    prune: <T>(object: T) => pruneValue(node, object, { isResource }) as T,
  }
}

function typeMetaErrors(object: unknown, kind: DefinedKind): FieldError[] {
  const { kind: foundKind, apiVersion: foundVersion } = isPlainObject(object) ? object : {}
  const errors: FieldError[] = []
  if (foundKind !== undefined && foundKind !== kind.kind) {
    errors.push(invalid('kind', typeof foundKind === 'string' ? foundKind : '', `must be ${kind.kind}`))
  }
  const apiVersion = apiVersionOf(kind)
  if (foundVersion !== undefined && foundVersion !== apiVersion) {
    errors.push(
      invalid('apiVersion', typeof foundVersion === 'string' ? foundVersion : '', `must be ${apiVersion}`),
    )
  }
  return errors
}

function rootMetadataErrors(object: unknown, { kind }: Parts, options: ValidateOptions): FieldError[] {
  if (kind === undefined || !isPlainObject(object)) return []
  const metadata = getOwn(object, 'metadata')
  if (options.old !== undefined) {
    const oldMetadata = isPlainObject(options.old) ? getOwn(options.old, 'metadata') : undefined
    return metadataUpdateErrors(metadata, oldMetadata, 'metadata')
  }
  return metadataErrors(metadata, {
    path: 'metadata',
    nameProblems: objectNameProblems,
    nameRequired: true,
    namespaceAllowed: kind.scope === 'Namespaced',
  })
}

function objectErrors(object: unknown, { scale, node }: Parts, old: unknown): FieldError[] {
  return [
    ...fieldErrorsOf(issuesOf(node, object, old), ''),
    ...(scale === undefined ? [] : scaleErrors(object, scale, 'all')),
    ...embeddedResourceErrors(node, object),
    ...newListTypeErrors(node, object, old),
  ]
}

function statusErrors(object: unknown, { scale, node }: Parts, old: unknown): FieldError[] {
  const statusNode = node.properties.get('status')
  const status = isPlainObject(object) ? getOwn(object, 'status') : undefined
  const oldStatus = isPlainObject(old) ? getOwn(old, 'status') : undefined
  const issues =
    statusNode === undefined || status === undefined ? [] : issuesOf(statusNode, status, oldStatus)
  return [
    ...fieldErrorsOf(issues, 'status'),
    ...(scale === undefined ? [] : scaleErrors(object, scale, 'status')),
    ...newListTypeErrors(node, object, old),
  ]
}

function issuesOf(node: SchemaNode, value: unknown, old: unknown): Issue[] {
  return old === undefined ? schemaIssues(node, value) : schemaUpdateIssues(new Correlation(node, value, old))
}

function fieldErrorsOf(issues: readonly Issue[], base: string): FieldError[] {
  return withoutRepeats(issues).map((issue) => toFieldError(issue, base))
}

/** A list that was wrong before may stay so. */
function newListTypeErrors(node: SchemaNode, object: unknown, old: unknown): FieldError[] {
  if (old !== undefined && listTypeErrors(node, old).length > 0) return []
  return listTypeErrors(node, object)
}

// With one of these, a rule could read a value that is not of the type it was compiled for.
const blocking: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const rulesSkipped: FieldError = invalid(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

function ruleErrors(
  object: unknown,
  { rules }: Parts,
  old: unknown,
  errors: readonly FieldError[],
): FieldError[] {
  if (rules === undefined) return []
  if (errors.some(({ reason }) => blocking.has(reason))) return [rulesSkipped]
  return rules.evaluate(object, old, { path: '' })
}
