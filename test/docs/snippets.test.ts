import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/**
 * Every TypeScript block of the documentation compiles. A block whose first line is `// some/path.ts` is that file,
 * so that the blocks of one page can import each other; any other block stands alone.
 */
const scratch = resolve('.cache/snippets')

const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
  ...readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('examples', file)),
]

function writeSnippets(page: string): string[] {
  const folder = join(scratch, page.replaceAll(/[^a-z0-9]+/gi, '-'))
  const files: string[] = []
  for (const [, code = ''] of readFileSync(page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    const named = /^\/\/ ([\w./-]+\.ts)\b/.exec(code)?.[1]
    const file = join(folder, named ?? `snippet-${files.length}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    // An import or export makes it a module, so that two blocks may use the same names.
    writeFileSync(file, `${code}\nexport {}\n`)
    files.push(file)
  }
  return files
}

function problemsIn(files: string[]): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, process.cwd())
  const program = ts.createProgram(files, { ...options, noEmit: true, rootDir: process.cwd() })
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
    if (diagnostic.file === undefined || diagnostic.start === undefined) return text
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start)
    return `${diagnostic.file.fileName.replace(`${scratch}/`, '')}:${line + 1} ${text}`
  })
}

test('every TypeScript block in the documentation type-checks', { timeout: 60_000 }, () => {
  rmSync(scratch, { recursive: true, force: true })
  const files = pages.flatMap(writeSnippets)
  expect(files.length).toBeGreaterThan(0)
  expect(problemsIn(files)).toEqual([])
})
