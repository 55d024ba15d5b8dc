import {
  type FieldRequirement,
  type LabelRequirement,
  matchesFields,
  matchesLabels,
} from '../../objects/index.js'
import type { Served } from '../output/answer-kind.js'
import type { StoredObject } from '../store/store.js'
import type { ListOptions } from './list-options.js'
import type { Versioned } from './versioned.js'

/** Which objects of a resource a list or a watch is about. */
export interface Selection {
  /** No selector narrows it: everything below `prefix`. */
  readonly isEverything: boolean
  /** What all keys begin with. */
  readonly prefix: string
  /** The only key that can match, where that is known. */
  readonly key: string | undefined
  /** False where the stored bytes show that the object does not match. Only of an object in its stored version. */
  mayMatch(stored: StoredObject): boolean
  matches(object: Versioned): boolean
}

/** The selection of a request in this namespace; empty for all of them. */
export function selectionOf(
  served: Served,
  namespace: string,
  { labels, fields }: Pick<ListOptions, 'labels' | 'fields'>,
): Selection {
  const isNamespaced = served.resource.scope === 'Namespaced'
  const scope = isNamespaced ? namespace || exactValue(fields, 'metadata.namespace') : undefined
  const name = exactValue(fields, 'metadata.name')
  const prefix = scope === undefined ? '' : `${scope}/`
  const isKeyKnown = name !== undefined && (!isNamespaced || scope !== undefined)
  const needles = labels.flatMap(needleOf)
  // Name and namespace are in the key: only other fields need the object itself.
  const needsFields = fields.some(({ field }) => field !== 'metadata.name' && field !== 'metadata.namespace')

  return {
    isEverything: labels.length === 0 && fields.length === 0,
    prefix,
    key: isKeyKnown ? `${prefix}${name}` : undefined,
    mayMatch: ({ json }) => needles.every((needle) => json.includes(needle)),
    matches(state) {
      if (fields.length > 0) {
        const selectable = needsFields ? served.version.selectableFields(state.object) : {}
        if (!matchesFields(fields, { ...selectable, ...identityFields(state.key, isNamespaced) }))
          return false
      }
      return labels.length === 0 || matchesLabels(labels, state.object.metadata.labels)
    },
  }
}

function identityFields(key: string, isNamespaced: boolean): Record<string, string> {
  const slash = isNamespaced ? key.indexOf('/') : -1
  return { 'metadata.name': key.slice(slash + 1), 'metadata.namespace': slash < 0 ? '' : key.slice(0, slash) }
}

function exactValue(fields: readonly FieldRequirement[], name: string): string | undefined {
  const values = fields.filter(({ field, operator }) => field === name && operator === '=')
  return values[0]?.value
}

/**
 * Bytes that an object must hold to have this label. Keys and values of labels need no escapes in JSON, so they stand
 * there as they are; elsewhere in the object they may stand, too, which a look at the object finds out.
 */
function needleOf({ key, operator, values }: LabelRequirement): Buffer[] {
  if (operator === '=') return [Buffer.from(`"${key}":"${values[0] ?? ''}"`)]
  return operator === 'exists' || operator === 'in' ? [Buffer.from(`"${key}":"`)] : []
}
