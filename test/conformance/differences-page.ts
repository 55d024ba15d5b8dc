import { allCases } from './all-cases.js'
import { knownDifferences } from './known-differences.js'

/** The text of docs/reference/embedded-differences.md. */
export function differencesPage(): string {
  const areas = [...new Set(allCases.map(({ area }) => area))].toSorted()
  const casesOf = (area: string): number => allCases.filter((each) => each.area === area).length
  const known = allCases.filter(({ id }) => Object.hasOwn(knownDifferences, id))
  const knownIn = (area: string): number => known.filter((each) => each.area === area).length
  return [
    '# How the embedded API server differs',
    '',
    "The embedded API server (`createCluster({ kind: 'embedded' })`) answers as kube-apiserver 1.36 does. A suite holds the",
    'same conversations with both, request by request, and compares status codes, headers, bodies and events. What differs is',
    'listed here, and the suite fails when the list is wrong, in either direction.',
    '',
    'This page is written by `node scripts/run.mjs test/conformance/write-differences.ts`.',
    '',
    '## What is compared',
    '',
    ...tableOf(
      ['area', 'conversations', 'known differences'],
      [
        ...areas.map((area) => [area, String(casesOf(area)), String(knownIn(area))]),
        ['all', String(allCases.length), String(known.length)],
      ],
    ),
    '',
    'Uids, times, versions, generated names, addresses, ports and tokens are masked: what must be equal, different or later',
    'stays visible, the values do not.',
    '',
    '## What differs',
    '',
    ...(known.length === 0
      ? ['Nothing that the suite knows of.']
      : tableOf(
          ['conversation', 'why'],
          known.map(({ id }) => [id.replaceAll('|', '\\|'), knownDifferences[id] ?? '']),
        )),
    '',
  ].join('\n')
}

/** A table as people read it in the source too. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)]
}
