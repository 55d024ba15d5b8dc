import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file))

/** The page without its code, in which brackets mean something else. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
}

/** The anchors that a Markdown renderer gives to the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** Why the link from a page leads nowhere; undefined when it leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(target)) return `${page}: ${link} leads to no file`
  if (anchor !== undefined && !anchorsOf(target).includes(anchor))
    return `${page}: ${link} leads to no heading`
  return undefined
}

test('every link in the documentation leads to a page, and to a heading of it', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) =>
      link.includes('://') ? [] : [{ page, link }],
    ),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.flatMap(({ page, link }) => problemOf(page, link) ?? [])).toEqual([])
})
