import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { authorizeCommand, type ExecPolicy, execPolicyProblem } from './exec-policy.js'

/** Two directories in PATH, the second of which holds an executable `plugin`. */
async function setUp() {
  const root = await mkdtemp(join(tmpdir(), 'kubewright-path-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  await mkdir(join(first, 'plugin'), { recursive: true })
  await mkdir(second)
  const program = join(second, 'plugin')
  await writeFile(program, '#!/bin/sh\n')
  await chmod(program, 0o755)
  const env = { PATH: ['.', '', first, second].join(delimiter) }
  const authorize = (command: string, policy: ExecPolicy = { type: 'AllowAll' }, installHint?: string) =>
    authorizeCommand({ command, policy, env, ...(installHint !== undefined && { installHint }) })
  return { root, program, authorize }
}

test('a bare name is found through PATH; directories of that name do not count', async () => {
  const { program, authorize } = await setUp()
  expect(await authorize('plugin')).toBe(program)
})

test('an absolute path is used as it is', async () => {
  const { program, authorize } = await setUp()
  expect(await authorize(program)).toBe(program)
})

test('entries of PATH that mean the working directory do not count', async () => {
  const { root, authorize } = await setUp()
  await writeFile(join(root, 'trap'), '#!/bin/sh\n')
  await chmod(join(root, 'trap'), 0o755)
  const before = process.cwd()
  process.chdir(root)
  onTestFinished(() => process.chdir(before))
  await expect(authorize('trap')).rejects.toMatchObject({ failure: 'not-found' })
})

test('a file that is not executable is not found', async () => {
  const { root, authorize } = await setUp()
  await writeFile(join(root, 'second', 'text'), 'hello')
  await expect(authorize('text')).rejects.toMatchObject({ code: 'KW_EXEC_PLUGIN', failure: 'not-found' })
})

test('a missing plugin is an error with the install hint, made safe for a terminal', async () => {
  const { authorize } = await setUp()
  const failing = authorize('missing', { type: 'AllowAll' }, 'brew install missing\n\u001b[31mred')
  await expect(failing).rejects.toMatchObject({
    code: 'KW_EXEC_PLUGIN',
    failure: 'not-found',
    command: 'missing',
  })
  await expect(failing).rejects.toThrow('brew install missing\nU+001B[31mred')
})

test('DenyAll runs nothing', async () => {
  const { authorize } = await setUp()
  await expect(authorize('plugin', { type: 'DenyAll' })).rejects.toMatchObject({ failure: 'denied' })
})

test('an allowlist allows by name and by path, whichever way the kubeconfig names the plugin', async () => {
  const { program, authorize } = await setUp()
  for (const listed of ['plugin', program]) {
    for (const command of ['plugin', program])
      expect(await authorize(command, { type: 'Allowlist', commands: [listed] })).toBe(program)
  }
})

test('an allowlist denies everything else, also a program of the same name elsewhere', async () => {
  const { root, authorize } = await setUp()
  const impostor = join(root, 'plugin')
  await writeFile(impostor, '#!/bin/sh\n')
  await chmod(impostor, 0o755)
  await expect(authorize(impostor, { type: 'Allowlist', commands: ['plugin'] })).rejects.toMatchObject({
    failure: 'denied',
  })
  await expect(authorize('plugin', { type: 'Allowlist', commands: ['other'] })).rejects.toMatchObject({
    failure: 'denied',
  })
})

test('a path with .. is compared in its plain form', async () => {
  const { root, program, authorize } = await setUp()
  const policy: ExecPolicy = { type: 'Allowlist', commands: [program] }
  expect(await authorize(`${root}/first/../second/plugin`, policy)).toBe(program)
})

test('mistakes in an allowlist are named', () => {
  expect(execPolicyProblem({ type: 'AllowAll' })).toBeUndefined()
  expect(execPolicyProblem({ type: 'Allowlist', commands: ['aws', '/usr/bin/gke'] })).toBeUndefined()
  expect(execPolicyProblem({ type: 'Allowlist', commands: [] })).toContain('use DenyAll')
  expect(execPolicyProblem({ type: 'Allowlist', commands: [''] })).toContain('not a plain name')
  expect(execPolicyProblem({ type: 'Allowlist', commands: ['/usr/../bin/aws'] })).toContain(
    'not a plain name',
  )
})
