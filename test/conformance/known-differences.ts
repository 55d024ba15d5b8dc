/**
 * Where the embedded server is known to answer otherwise than the real one, by the id of the case, and why: for people
 * who wonder whether it matters to them. A case that stands here must differ, or the suite fails: the list cannot rot.
 */
export const knownDifferences: Readonly<Record<string, string>> = {}
