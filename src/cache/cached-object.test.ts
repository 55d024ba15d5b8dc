import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../base/index.js'
import { CachedObject, ObjectReader } from './cached-object.js'
import { skipValue } from './json-scan.js'
import { MetadataScan, scanList, scanWatchLine } from './metadata-scan.js'

const typeMeta = { apiVersion: 'v1', kind: 'Thing' }
const keep = { stripManagedFields: false, typeMeta }
const strip = { stripManagedFields: true, typeMeta }

const read = (object: unknown, options = keep, space?: number): CachedObject | undefined => {
  const bytes = Buffer.from(`xx${JSON.stringify(object, null, space)}yy`)
  const reader = new ObjectReader(options)
  expect(reader.readAt(bytes, 2)).toBe(bytes.length - 2)
  return reader.last
}

const metadata = fc.record(
  {
    name: fc.string({ minLength: 1 }),
    namespace: fc.string(),
    uid: fc.uuid(),
    resourceVersion: fc.bigInt({ min: 1n, max: 10n ** 25n }).map(String),
    labels: fc.dictionary(fc.string(), fc.string()),
    annotations: fc.dictionary(fc.string(), fc.string()),
    managedFields: fc.array(fc.record({ manager: fc.string(), fieldsV1: fc.jsonValue() })),
    ownerReferences: fc.array(
      fc.record({ uid: fc.uuid(), kind: fc.string(), name: fc.string(), apiVersion: fc.string() }),
    ),
  },
  { requiredKeys: ['name', 'uid', 'resourceVersion'] },
)
const objects = fc.record({
  apiVersion: fc.string(),
  kind: fc.constant('Thing'),
  metadata,
  spec: fc.jsonValue(),
  status: fc.jsonValue(),
})

// -0 does not survive JSON.stringify in any library; it is not what this is about.
const normal = (value: unknown): unknown => parseJson(JSON.stringify(value))

describe('reading an object from bytes', () => {
  test('gives the same object, identity and metadata as parsing it whole', () => {
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 2), (object, space) => {
        const cached = read(object, keep, space)
        expect(cached?.object).toEqual(normal(object))
        expect(cached?.uid).toBe(object.metadata.uid)
        expect(cached?.resourceVersion).toBe(object.metadata.resourceVersion)
        expect(read(object, keep, space)?.metadata).toEqual(normal(object.metadata))
        expect(read(object, keep, space)?.labels).toEqual(normal(object.metadata.labels ?? {}))
        expect(read(object, keep, space)?.ownerReferences).toEqual(
          normal(object.metadata.ownerReferences ?? []),
        )
      }),
    )
  })

  test('can leave out managedFields and nothing else', () => {
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 2), (object, space) => {
        const { managedFields: _, ...kept } = object.metadata
        expect(read(object, strip, space)?.object).toEqual(normal({ ...object, metadata: kept }))
      }),
    )
  })

  test('keys it by namespace and name', () => {
    const metadata = { name: 'web', uid: 'u', resourceVersion: '1' }
    expect(read({ metadata: { ...metadata, namespace: 'default' } })?.key).toBe('default/web')
    expect(read({ metadata })?.key).toBe('web')
    const cached = read({ metadata: { ...metadata, namespace: 'default' } })
    expect([cached?.namespace, cached?.name]).toEqual(['default', 'web'])
    expect([read({ metadata })?.namespace, read({ metadata })?.name]).toEqual(['', 'web'])
  })

  test('refuses what is no Kubernetes object', () => {
    for (const value of [
      {},
      { metadata: null },
      { metadata: 'x' },
      { metadata: {} },
      { metadata: { name: 1 } },
      { metadata: { name: 1, namespace: 'a' } },
      { metadata: { name: '', namespace: 'a' } },
    ]) {
      expect(read(value)).toBeUndefined()
    }
  })

  test('says what it is where the server did not', () => {
    const metadata = { name: 'web', uid: 'u', resourceVersion: '1' }
    expect(read({ metadata, data: {} })?.object).toEqual({ ...typeMeta, metadata, data: {} })
    expect(read({ metadata, kind: 'Thing' })?.object).toEqual({ metadata, kind: 'Thing' })
  })

  test('hands out frozen data', () => {
    const cached = read({ metadata: { name: 'web', uid: 'u', resourceVersion: '1' }, spec: { list: [{}] } })
    expect(() => {
      ;(cached as unknown as { object: { spec: { list: unknown[] } } }).object.spec.list.push(1)
    }).toThrow(TypeError)
  })

  test('keeps integers beyond 2^53, hostile keys and characters of every width', () => {
    const json = `{"metadata":{"name":"web","uid":"u","resourceVersion":"1"},"spec":{"__proto__":{"x":1},"n":9007199254740993,"s":"ü€𝄞"}}`
    const reader = new ObjectReader(keep)
    reader.readAt(Buffer.from(json), 0)
    const cached = reader.last
    const { spec } = (cached as unknown as { object: { spec: Record<string, unknown> } }).object
    expect(spec['n']).toBe(9007199254740993n)
    expect(spec['s']).toBe('ü€𝄞')
    expect(Object.getOwnPropertyNames(spec)).toContain('__proto__')
    expect(Object.getPrototypeOf(spec)).toBe(Object.prototype)
  })

  test('of a text that is cut short throws instead of reading on', () => {
    const bytes = Buffer.from('{"metadata":{"name":"we')
    expect(() => new MetadataScan().scan(bytes, 0)).toThrow(RangeError)
  })
})

