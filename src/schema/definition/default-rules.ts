import { deepEqual } from '../../base/index.js'
import { type FieldError, formatFieldErrors } from '../field-error.js'
import type { StructuralSchema } from '../structural-schema.js'
import { embeddedResourceErrors } from '../validator/embedded-resources.js'
import { invalid } from '../validator/field-errors.js'
import { toFieldError, withoutRepeats } from '../validator/issue.js'
import { withoutUnknownFields } from '../validator/prune.js'
import { compileLiterally, compileSchema, type SchemaNode } from '../validator/schema-node.js'
import { someSchema } from '../validator/schema-search.js'
import { schemaIssues } from '../validator/schema-walk.js'
import type { SchemaEngines } from '../validator/validator.js'

/**
 * What is wrong with the defaults of a structural schema: each must be valid by itself, and may hold nothing that the
 * schema would drop.
 */
export function defaultErrors(schema: StructuralSchema, path: string, engines: SchemaEngines): FieldError[] {
  if (!someSchema(schema, (part) => part.default !== undefined)) return []
  const root = asResource(schema)
  const walk = new DefaultWalk(engines)
  walk.visit(root, path, { root, steps: [], isInsideMetadata: false })
  return walk.errors
}

function asResource(schema: StructuralSchema): StructuralSchema {
  return { ...schema, 'x-kubernetes-embedded-resource': true }
}

interface Surroundings {
  /** The schema of the whole object that the default is in. */
  readonly root: StructuralSchema
  /** From that object to the default: names of fields, 0 for an item. */
  readonly steps: readonly (string | 0)[]
  readonly isInsideMetadata: boolean
}

const typeFields = new Set(['apiVersion', 'kind', 'metadata'])

class DefaultWalk {
  readonly errors: FieldError[] = []
  readonly #engines: SchemaEngines

  constructor(engines: SchemaEngines) {
    this.#engines = engines
  }

  visit(schema: StructuralSchema, path: string, outer: Surroundings): void {
    const isResource = schema['x-kubernetes-embedded-resource'] === true
    const place = isResource ? { root: schema, steps: [], isInsideMetadata: false } : outer
    if (schema.default !== undefined && schema.default !== null)
      this.errors.push(...this.#check(schema, schema.default, `${path}.default`, place))
    // Keys of maps have no defaults of their own.
    if (schema.items !== undefined)
      this.visit(schema.items, `${path}.items`, { ...place, steps: [...place.steps, 0] })
    for (const name of Object.keys(schema.properties ?? {}).sort()) {
      const child = schema.properties?.[name]
      if (child === undefined) continue
      this.visit(child, `${path}.properties[${name}]`, {
        ...place,
        steps: [...place.steps, name],
        isInsideMetadata: place.isInsideMetadata || (isResource && typeFields.has(name)),
      })
    }
  }

  #check(schema: StructuralSchema, value: unknown, path: string, place: Surroundings): FieldError[] {
    const { compilePattern } = this.#engines
    const errors: FieldError[] = []
    if (place.isInsideMetadata) {
      const inside = this.#metadataErrors(value, place)
      if (inside.length > 0)
        return [invalid(path, value, `must result in valid metadata: ${formatFieldErrors(inside)}`)]
    } else {
      const node = compileSchema(withoutDefault(schema), compilePattern)
      if (!deepEqual(withoutUnknownFields(node, value), value))
        errors.push(invalid(path, value, 'must not have unknown fields'))
      const embedded = embeddedResourceErrors(node, value, path)
      if (embedded.length > 0) return [...errors, ...embedded]
    }
    const literal = compileLiterally(withoutDefault(schema), compilePattern)
    const issues = withoutRepeats(schemaIssues(literal, value))
    if (issues.length > 0) return [...errors, ...issues.map((issue) => toFieldError(issue, path))]
    return [...errors, ...this.#ruleErrors(schema, value, path, schema === place.root)]
  }

  #metadataErrors(value: unknown, { root, steps }: Surroundings): FieldError[] {
    const object = steps.reduceRight<unknown>(
      (inner, step) => (step === 0 ? [inner] : { [step]: inner }),
      value,
    )
    const node: SchemaNode = compileSchema(asResource(root), this.#engines.compilePattern)
    const whole = { apiVersion: 'validation/v1', kind: 'Validation', ...(object as object) }
    return embeddedResourceErrors(node, whole)
  }

  #ruleErrors(schema: StructuralSchema, value: unknown, path: string, isResourceRoot: boolean): FieldError[] {
    if (!someSchema(schema, (part) => (part['x-kubernetes-validations']?.length ?? 0) > 0)) return []
    const program = this.#engines.cel.compile(schema, { isResourceRoot, keepsBroken: true })
    const unchanged = program.evaluate(value, value, { path, isStrict: true })
    return unchanged.length > 0 ? unchanged : program.evaluate(value, undefined, { path })
  }
}

function withoutDefault(schema: StructuralSchema): StructuralSchema {
  const { default: _default, ...rest } = schema
  return rest
}
