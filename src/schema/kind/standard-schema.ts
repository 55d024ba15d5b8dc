import type { StructuralSchema } from '../structural-schema.js'

interface JsonSchemaRequest {
  readonly target: string
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/**
 * A schema of any library that speaks Standard JSON Schema (standardschema.dev): Zod from 4.2 on as it is, Valibot
 * through `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardJsonSchema<TInput = unknown, TOutput = TInput> {
  readonly '~standard': {
    readonly vendor: string
    /** At compile time only. */
    readonly types?: { readonly input: TInput; readonly output: TOutput } | undefined
    readonly jsonSchema: {
      readonly input: (request: JsonSchemaRequest) => Record<string, unknown>
      readonly output: (request: JsonSchemaRequest) => Record<string, unknown>
    }
  }
}

/** The type of what one writes: defaulted fields are optional in it. */
export type SchemaInput<S extends StandardJsonSchema> = NonNullable<S['~standard']['types']>['input']

/** The type of what is stored. */
export type SchemaOutput<S extends StandardJsonSchema> = NonNullable<S['~standard']['types']>['output']

/** Who made a schema that is structural already and needs no conversion. */
export const structuralVendor = 'kubewright'

/**
 * A schema written as Kubernetes writes it, with the types that you say it has: for what no library can express, and
 * for definitions that exist already.
 *
 * @example
 * const spec = structural<{ command: string }>({
 *   type: 'object',
 *   required: ['command'],
 *   properties: { command: { type: 'string', pattern: '^echo' } },
 * })
 */
export function structural<TOutput, TInput = TOutput>(
  schema: StructuralSchema,
): StandardJsonSchema<TInput, TOutput> {
  const jsonSchema = (): Record<string, unknown> => ({ ...schema })
  return { '~standard': { vendor: structuralVendor, jsonSchema: { input: jsonSchema, output: jsonSchema } } }
}