describe('an object of another kind', () => {
  const read = (text: string): CachedObject | undefined => {
    const reader = new ObjectReader(keep)
    const bytes = Buffer.from(text)
    expect(reader.readAt(bytes, 0)).toBe(bytes.length)
    return reader.last
  }

  test('is not taken for one of ours', () => {
    expect(read('{"kind":"Stranger","metadata":{"name":"a"}}')).toBeUndefined()
    expect(read('{"metadata":{"name":"a"},"kind":5}')).toBeUndefined()
  })

  test('is, where only its metadata was asked for or it does not say what it is', () => {
    expect(read('{"kind":"PartialObjectMetadata","metadata":{"name":"a"}}')?.key).toBe('a')
    expect(read('{"metadata":{"name":"a"}}')?.key).toBe('a')
    expect(read(`{"kind":"${keep.typeMeta.kind}","metadata":{"name":"a"}}`)?.key).toBe('a')
  })
})

describe('an object at hand', () => {
  test('becomes a cached object with the same content', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'ü', namespace: 'd', uid: 'u', resourceVersion: '7', creationTimestamp: '' },
    }
    const cached = CachedObject.of(object)
    expect(cached.object).toEqual(object)
    expect(cached.key).toBe('d/ü')
  })
})

/** Reads a list to its end; `pauses` counts how often it let others have a turn. */
function readList(bytes: Buffer, visit: (start: number) => number) {
  const scan = scanList(bytes, visit)
  let pauses = 0
  let step = scan.next()
  for (; step.done !== true; step = scan.next()) pauses++
  return { head: step.value, pauses }
}

describe('a list answer', () => {
  test('is taken apart into its items, version and continue token', () => {
    fc.assert(
      fc.property(fc.array(objects, { maxLength: 5 }), fc.constantFrom(undefined, 1), (items, space) => {
        const list = {
          kind: 'FooList',
          metadata: { resourceVersion: '42', continue: 'abc' },
          items,
          apiVersion: 'v1',
        }
        const bytes = Buffer.from(JSON.stringify(list, null, space))
        const found: unknown[] = []
        const { head } = readList(bytes, (start) => {
          const end = new MetadataScan().scan(bytes, start)
          found.push(parseJson(bytes.toString('utf8', start, end)))
          return end
        })
        expect(head).toEqual({ resourceVersion: '42', continueToken: 'abc' })
        expect(found).toEqual(normal(items))
      }),
    )
  })

  const never = (): number => {
    throw new Error('there is no item')
  }

  test('with items null or none is empty', () => {
    const head = { resourceVersion: '1', continueToken: undefined }
    for (const items of ['null', '[]', ' [ ] ']) {
      const text = `{"metadata":{"resourceVersion":"1","continue":""},"items":${items}}`
      expect(readList(Buffer.from(text), never).head).toEqual(head)
    }
  })

  // Taken for an empty list, any of these would delete everything from the cache.
  test.each([
    '{}',
    '{"metadata":{"resourceVersion":"1"}}',
    '{"items":[]}',
    '{"metadata":{"resourceVersion":"1"},"items":{}}',
    '{"kind":"Table","metadata":{"resourceVersion":"1"},"rows":[{"object":{}}]}',
    '{"kind":"Status","metadata":{},"status":"Success"}',
    '[]',
    'null',
    '',
  ])('that is none is refused: %s', (text) => {
    expect(() => readList(Buffer.from(text), never)).toThrow(RangeError)
  })

  test('that was cut short anywhere is refused', () => {
    const whole = Buffer.from(
      '{"kind":"L","metadata":{"resourceVersion":"1"},"items":[{"a":[1]},{"b":"}"}],"x":1}',
    )
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length)
      expect(() => readList(cut, (start) => skipValue(cut, start))).toThrow(/JSON|list/)
    }
  })

  test('of many megabytes is read in slices', () => {
    const items = Array.from({ length: 5_000 }, (_, index) => ({ name: `n${index}`, pad: 'x'.repeat(1_000) }))
    const bytes = Buffer.from(JSON.stringify({ metadata: { resourceVersion: '1' }, items }))
    let visited = 0
    const { pauses } = readList(bytes, (start) => {
      visited++
      return skipValue(bytes, start)
    })
    expect(visited).toBe(5_000)
    expect(pauses).toBeGreaterThan(10)
  })
})

describe('a line of a watch', () => {
  test('gives its type and its object, in whatever order and spacing they come', () => {
    for (const line of [
      '{"type":"ADDED","object":{"a":1}}',
      '{"object":{"a":1},"type":"ADDED"}',
      ' { "type" : "ADDED" , "object" : {"a":1} , "extra": [1,{"object":2}] } ',
    ]) {
      const bytes = Buffer.from(line)
      let object: unknown
      const type = scanWatchLine(bytes, (start) => {
        const end = skipValue(bytes, start)
        object = JSON.parse(bytes.toString('utf8', start, end))
        return end
      })
      expect(type).toBe('ADDED')
      expect(object).toEqual({ a: 1 })
    }
  })

  test('that was cut short anywhere is refused', () => {
    const line = Buffer.from('{"type":"ADDED","object":{"metadata":{"name":"x"},"spec":{"a":"b"}}}')
    for (let length = 0; length < line.length; length++) {
      const cut = line.subarray(0, length)
      expect(() => scanWatchLine(cut, (start) => new ObjectReader(keep).readAt(cut, start))).toThrow(
        RangeError,
      )
    }
  })
})
