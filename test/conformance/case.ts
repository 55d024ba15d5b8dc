import type { Conversation } from './conversation.js'

/** How a case is run. */
export interface CaseOptions {
  /**
   * `own`: a namespace for this run alone. `shared`: one that all such cases of the run share, for those that list
   * nothing and whose names carry the tag or never come to exist. Default: own.
   */
  readonly namespace?: 'own' | 'shared'
  /** Go visits maps at random: causes and the messages made of them are compared without their order. */
  readonly anyOrderOfCauses?: boolean
  /** Bookmarks come when they come; a case about them asks to see them. The one after the initial objects is always seen. */
  readonly showBookmarks?: boolean
}

/** One conversation with a server, held with both and compared. */
export interface Case extends CaseOptions {
  /** `area: name`. */
  readonly id: string
  readonly area: string
  readonly name: string
  run(t: Conversation): Promise<void>
}

type Body = (t: Conversation) => Promise<void>

/** The cases of an area, by name. */
export function area(name: string, cases: Readonly<Record<string, Body>>, options: CaseOptions = {}): Case[] {
  return Object.entries(cases).map(([each, run]) => ({
    ...options,
    id: `${name}: ${each}`,
    area: name,
    name: each,
    run,
  }))
}

/** Cases of one shape: a row is what differs. */
export function table<Row>(
  name: string,
  rows: Readonly<Record<string, Row>>,
  run: (t: Conversation, row: Row) => Promise<void>,
  options: CaseOptions = {},
): Case[] {
  return area(
    name,
    Object.fromEntries(Object.entries(rows).map(([each, row]) => [each, (t: Conversation) => run(t, row)])),
    options,
  )
}
