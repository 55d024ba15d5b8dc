import { expect, test } from 'vitest'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { eventsRules } from './events.js'

const event = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'default' },
  eventTime: null,
  reason: 'R',
  regarding: { kind: 'Pod', namespace: 'default', name: 'x' },
  type: 'Normal',
  deprecatedSource: {},
}

const problems = (value: object, old: object): readonly unknown[] | undefined =>
  // What the store adds to the metadata is nothing that the rules look at.
  eventsRules['Event']?.validateUpdate?.(value as ApiObject, old as StoredApiObject, {} as never)

test('a text that is empty and one that is absent are no change of an event', () => {
  const spelled = { ...event, reportingController: '', reportingInstance: '', action: '' }
  expect(problems(event, spelled)).toEqual([])
  expect(problems(spelled, event)).toEqual([])
})

test('who reports an event is fixed, even if nobody did', () => {
  expect(
    problems({ ...event, reportingController: 'x' }, { ...event, reportingController: '' }),
  ).toMatchObject([{ field: 'reportingController', message: 'Invalid value: "x": field is immutable' }])
})

test('what an event is about cannot be emptied', () => {
  expect(problems({ ...event, reason: '' }, event)).not.toEqual([])
})
