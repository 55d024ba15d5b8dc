import { deepEqual } from '../../base/index.js'
import type { RuntimeClass } from '../../kinds/node.k8s.io/v1.js'
import { goJson } from '../../schema/internal.js'
import { viewOf } from './draft.js'
import { type FieldError, required } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { validateLabels } from './metadata-rules.js'
import { validateOverhead } from './pod/resource-rules.js'
import { isBlank, validateDnsLabel, validateImmutable } from './value-rules.js'

/** What is particular to the kinds of node.k8s.io. */
export const nodeRules: GroupRules = {
  RuntimeClass: {
    allowsCreateOnUpdate: true,
    allowsUnconditionalUpdate: false,
    validateCreate(object) {
      const { handler, overhead, scheduling } = viewOf<RuntimeClass>(object)
      return [
        ...(isBlank(handler) ? [required('handler')] : validateDnsLabel(handler, 'handler')),
        ...validateOverhead(overhead?.podFixed ?? {}, 'overhead'),
        ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
        ...validateDistinct(scheduling?.tolerations ?? [], 'scheduling.tolerations'),
      ]
    },
    validateUpdate: (object, old) =>
      validateImmutable(viewOf<RuntimeClass>(object).handler, viewOf<RuntimeClass>(old).handler, 'handler'),
  },
}

interface Toleration {
  readonly key?: string | undefined
  readonly operator?: string | undefined
  readonly value?: string | undefined
  readonly effect?: string | undefined
  readonly tolerationSeconds?: number | undefined
}

function validateDistinct(tolerations: readonly Toleration[], path: string): FieldError[] {
  const keys = tolerations.map(({ key, operator, value, effect }) => ({ key, operator, value, effect }))
  return tolerations.flatMap((toleration, index) =>
    keys.slice(0, index).some((key) => deepEqual(key, keys[index]))
      ? [duplicateToleration(toleration, `${path}[${index}]`)]
      : [],
  )
}

/** The value stands in the message as the server's own type has it. */
function duplicateToleration(toleration: Toleration, path: string): FieldError {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds = null } = toleration
  const fields = {
    Key: key,
    Operator: operator,
    Value: value,
    Effect: effect,
    TolerationSeconds: tolerationSeconds,
  }
  const shown = Object.entries(fields).map(([name, given]) => `"${name}":${goJson(given)}`)
  return { reason: 'FieldValueDuplicate', field: path, message: `Duplicate value: {${shown.join(',')}}` }
}
