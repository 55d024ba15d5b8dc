import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes the TypeScript blocks of a page as files into `folder`, and returns their paths. A block whose first line is
 * `// some/path.ts` is that file, so that the blocks of one page can import each other; any other block stands alone.
 */
export function writeSnippets(page: string, folder: string): string[] {
  const files: string[] = []
  for (const [, code = ''] of readFileSync(page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    const named = /^\/\/ ([\w./-]+\.ts)\b/.exec(code)?.[1]
    const file = join(folder, named ?? `snippet-${files.length + 1}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    // An import or export makes it a module, so that two blocks may use the same names.
    writeFileSync(file, `${code}\nexport {}\n`)
    files.push(file)
  }
  return files
}
