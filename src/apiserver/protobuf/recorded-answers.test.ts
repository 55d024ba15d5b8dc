import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isPlainObject, parseJson } from '../../base/index.js'
import type { ProtobufSource } from '../output/protobuf-codec.js'
import { createMessageCodec } from './message-codec.js'

/** An object as a real Kubernetes v1.36.3 answered it in JSON and in protobuf. */
interface Recorded {
  readonly json: ProtobufSource
  readonly hex: string
}

const file = new URL('recorded-answers.ndjson', import.meta.url)
const recorded = readFileSync(file, 'utf8').trim().split('\n').map(parseRecorded)
const codec = createMessageCodec()
const noType = { group: '', version: '', kind: '' }

function parseRecorded(line: string): [title: string, recorded: Recorded] {
  const parsed = parseJson(line)
  if (!isPlainObject(parsed)) throw new TypeError(`not a recorded answer: ${line}`)
  // The file was written by the recorder.
  const { json, hex } = parsed as unknown as Recorded
  return [`${json.kind} of ${json.apiVersion}`, { json, hex }]
}

test.each(recorded)('%s is written byte for byte as the real server writes it', (_, { json, hex }) => {
  expect(codec.encode(json).toString('hex')).toBe(hex)
})

test.each(recorded)('%s is read as the real server has it in JSON', (_, { json, hex }) => {
  expect(codec.decode(Buffer.from(hex, 'hex'), noType)).toEqual(json)
})
