import { expect, test } from 'vitest'
import { defineController } from '../controller/index.js'
import { ConfigMap, Secret } from '../kinds/core/v1.js'
import { defineOperator, InvalidOperatorError } from './define-operator.js'

const reconcile = (): void => {}

test('an operator is its options, checked', () => {
  const controllers = [defineController({ for: ConfigMap, reconcile })]
  expect(defineOperator({ name: 'my-operator', controllers })).toEqual({
    name: 'my-operator',
    kinds: [],
    cache: {},
    controllers,
  })
})

test('two controllers of one name are refused, with the way out', () => {
  const controllers = [
    defineController({ for: ConfigMap, reconcile }),
    defineController({ for: Secret, name: 'configmap', reconcile }),
  ]
  expect(() => defineOperator({ name: 'my-operator', controllers })).toThrow(
    /give one of them another "name"/,
  )
})

test.each(['', 'My-Operator', 'a_b', '-a', 'a'.repeat(54)])('the name %o is refused', (name) => {
  expect(() => defineOperator({ name, controllers: [] })).toThrow(InvalidOperatorError)
})

test('a kind that is listed twice is refused', () => {
  expect(() => defineOperator({ name: 'a', kinds: [ConfigMap, ConfigMap], controllers: [] })).toThrow(/twice/)
})
