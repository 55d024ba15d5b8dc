import { type FieldSelectorInput, formatFieldSelector } from './field-selector.js'
import { formatLabelSelector, type LabelSelectorInput } from './label-selector.js'

/** What stands behind the `?` of a request. Undefined values are left out. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>

/** Which objects a list, a watch or a delete of many is about. */
export interface SelectionParameters {
  /** Text goes to the server as it is. */
  readonly labelSelector?: LabelSelectorInput | undefined
  /** Text goes to the server as it is. */
  readonly fieldSelector?: FieldSelectorInput | undefined
}

/** Of a list: which objects, how many at once, and how fresh. */
export interface ListParameters extends SelectionParameters {
  /** At most so many objects; the rest is behind `metadata.continue`. */
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  /** `""` or absent: the newest. `"0"`: whatever the server has in memory. A version: see `resourceVersionMatch`. */
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
  readonly timeoutSeconds?: number | undefined
}

/** Of a watch: which objects, and from where in time. */
export interface WatchParameters extends SelectionParameters {
  /** Only changes after this version. Absent: the present objects come first, as `added`. */
  readonly resourceVersion?: string | undefined
  /** Ask for bookmarks, about one a minute: they keep the version fresh and prove that the connection lives. */
  readonly allowBookmarks?: boolean | undefined
  /** Stream the present objects first and end them with a bookmark (a "streaming list"). */
  readonly sendInitialEvents?: boolean | undefined
  /** The server ends the watch after so long. */
  readonly timeoutSeconds?: number | undefined
}

/** Of every write. */
export interface WriteParameters {
  /** Check everything, change nothing. */
  readonly dryRun?: boolean | undefined
  /** Who owns the fields that this write sets. */
  readonly fieldManager?: string | undefined
  /** What to do with fields that the server does not know: `Strict` refuses them. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
}

/** Of a delete. */
export interface DeleteParameters {
  readonly dryRun?: boolean | undefined
  /** Zero: at once. Only pods and a few others know grace. */
  readonly gracePeriodSeconds?: number | undefined
  /** What happens to the objects that this one owns. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined
  /** Delete only if the object is still the one that was read; otherwise the server answers 409. */
  readonly preconditions?: {
    readonly uid?: string | undefined
    readonly resourceVersion?: string | undefined
  }
}

/** The query of a list. */
export function listQuery(parameters: ListParameters): QueryParameters {
  return {
    ...selectionQuery(parameters),
    limit: parameters.limit,
    continue: parameters.continue,
    resourceVersion: parameters.resourceVersion,
    resourceVersionMatch: parameters.resourceVersionMatch,
    timeoutSeconds: parameters.timeoutSeconds,
  }
}

/** The query of a watch. */
export function watchQuery(parameters: WatchParameters): QueryParameters {
  const { allowBookmarks, sendInitialEvents } = parameters
  return {
    ...selectionQuery(parameters),
    watch: true,
    resourceVersion: parameters.resourceVersion,
    allowWatchBookmarks: allowBookmarks === true ? true : undefined,
    sendInitialEvents,
    // The server demands the two together.
    resourceVersionMatch: sendInitialEvents === true ? 'NotOlderThan' : undefined,
    timeoutSeconds: parameters.timeoutSeconds,
  }
}

/** The query of a create, update or patch. */
export function writeQuery(parameters: WriteParameters): QueryParameters {
  return {
    dryRun: parameters.dryRun === true ? 'All' : undefined,
    fieldManager: parameters.fieldManager,
    fieldValidation: parameters.fieldValidation,
  }
}

/** The query that selects objects by label and field. Throws what `formatLabelSelector` and its sibling throw. */
export function selectionQuery({ labelSelector, fieldSelector }: SelectionParameters): QueryParameters {
  const isText = (selector: unknown): selector is string | undefined =>
    selector === undefined || typeof selector === 'string'
  return {
    labelSelector: isText(labelSelector) ? labelSelector : formatLabelSelector(labelSelector),
    fieldSelector: isText(fieldSelector) ? fieldSelector : formatFieldSelector(fieldSelector),
  }
}

/** The body of a delete (`DeleteOptions`). */
export function deleteBody(parameters: DeleteParameters): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: parameters.gracePeriodSeconds,
    propagationPolicy: parameters.propagationPolicy,
    preconditions: parameters.preconditions,
    dryRun: parameters.dryRun === true ? ['All'] : undefined,
  }
}
