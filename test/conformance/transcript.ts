/** One thing that happened in a conversation. */
export interface Step {
  /** What was asked, for people: `GET /api/v1/namespaces/ns/pods/a`. Not compared. */
  readonly what: string
  /** What the server answered, showed or sent: data. Compared. */
  readonly seen: unknown
}

/** What is known about the run that made a transcript, and shows in its texts. */
export interface Circumstances {
  /** Texts of this run alone, and the words to show in their place. */
  readonly words: Readonly<Record<string, string>>
  /** When the conversation began and ended, in milliseconds. */
  readonly startedMs: number
  readonly endedMs: number
  readonly anyOrderOfCauses: boolean
}
