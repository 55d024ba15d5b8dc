import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { parseKubeconfigText } from './kubeconfig-text.js'

const problem = async (text: string): Promise<string> => {
  const parsed = await parseKubeconfigText(text)
  if (parsed.kind === 'document') throw new Error('it was accepted')
  return parsed.message
}

test('JSON and YAML say the same', async () => {
  const document = { clusters: [{ name: 'a', cluster: { server: 'https://a' } }], 'current-context': 'yes' }
  for (const text of [JSON.stringify(document), stringify(document)])
    expect(await parseKubeconfigText(text)).toEqual({ kind: 'document', document })
})

test('an empty text, or one of comments only, is an empty document', async () => {
  for (const text of ['', '\n', '# nothing here\n'])
    expect(await parseKubeconfigText(text)).toEqual({ kind: 'document', document: null })
})

test('merge keys work, as in kubectl', async () => {
  expect(await parseKubeconfigText('base: &b {x: 1}\nmore:\n  <<: *b\n  y: 2\n')).toMatchObject({
    document: { more: { x: 1, y: 2 } },
  })
})

test('a syntax error names line and column, and quotes nothing', async () => {
  const message = await problem('users:\n- name: a\n  user:\n    token: SECRET\n   wrong: SECRET\n')
  expect(message).toMatch(/line 5, column \d+/)
  expect(message).not.toContain('SECRET')
  expect(await problem('{"token": "SECRET"')).not.toContain('SECRET')
})

test('a repeated key is refused', async () => {
  expect(await problem('token: a\nuser: b\ntoken: c\n')).toContain('a key is repeated at line 3, column 1')
})

test('a key that is not plain text is refused', async () => {
  expect(await problem('a:\n  ? [SECRET]\n  : b\n')).toBe(
    'a key is not plain text at line 2, column 5: correct that line',
  )
})

test('unknown tags and several documents are refused', async () => {
  expect(await problem('a: !!js/function "x"\n')).toContain('TAG_RESOLVE_FAILED')
  expect(await problem('a: 1\n---\nb: 2\n')).toContain('MULTIPLE_DOCS')
})

test('aliases that unfold into a bomb are refused', async () => {
  const levels = 'abcdefghij'.split('')
  const bomb = levels.map((name, n) => {
    const items = Array.from({ length: 9 }, () => (n === 0 ? 'x' : `*${levels[n - 1]}`))
    return `${name}: &${name} [${items.join(', ')}]`
  })
  expect(await problem(bomb.join('\n'))).toContain('unfold into too much data')
})

test('ten thousand keys do not take quadratic time', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `key${n}: 1`).join('\n')
  expect((await parseKubeconfigText(many)).kind).toBe('document')
})

test.each([
  ['brackets', 'a: ' + '['.repeat(100_000) + ']'.repeat(100_000)],
  ['braces', '{a: '.repeat(100_000)],
  ['dashes', '- '.repeat(100_000)],
  ['question marks', '? '.repeat(100_000)],
  ['indentation', Array.from({ length: 1_000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
])('nesting by %s that would take the process down is refused', async (_what, text) => {
  expect(await problem(text)).toContain('too deep')
})

test.each([
  ['brackets', '['.repeat(200) + ']'.repeat(200)],
  ['braces', 'x: ' + '{a: '.repeat(200) + '}'.repeat(200)],
  ['dashes', `${'- '.repeat(200)}x`],
  ['question marks', `${'? '.repeat(200)}x`],
  ['indentation', Array.from({ length: 400 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
])('the deepest nesting by %s that is not refused does no harm', async (_what, text) => {
  await expect(parseKubeconfigText(text)).resolves.toBeDefined()
})

test('__proto__ stays an ordinary key', async () => {
  const parsed = await parseKubeconfigText('__proto__: {polluted: 1}\n')
  expect(parsed.kind === 'document' && Object.keys(Object(parsed.document))).toEqual(['__proto__'])
  expect({}).not.toHaveProperty('polluted')
})

test('no text makes the parser throw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      expect(['document', 'problem']).toContain((await parseKubeconfigText(text)).kind)
    }),
  )
})
