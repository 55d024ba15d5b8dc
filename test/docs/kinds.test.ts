import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineKind } from 'kubewright'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { writeSnippets } from './write-snippets.js'

const page = 'docs/guide/kinds.md'
const text = readFileSync(page, 'utf8')
const scratch = resolve('.cache/kinds-guide')
rmSync(scratch, { recursive: true, force: true })
const rows = refusals()
const schemas = await loadExpressions(rows.flat())

describe('the guide to kinds', () => {
  test('has only examples that run, and give what their comments say', { timeout: 30_000 }, async () => {
    const verdicts: string[] = []
    for (const file of writeSnippets(page, scratch)) {
      // A kind that the server would refuse throws when its module is loaded.
      const loaded: unknown = await import(pathToFileURL(file).href)
      if (hasVerdict(loaded)) verdicts.push(loaded.verdict)
    }
    expect(rows).not.toEqual([])
    expect(verdicts).not.toEqual([])
    expect(verdicts.filter((verdict) => !text.includes(`\n// ${verdict}\n`))).toEqual([])
  })

  test.each(rows)('says rightly of %s that it is refused, and what to write instead', (refused, instead) => {
    expect(() => defineWith(refused)).toThrow(expect.objectContaining({ code: 'KW_INVALID_KIND' }))
    expect(defineWith(instead)).toMatchObject({ kind: 'Example' })
  })
})

/** A block that shows what a validator says has it in a comment below. */
function hasVerdict(loaded: unknown): loaded is { readonly verdict: string } {
  return typeof loaded === 'object' && loaded !== null && 'verdict' in loaded
}

/** First and last cell of each row in the table below "What is refused". */
function refusals(): [refused: string, instead: string][] {
  const [, section = ''] = text.split('\n## What is refused\n')
  return [...section.matchAll(/^\| `(.+?)` +\| .+ \| `(.+?)` +\|$/gm)].map(
    ([, refused = '', instead = '']) => [refused, instead],
  )
}

/** Each expression as a function that evaluates it: a module of them, for a module needs no `eval`. */
async function loadExpressions(
  expressions: readonly string[],
): Promise<ReadonlyMap<string, () => z.ZodType>> {
  const file = join(scratch, 'expressions.ts')
  mkdirSync(scratch, { recursive: true })
  writeFileSync(
    file,
    `import { cel, listMap, listSet, preserveUnknownFields } from 'kubewright'
import { z } from 'zod'
export const expressions = [
${expressions.map((expression) => `  () => ${expression},`).join('\n')}
]
`,
  )
  // The file was written three lines above.
  const loaded = (await import(pathToFileURL(file).href)) as { readonly expressions: (() => z.ZodType)[] }
  return new Map(
    expressions.map((expression, index) => [expression, loaded.expressions[index] ?? (() => z.never())]),
  )
}

function defineWith(expression: string): object {
  const field = schemas.get(expression)?.() ?? z.never()
  return defineKind({ group: 'example.com', version: 'v1', kind: 'Example', spec: z.object({ field }) })
}
