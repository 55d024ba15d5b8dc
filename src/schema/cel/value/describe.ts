import { formatGeneral } from './double.js'
import { formatDuration } from './duration.js'
import { formatTimestamp } from './timestamp.js'
import type { CelValue } from './value.js'

/** A value inside a message: `no such key: 7`. Strings stand without quotes, as the server prints them. */
export function describeValue(value: CelValue): string {
  if (value === null) return 'NULL_VALUE'
  if (typeof value === 'number') return formatGeneral(value)
  if (typeof value !== 'object') return String(value)
  switch (value.kind) {
    case 'uint':
      return value.value.toString()
    case 'bytes':
      return `[${Array.from(value.bytes).join(' ')}]`
    case 'duration':
      return formatDuration(value.nanos)
    case 'timestamp':
      return formatTimestamp(value)
    case 'type':
      return value.name
    case 'failure':
      return value.message
    case 'optional':
      return value.value === undefined ? 'optional.none()' : `optional(${describeValue(value.value)})`
    case 'list': {
      const parts: string[] = []
      for (let index = 0; index < value.size && index < 100; index++)
        parts.push(describeValue(value.at(index)))
      return `[${parts.join(', ')}]`
    }
    case 'map': {
      const parts: string[] = []
      for (const key of value.keys()) {
        if (parts.length === 100) break
        parts.push(`${describeValue(key)}: ${describeValue(value.find(key) ?? null)}`)
      }
      return `{${parts.join(', ')}}`
    }
    case 'opaque':
      return value.nativeText
    case 'preserved':
      return '<preserved>'
  }
}
