import { setOwn } from '../../base/index.js'
import type { StructuralSchema, ValidationRule } from '../structural-schema.js'
import { checkDefaults } from './check-defaults.js'
import { checkPatterns } from './check-patterns.js'
import { checkRules } from './check-rules.js'
import { checkStructural } from './check-structural.js'
import type { ProblemList } from './problem.js'
import { readSchema } from './read-schema.js'
import type { StandardJsonSchema } from './standard-schema.js'

interface ObjectParts {
  readonly description?: string
  readonly spec?: StandardJsonSchema
  readonly status?: StandardJsonSchema
  readonly statusSubresource?: boolean
  readonly fields?: StandardJsonSchema
  readonly rules?: readonly ValidationRule[]
}

/** The schema of a whole object, made of the schemas of its parts. Checked; problems are noted. */
export function objectSchema(parts: ObjectParts, problems: ProblemList): StructuralSchema {
  const properties: Record<string, StructuralSchema> = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
  }
  const required: string[] = []
  const rules = [...(parts.rules ?? [])]
  if (parts.spec !== undefined) {
    const spec = readPart(parts.spec, 'spec', problems)
    if (spec.type !== 'object' && spec['x-kubernetes-preserve-unknown-fields'] !== true) {
      problems.add(
        'spec',
        'A spec is an object. Put the value into a field of one: z.object({ value: ... }).',
      )
    }
    if (spec.default === undefined) required.push('spec')
    properties['spec'] = spec
  }
  if (parts.status !== undefined) properties['status'] = readPart(parts.status, 'status', problems)
  else if (parts.statusSubresource === true) {
    problems.add(
      'statusSubresource',
      'Without a schema, a status would be dropped. Add the option status, or leave this one out.',
    )
  }
  if (parts.fields !== undefined) {
    const fields = readFields(parts.fields, problems)
    for (const [name, schema] of Object.entries(fields.properties ?? {})) setOwn(properties, name, schema)
    required.push(...(fields.required ?? []))
    rules.push(...(fields['x-kubernetes-validations'] ?? []))
  }
  const schema: StructuralSchema = {
    type: 'object',
    ...(parts.description !== undefined && { description: parts.description }),
    properties,
    ...(required.length > 0 && { required }),
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  }
  checkRules(schema, (message) => problems.add('rules', message))
  return schema
}

function readPart(source: StandardJsonSchema, path: string, problems: ProblemList): StructuralSchema {
  const before = problems.problems.length
  const schema = readSchema(source, path, problems)
  // What could not be converted would only cause further complaints.
  if (problems.problems.length > before) return schema
  checkStructural(schema, path, problems)
  if (problems.problems.length > before) return schema
  checkPatterns(schema, path, problems)
  checkDefaults(schema, path, problems)
  return schema
}

const ownFields = ['apiVersion', 'kind', 'metadata', 'spec', 'status']

function readFields(source: StandardJsonSchema, problems: ProblemList): StructuralSchema {
  const schema = readPart(source, 'fields', problems)
  const isPlain = schema.properties !== undefined && schema['x-kubernetes-preserve-unknown-fields'] !== true
  if (!isPlain)
    problems.add('fields', 'The fields beside spec and status are listed by name. Use z.object({ ... }).')
  for (const name of Object.keys(schema.properties ?? {})) {
    if (ownFields.includes(name))
      problems.add(
        `fields.${name}`,
        `Every object has its own ${name}. Use another name, or the option ${name}.`,
      )
  }
  return schema
}
