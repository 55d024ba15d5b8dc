import type { DeepReadonly } from '../../base/index.js'
import type { Event as CoreEvent } from '../../kinds/core/v1.js'
import type { Event } from '../../kinds/events.k8s.io/v1.js'
import { type Cells, nameOf, since } from './cell-text.js'

export const coreEventCells: Cells<CoreEvent> = (event, now) => {
  const first = since(event.firstTimestamp ?? event.eventTime ?? undefined, now)
  const { involvedObject: about, source } = event
  const kind = (about.kind ?? '').toLowerCase()
  const component = source?.component || (event.reportingComponent ?? '')
  const instance = source?.host || (event.reportingInstance ?? '')
  return [
    lastSeen(event, first, now),
    event.type ?? '',
    event.reason ?? '',
    about.name ? `${kind}/${about.name}` : kind,
    about.fieldPath ?? '',
    instance === '' ? component : `${component}, ${instance}`,
    (event.message ?? '').trim(),
    first,
    event.series === undefined ? event.count || 1 : (event.series.count ?? 0),
    nameOf(event),
  ]
}

function lastSeen(event: DeepReadonly<CoreEvent>, first: string, now: number): string {
  if (event.series !== undefined) return since(event.series.lastObservedTime ?? undefined, now)
  const last = event.lastTimestamp ?? undefined
  return last === undefined ? first : since(last, now)
}

/** The newer API has other names for the same parts. */
export const eventCells: Cells<Event> = (event, now) => {
  const { metadata, eventTime, reportingController, reportingInstance, reason, type, note, regarding } = event
  const core: DeepReadonly<CoreEvent> = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    eventTime,
    involvedObject: regarding ?? {},
    ...(event.deprecatedFirstTimestamp !== undefined && { firstTimestamp: event.deprecatedFirstTimestamp }),
    ...(event.deprecatedLastTimestamp !== undefined && { lastTimestamp: event.deprecatedLastTimestamp }),
    ...(event.deprecatedCount !== undefined && { count: event.deprecatedCount }),
    ...(event.deprecatedSource !== undefined && { source: event.deprecatedSource }),
    ...(event.series !== undefined && { series: event.series }),
    ...(reportingController !== undefined && { reportingComponent: reportingController }),
    ...(reportingInstance !== undefined && { reportingInstance }),
    ...(reason !== undefined && { reason }),
    ...(type !== undefined && { type }),
    ...(note !== undefined && { message: note }),
  }
  return coreEventCells(core, now)
}
