import { expect, test } from 'vitest'
import { isLatestImage } from './image-tag.js'

// By the imagePullPolicy that a real server gave to a container with the image: Always for the latest.
test.each([
  ['nginx', true],
  ['nginx:latest', true],
  ['nginx:1', false],
  ['reg:5000/x', true],
  ['reg.io/a/b:v1', false],
  ['reg.io/a/b:latest', true],
  [`a/b@sha256:${'a'.repeat(64)}`, false],
  [`a/b:latest@sha256:${'a'.repeat(64)}`, true],
  ['UPPER/x', true],
  ['x/UPPER', false],
  ['Upper', false],
  ['x y', false],
  ['f'.repeat(64), false],
  ['', false],
])('whether %j is pulled for every start: %s', (image, isLatest) => {
  expect(isLatestImage(image)).toBe(isLatest)
})

test('an endless image is judged at once', () => {
  expect(isLatestImage('a-'.repeat(100_000))).toBe(false)
})
