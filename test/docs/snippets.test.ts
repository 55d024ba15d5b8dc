import { readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { writeSnippets } from './write-snippets.js'

const scratch = resolve('.cache/snippets')

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file))
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

test('every TypeScript block in the documentation type-checks', { timeout: 120_000 }, () => {
  rmSync(scratch, { recursive: true, force: true })
  const pages = ['README.md', ...markdownIn('docs'), ...markdownIn('examples')]
  const files = pages.flatMap((page) =>
    writeSnippets(page, join(scratch, page.replaceAll(/[^a-z0-9]+/gi, '-'))),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(problemsIn(files)).toEqual([])
})
