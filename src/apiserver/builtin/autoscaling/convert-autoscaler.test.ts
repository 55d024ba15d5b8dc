import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApiObject } from '../../api-object.js'
import { convertAutoscaler } from './convert-autoscaler.js'

function autoscaler(spec: object, status: object = {}): ApiObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'x' },
    spec: { maxReplicas: 3, minReplicas: 1, scaleTargetRef: { kind: 'K', name: 'n' }, ...spec },
    status: { desiredReplicas: 0, ...status },
  }
}

const amount = fc.integer({ min: 1, max: 1000 }).map(String)
const selector = fc.record({ matchLabels: fc.dictionary(fc.string({ minLength: 1 }), fc.string()) })
const metric = fc.record({ name: fc.string({ minLength: 1 }), selector }, { requiredKeys: ['name'] })
const utilization = fc.integer({ min: 1, max: 100 })

const metrics = fc.oneof(
  fc.record({
    type: fc.constant('Pods'),
    pods: fc.record({
      metric,
      target: fc.record({ type: fc.constant('AverageValue'), averageValue: amount }),
    }),
  }),
  fc.record({
    type: fc.constant('Resource'),
    resource: fc.record({
      name: fc.constant('memory'),
      target: fc.record({ type: fc.constant('Utilization'), averageUtilization: utilization }),
    }),
  }),
  fc.record({
    type: fc.constant('ContainerResource'),
    containerResource: fc.record({
      name: fc.constant('cpu'),
      container: fc.constant('c'),
      target: fc.record({ type: fc.constant('AverageValue'), averageValue: amount }),
    }),
  }),
  fc.record({
    type: fc.constant('Object'),
    object: fc.record({
      describedObject: fc.record({ kind: fc.constant('K'), name: fc.constant('n') }),
      metric,
      target: fc.record({ type: fc.constant('Value'), value: amount }),
    }),
  }),
  fc.record({
    type: fc.constant('External'),
    external: fc.record({
      metric,
      target: fc.record({ type: fc.constant('AverageValue'), averageValue: amount }),
    }),
  }),
)

test('what the first version cannot say survives it in annotations', () => {
  fc.assert(
    fc.property(fc.array(metrics, { minLength: 1, maxLength: 4 }), (given) => {
      const object = autoscaler({
        metrics: given,
        behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] } },
      })
      expect(convertAutoscaler(convertAutoscaler(object, 'v1'), 'v2')).toEqual(object)
    }),
  )
})

test('the utilization of the processor is a field of the first version', () => {
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
  }
  const older = convertAutoscaler(autoscaler({ metrics: [cpu] }), 'v1')
  expect(older['spec']).toMatchObject({ targetCPUUtilizationPercentage: 50 })
  expect(older.metadata.annotations).toBeUndefined()
})

test('an annotation that is not JSON is left out of account', () => {
  const older = convertAutoscaler(autoscaler({ metrics: [] }), 'v1')
  older.metadata.annotations = { 'autoscaling.alpha.kubernetes.io/metrics': '{' }
  expect(convertAutoscaler(older, 'v2')['spec']).toMatchObject({
    metrics: [{ type: 'Resource', resource: { target: { averageUtilization: 80 } } }],
  })
})
