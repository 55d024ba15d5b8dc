// Medians, and tables of them with ratios.

export const median = (values) => quantile(values, 0.5)

/** Between two values, in proportion. */
export function quantile(values, fraction) {
  const sorted = values.toSorted((left, right) => left - right)
  const at = fraction * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

/** Rows are { name, values }; the first row is what the others are compared with. */
export function printTable(header, rows) {
  const [reference] = rows
  const withRatio = (value, at) => `${readable(value)} (${(value / reference.values[at]).toFixed(2)}x)`
  printCells([header, ...rows.map(({ name, values }) => [name, ...values.map(withRatio)])])
}

/**
 * A row for each figure, one column for each of two rivals, and how many times the first is ahead. Rows are
 * { name, values, isRate }: of a rate, more is better.
 */
export function printComparison(header, rows) {
  printCells([
    [...header, 'ahead'],
    ...rows.map(({ name, values: [own, other], isRate }) => [
      name,
      readable(own),
      readable(other),
      times(isRate ? own / other : other / own),
    ]),
  ])
}

function printCells([header, ...rows]) {
  const widths = header.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at].length)))
  for (const row of [header, widths.map((width) => '-'.repeat(width)), ...rows]) {
    console.log(`| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`)
  }
}

const times = (ratio) => `${ratio >= 100 ? Math.round(ratio) : ratio.toPrecision(2)}x`
const readable = (value) => (value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))
