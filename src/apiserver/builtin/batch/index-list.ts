import { goQuote } from '../field-errors.js'

/** Thrown within this file only; the text is the server's. */
class IndexProblem extends Error {}

type Interval = readonly [first: number, last: number]

/** How many indexes of a Job `1,3-5,7` names, or what is wrong with the list. */
export function countIndexes(list: string, completions: number): number | { readonly problem: string } {
  if (list === '') return 0
  try {
    let total = 0
    let last: number | undefined
    for (const text of list.split(',')) {
      const [from, to] = parseInterval(text, completions)
      if (last !== undefined && last >= from)
        throw new IndexProblem(`non-increasing order, previous: ${last}, current: ${from}`)
      total += to - from + 1
      last = to
    }
    return total
  } catch (error) {
    if (error instanceof IndexProblem) return { problem: error.message }
    throw error
  }
}

/** The first index that is both done and failed. */
export function overlapOf(completed: string, failed: string, completions: number): number | undefined {
  const done = readableIntervals(completed, completions)
  for (const [first, last] of readableIntervals(failed, completions)) {
    const both = done.find(([from, to]) => from <= last && first <= to)
    if (both !== undefined) return Math.max(first, both[0])
  }
  return undefined
}

function readableIntervals(list: string, completions: number): readonly Interval[] {
  return list.split(',').flatMap((text) => {
    try {
      return [parseInterval(text, completions)]
    } catch (error) {
      // What cannot be read is reported where the format is checked.
      if (error instanceof IndexProblem) return []
      throw error
    }
  })
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split('-')
  if (limits.length > 2)
    throw new IndexProblem(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    )
  const [first = 0, last] = limits.map((limit) => parseIndex(limit, completions))
  if (last === undefined) return [first, first]
  if (first >= last) throw new IndexProblem(`non-increasing order, previous: ${first}, current: ${last}`)
  return [first, last]
}

function parseIndex(text: string, completions: number): number {
  if (!/^[+-]?\d{1,18}$/.test(text))
    throw new IndexProblem(`cannot convert string to integer for index: ${goQuote(text)}`)
  const index = Number(text)
  if (index >= completions) throw new IndexProblem(`too large index: ${goQuote(text)}`)
  return index
}
