interface Match {
  readonly left: number
  readonly right: number
  readonly size: number
}

interface Span {
  readonly isEqual: boolean
  readonly left: readonly [from: number, to: number]
  readonly right: readonly [from: number, to: number]
}

const context = 3

/**
 * The lines that differ between two texts, with three lines around them, as the API server prints them: by the longest
 * common blocks (Ratcliff and Obershelp), where in long texts lines that repeat themselves do not begin a block. Empty for
 * equal texts.
 */
export function unifiedDiff(left: string, right: string): string {
  const before = splitLines(left)
  const after = splitLines(right)
  return groups(spansOf(before, after))
    .map((spans) => hunk(spans, before, after))
    .join('')
}

/** Every line with its end; also the last one, as the server has it. */
function splitLines(text: string): string[] {
  return text.split('\n').map((line) => `${line}\n`)
}

function spansOf(left: readonly string[], right: readonly string[]): Span[] {
  const spans: Span[] = []
  let [leftAt, rightAt] = [0, 0]
  const end = { left: left.length, right: right.length, size: 0 }
  for (const match of [...matchesOf(left, right), end]) {
    if (leftAt < match.left || rightAt < match.right)
      spans.push({ isEqual: false, left: [leftAt, match.left], right: [rightAt, match.right] })
    leftAt = match.left + match.size
    rightAt = match.right + match.size
    if (match.size > 0)
      spans.push({ isEqual: true, left: [match.left, leftAt], right: [match.right, rightAt] })
  }
  return spans
}

/** The common blocks in order, neighbours joined. */
function matchesOf(left: readonly string[], right: readonly string[]): Match[] {
  const positions = positionsOf(right)
  const found: Match[] = []
  const ranges: [number, number, number, number][] = [[0, left.length, 0, right.length]]
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [leftFrom, leftTo, rightFrom, rightTo] = range
    const match = longestMatch(left, right, positions, range)
    if (match.size === 0) continue
    found.push(match)
    if (leftFrom < match.left && rightFrom < match.right)
      ranges.push([leftFrom, match.left, rightFrom, match.right])
    if (match.left + match.size < leftTo && match.right + match.size < rightTo)
      ranges.push([match.left + match.size, leftTo, match.right + match.size, rightTo])
  }
  const joined: Match[] = []
  for (const match of found.sort((one, other) => one.left - other.left)) {
    const last = joined.at(-1)
    if (last && last.left + last.size === match.left && last.right + last.size === match.right)
      joined[joined.length - 1] = { ...last, size: last.size + match.size }
    else joined.push(match)
  }
  return joined
}

function positionsOf(lines: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  for (const [index, line] of lines.entries()) {
    const known = positions.get(line)
    if (known === undefined) positions.set(line, [index])
    else known.push(index)
  }
  const most = Math.floor(lines.length / 100) + 1
  if (lines.length >= 200)
    for (const [line, indexes] of positions) if (indexes.length > most) positions.delete(line)
  return positions
}

function longestMatch(
  left: readonly string[],
  right: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  [leftFrom, leftTo, rightFrom, rightTo]: readonly [number, number, number, number],
): Match {
  let best: Match = { left: leftFrom, right: rightFrom, size: 0 }
  let lengths = new Map<number, number>()
  for (let index = leftFrom; index < leftTo; index++) {
    const next = new Map<number, number>()
    for (const at of positions.get(left[index] ?? '') ?? []) {
      if (at < rightFrom) continue
      if (at >= rightTo) break
      const size = (lengths.get(at - 1) ?? 0) + 1
      next.set(at, size)
      if (size > best.size) best = { left: index - size + 1, right: at - size + 1, size }
    }
    lengths = next
  }
  // Lines that may not begin a block may still lengthen one.
  let { left: start, right: other, size } = best
  while (start > leftFrom && other > rightFrom && left[start - 1] === right[other - 1]) {
    start--
    other--
    size++
  }
  while (start + size < leftTo && other + size < rightTo && left[start + size] === right[other + size]) size++
  return { left: start, right: other, size }
}

/** Spans with at most three equal lines at their ends, cut where more than six lie between two changes. */
function groups(spans: readonly Span[]): Span[][] {
  const found: Span[][] = []
  let group: Span[] = []
  for (const [index, span] of spans.entries()) {
    const { isEqual, left, right } = span
    const size = left[1] - left[0]
    if (!isEqual) {
      group.push(span)
      continue
    }
    const head: Span = {
      isEqual,
      left: [left[0], left[0] + Math.min(size, context)],
      right: [right[0], right[0] + Math.min(size, context)],
    }
    const tail: Span = {
      isEqual,
      left: [left[1] - Math.min(size, context), left[1]],
      right: [right[1] - Math.min(size, context), right[1]],
    }
    const isFirst = index === 0
    const isLast = index === spans.length - 1
    if (isFirst) group.push(tail)
    else if (isLast) group.push(head)
    else if (size <= 2 * context) group.push(span)
    else {
      found.push([...group, head])
      group = [tail]
    }
  }
  return [...found, group].filter((one) => one.some(({ isEqual }) => !isEqual))
}

function hunk(spans: readonly Span[], left: readonly string[], right: readonly string[]): string {
  const first = spans[0]
  const last = spans.at(-1)
  if (first === undefined || last === undefined) return ''
  const leftRange = rangeText(first.left[0], last.left[1])
  const rightRange = rangeText(first.right[0], last.right[1])
  const lines = spans.flatMap((span) => {
    const removed = left.slice(...span.left)
    if (span.isEqual) return removed.map((line) => ` ${line}`)
    return [...removed.map((line) => `-${line}`), ...right.slice(...span.right).map((line) => `+${line}`)]
  })
  return `@@ -${leftRange} +${rightRange} @@\n${lines.join('')}`
}

function rangeText(from: number, to: number): string {
  const size = to - from
  if (size === 1) return `${from + 1}`
  return `${size === 0 ? from : from + 1},${size}`
}
