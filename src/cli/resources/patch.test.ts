import { expect, test } from 'vitest'
import { readPatch } from './patch.js'

test('a patch may be JSON or YAML', () => {
  expect(readPatch('{"spec":{"replicas":3}}', 'merge')).toEqual({ merge: { spec: { replicas: 3 } } })
  expect(readPatch('spec: {replicas: 3}', 'strategic')).toEqual({ strategic: { spec: { replicas: 3 } } })
  expect(readPatch('[{"op":"remove","path":"/spec"}]', 'json')).toEqual({
    json: [{ op: 'remove', path: '/spec' }],
  })
})

test.each([
  ['{"spec":', 'merge', 'neither JSON nor YAML'],
  ['[]', 'merge', 'must be an object'],
  ['', 'merge', 'must be an object'],
  ['text', 'strategic', 'must be an object'],
  ['{}', 'json', 'must be a list of steps'],
  ['[1]', 'json', 'must be a list of steps'],
  ['a: 1\n---\nb: 2', 'merge', 'one document'],
] as const)('%j as a %s patch is refused before anything is sent', (text, type, message) => {
  expect(() => readPatch(text, type)).toThrow(
    expect.objectContaining({ code: 'KW_PATCH_TEXT', message: expect.stringContaining(message) }),
  )
})
