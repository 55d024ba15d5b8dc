import { deepEqual } from '../../../base/index.js'
import type { ConfigMap } from '../../../kinds/core/v1.js'
import { type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidFor, keyPath, tooLong } from '../field-errors.js'
import { configKeyProblems } from '../key-rules.js'
import type { KindRules } from '../kind-rules.js'

/** The most that a ConfigMap or a Secret holds. */
export const longestData: number = 1024 * 1024

const immutable = 'field is immutable when `immutable` is set'

export const configMapRules: KindRules = {
  validateCreate: (object) => validateConfigMap(viewOf<ConfigMap>(object)),
  validateUpdate(object, old) {
    const map = viewOf<ConfigMap>(object)
    const before = viewOf<ConfigMap>(old)
    return [
      ...(before.immutable === true
        ? [
            ...(map.immutable === true ? [] : [forbidden('immutable', immutable)]),
            ...(deepEqual(map.data ?? {}, before.data ?? {}) ? [] : [forbidden('data', immutable)]),
            ...(deepEqual(map.binaryData ?? {}, before.binaryData ?? {})
              ? []
              : [forbidden('binaryData', immutable)]),
          ]
        : []),
      ...validateConfigMap(map),
    ]
  },
}

function validateConfigMap({ data = {}, binaryData = {} }: View<ConfigMap>): FieldError[] {
  const size =
    Object.values(data).reduce((sum, value = '') => sum + Buffer.byteLength(value), 0) +
    Object.values(binaryData).reduce((sum, value = '') => sum + decodedLength(value), 0)
  return [
    ...Object.keys(data).flatMap((key) => {
      const path = keyPath('data', key)
      return [
        ...invalidFor(path, key, configKeyProblems(key)),
        ...(Object.hasOwn(binaryData, key)
          ? [invalid(path, key, 'duplicate of key present in binaryData')]
          : []),
      ]
    }),
    ...Object.keys(binaryData).flatMap((key) =>
      invalidFor(keyPath('binaryData', key), key, configKeyProblems(key)),
    ),
    // How the server writes the path of the whole object here.
    ...(size > longestData ? [tooLong('[]', longestData)] : []),
  ]
}

/** The number of bytes that a base64 text stands for. */
export function decodedLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}
