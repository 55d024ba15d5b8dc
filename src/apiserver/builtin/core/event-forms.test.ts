import { expect, test } from 'vitest'
import { toCoreEvent, toNewEvent } from './event-forms.js'

const core = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e' },
  involvedObject: { name: 'x' },
  message: 'm',
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  count: 2,
  reportingComponent: 'c',
  reportingInstance: 'i',
  eventTime: null,
}

test('an event of the core group has other names for its fields in events.k8s.io', () => {
  expect(toNewEvent(core)).toEqual({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e' },
    regarding: { name: 'x' },
    note: 'm',
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    deprecatedCount: 2,
    reportingController: 'c',
    reportingInstance: 'i',
    eventTime: null,
  })
})

test('nothing is lost on the way there and back', () => {
  expect(toCoreEvent(toNewEvent(core))).toEqual(core)
})

test('who reports is left out in events.k8s.io while nobody does, and empty in the core group', () => {
  const silent = { ...core, reportingComponent: '', reportingInstance: '' }
  const other = toNewEvent(silent)
  expect(other).not.toHaveProperty('reportingController')
  expect(other).not.toHaveProperty('reportingInstance')
  expect(toCoreEvent(other)).toEqual(silent)
})
