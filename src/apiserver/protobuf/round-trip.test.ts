import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deepCopy, formatUtcTime, type Random, seededRandom, setOwn } from '../../base/index.js'
import { parseApiVersion } from '../../objects/index.js'
import type { ApiSchema } from '../api-schema.js'
import { schemaOf } from '../builtin/schema-of.js'
import { decodeTyped } from '../request/decode-typed.js'
import { sourceOf } from '../request/json-source.js'
import { messages } from './data/messages.js'
import { createMessageCodec } from './message-codec.js'

/** The table read once more, in the simplest way: messages by name, each a list of fields. */
const fieldsOf = new Map<string, readonly (readonly [name: string, marks: string, type: string])[]>()
const kinds: (readonly [kind: string, apiVersion: string, message: string])[] = []
let section = { module: '', apiVersion: '' }
for (const line of messages.split('\n')) {
  const header = /^\[(\S+) (\S+)\]$/.exec(line)
  if (header !== null) {
    section = { module: header[1] ?? '', apiVersion: header[2] ?? '' }
    continue
  }
  const [name = '', ...fields] = line.split(' ')
  const message = `${section.module}.${name.replace('+', '')}`
  if (name.startsWith('+') && section.module !== 'meta')
    kinds.push([name.slice(1), section.apiVersion, message])
  fieldsOf.set(
    message,
    fields.map((text) => {
      const [, field = '', marks = '', type = ''] = /^([^:(]*)[^:]*:\d+([?!*%]*)(.*)$/.exec(text) ?? []
      const isOwn = /^[A-Z]\w*$/.test(type)
      return [field, marks, isOwn ? `${section.module}.${type}` : type]
    }),
  )
}

const texts = [
  '',
  'a',
  'some-longer-name-with-dashes-0123456789-abcdefghijklmnop',
  'ünï',
  '日本',
  '😀',
  '～',
  '__proto__',
]
const int64s = [
  0,
  1,
  -1,
  127,
  128,
  2 ** 31,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
  2n ** 53n,
  2n ** 63n - 1n,
  -(2n ** 63n),
]
const anyJson = [{ a: [1, null] }, { '': 'x' }, [true], 'text', 12, 9_007_199_254_740_993n]

/** Makes objects in the form that the server keeps them in: nothing empty where JSON leaves it out. */
class ObjectMaker {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  #pick<T>(values: readonly T[]): T {
    // The index is below the length, which is never 0.
    return values[Math.floor(this.#random() * values.length)] as T
  }

  message(name: string, depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    for (const [field, marks, type] of fieldsOf.get(name) ?? []) {
      if (field === '') Object.assign(object, this.message(type, depth))
      else {
        const value = this.#field(marks, type, depth)
        if (value !== undefined) object[field] = value
      }
    }
    return object
  }

  #field(marks: string, type: string, depth: number): unknown {
    const isAlways = marks.includes('!')
    const isAbsent = depth > 6 || this.#random() < 0.5
    if (/[*%]/.test(marks)) {
      if (isAbsent) return isAlways ? null : undefined
      const items = Array.from({ length: 1 + Math.floor(this.#random() * 2) }, () => this.#value(type, depth))
      if (marks.includes('*')) return items
      const map = {}
      for (const item of items) setOwn(map, this.#pick(texts), item)
      return map
    }
    if (marks.includes('?')) return isAbsent ? (isAlways ? null : undefined) : this.#value(type, depth)
    const value = isAlways || !isAbsent ? this.#value(type, depth) : undefined
    if (type.endsWith('Time') && isAbsent) return isAlways ? null : undefined
    return !isAlways && (value === '' || value === 0 || value === false) ? undefined : value
  }

  #value(type: string, depth: number): unknown {
    const schema = (): unknown => this.message('apiextensions-v1.JSONSchemaProps', depth + 2)
    const some = (): string[] => [this.#pick(texts), this.#pick(texts)]
    switch (type) {
      case 's':
        return this.#pick(texts)
      case 'b':
        return this.#random() < 0.5
      case 'i':
        return this.#pick([0, 1, -1, 300, 2 ** 31 - 1, -(2 ** 31)])
      case 'l':
        return this.#pick(int64s)
      case 'd':
        return this.#pick([0, 1.5, -0.1, 1e300])
      case 'y':
        return this.#pick(['', 'AP8=', 'aGVsbG8='])
      case 'meta.Time':
        return formatUtcTime(Math.floor(this.#random() * 2 ** 32) * 1000, 0)
      case 'meta.MicroTime':
        return formatUtcTime(this.#random() * 2 ** 42, 6)
      case 'meta.Quantity':
        return this.#pick(['0', '100m', '1Gi', '5k'])
      case 'meta.IntOrString':
        return this.#pick([0, 80, -1, 'http', '50%', ''])
      case 'meta.RawExtension':
      case 'meta.FieldsV1':
        return deepCopy(this.#pick(anyJson.slice(0, 2)))
      case 'apiextensions-v1.JSON':
        return deepCopy(this.#pick(anyJson))
      case 'meta.Verbs':
      case 'authentication-v1.ExtraValue':
      case 'authorization-v1.ExtraValue':
      case 'certificates-v1.ExtraValue':
        return this.#pick([[], some()])
      case 'apiextensions-v1.JSONSchemaPropsOrArray':
        return this.#random() < 0.5 ? schema() : [schema()]
      case 'apiextensions-v1.JSONSchemaPropsOrBool':
        return this.#pick([true, false, schema()])
      case 'apiextensions-v1.JSONSchemaPropsOrStringArray':
        return this.#random() < 0.5 ? schema() : some()
      default:
        return this.message(type, depth + 1)
    }
  }
}

const codec = createMessageCodec()
const noType = { group: '', version: '', kind: '' }

function makeObject(seed: number, kind: string, apiVersion: string, message: string) {
  return { kind, apiVersion, ...new ObjectMaker(seededRandom(seed)).message(message, 0) }
}

test('the table has the kinds of all groups', () => {
  expect(kinds.length).toBeGreaterThan(140)
  expect(new Set(kinds.map(([, apiVersion]) => apiVersion)).size).toBe(22)
})

test.each(kinds)('a %s of %s comes back as it was sent', (kind, apiVersion, message) => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const object = makeObject(seed, kind, apiVersion, message)
      expect(codec.decode(codec.encode(object), noType)).toEqual(object)
    }),
    { numRuns: 5 },
  )
})

// What `exec` and the like are called with is no object of the API, and has no schema.
const described = kinds.filter(([kind, apiVersion]) => schemaFor(apiVersion, kind) !== undefined)

test.each(described)(
  'a %s of %s is to the server what the same object in JSON is',
  (kind, apiVersion, message) => {
    const schema = schemaFor(apiVersion, kind) ?? {}
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const object = makeObject(seed, kind, apiVersion, message)
        const read = decodeTyped(sourceOf(codec.decode(codec.encode(object), noType)), schema)
        expect(read).toEqual(decodeTyped(sourceOf(deepCopy(object)), schema))
        expect(read.strictErrors).toEqual([])
      }),
      { numRuns: 3 },
    )
  },
)

function schemaFor(apiVersion: string, kind: string): ApiSchema | undefined {
  const { group, version } = parseApiVersion(apiVersion)
  try {
    return schemaOf(group, version, kind)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
