import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** What a program of this checkout prints, on a terminal of 80 columns. */
async function outputOf(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['scripts/run.mjs', file, ...args], {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  return stdout
}

/** The help of a command and of all below it, by the words that call it. */
async function helpOf(words: readonly string[] = []): Promise<[command: string, help: string][]> {
  const help = await outputOf('src/cli/main.ts', [...words, '--help'])
  const [, commands = ''] = help.split('\nCommands:\n')
  const below = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name]) => name ?? [])
  const inner = await Promise.all(below.map((name) => helpOf([...words, name])))
  return [[['kubewright', ...words].join(' '), help], ...inner.flat()]
}

test('docs/reference/cli.md has the help of every command, word for word', { timeout: 60_000 }, async () => {
  const page = readFileSync('docs/reference/cli.md', 'utf8')
  const documented = [...page.matchAll(/^```text\n\$ (kubewright.*?) --help\n([\s\S]*?)^```$/gm)].map(
    ([, command, help]) => [command, help],
  )
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(await helpOf()))
})

test('docs/guide/running.md has the flags of an operator, word for word', { timeout: 60_000 }, async () => {
  const page = readFileSync('docs/guide/running.md', 'utf8')
  const [, documented] = /^```text\n(Flags:\n[\s\S]*?)^```$/m.exec(page) ?? []
  const help = await outputOf('examples/foo/main.ts', ['--help'])
  expect(help).toContain(documented ?? 'no flags in the page')
  expect(documented).toBe(help.slice(help.indexOf('Flags:')))
})
