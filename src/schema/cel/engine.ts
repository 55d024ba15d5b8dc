import type { StructuralSchema } from '../structural-schema.js'
import type { CelEngine, CelProgram } from './index.js'
import { Correlation, noRatchet } from './kubernetes/correlation.js'
import { Evaluation } from './kubernetes/evaluation.js'
import { FieldPath } from './kubernetes/field-path.js'
import { createEnvironment } from './kubernetes/program.js'
import { inspectRules } from './kubernetes/rule-inspection.js'
import { schemaNode } from './kubernetes/schema-node.js'
import { buildValidator, countRules } from './kubernetes/validator.js'

/** An engine with its own environment. Programs of one engine share compiled patterns. */
export function createEngine(): CelEngine {
  const environment = createEnvironment()
  return {
    inspect: (schema, { isResourceRoot }) => inspectRules(environment, schemaNode(schema), isResourceRoot),
    compile(schema: StructuralSchema, { isResourceRoot = true, keepsBroken = false } = {}): CelProgram {
      const node = schemaNode(schema)
      const validator = buildValidator(environment, node, { isResourceRoot, keepsBroken })
      return {
        ruleCount: countRules(validator),
        evaluate(value, old, { path, isStrict = false }) {
          if (validator === undefined) return []
          const evaluation = new Evaluation()
          const hasOld = old !== undefined && old !== null
          const ratchet =
            hasOld && !isStrict
              ? { current: new Correlation(value, old, node), parent: undefined }
              : noRatchet
          evaluation.visit(validator, { value, old, path: new FieldPath(path), ratchet })
          return evaluation.errors
        },
      }
    },
  }
}
