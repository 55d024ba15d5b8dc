import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GoDecodeError } from '../request/go-decode-error.js'
import type { Router } from '../router.js'
import { createMessageCodec } from './message-codec.js'
import { createProtobufCodec, loadProtobuf } from './protobuf-codec.js'

const codec = createMessageCodec()
const expected = { group: '', version: 'v1', kind: 'ConfigMap' }
const prefix = '6b387300'

/** An object in its envelope, from its bytes. */
function sealed(apiVersion: string, kind: string, hex: string): Buffer {
  const field = (number: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content])
  const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))])
  return Buffer.concat([Buffer.from(prefix, 'hex'), field(1, type), field(2, Buffer.from(hex, 'hex'))])
}

function problem(bytes: Uint8Array): string {
  try {
    codec.decode(bytes, expected)
    return ''
  } catch (error) {
    return error instanceof GoDecodeError ? error.message : `not a GoDecodeError: ${String(error)}`
  }
}

// What the real server says.
test.each([
  ['', 'empty data'],
  ['6b38', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  ['7b7d', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  [prefix, 'empty body'],
  [`${prefix}ffffffffffffffffffffff`, 'proto: integer overflow'],
  [`${prefix}0aff`, 'unexpected EOF'],
  [`${prefix}00`, 'proto: Unknown: illegal tag 0 (wire type 0)'],
  [`${prefix}0c`, 'proto: Unknown: wiretype end group for non-group'],
  [`${prefix}0800`, 'proto: wrong wireType = 0 for field TypeMeta'],
  [`${prefix}4f`, 'proto: illegal wireType 7'],
])('the envelope %s is refused', (hex, message) => {
  expect(problem(Buffer.from(hex, 'hex'))).toBe(message)
})

test.each([
  ['0aff', 'unexpected EOF'],
  ['0801', 'proto: wrong wireType = 0 for field ObjectMeta'],
  ['1001', 'proto: wrong wireType = 0 for field Data'],
  ['0a020a05', 'unexpected EOF'],
  ['0a022801', 'proto: wrong wireType = 0 for field UID'],
  ['0affffffffffffffffff01', 'proto: negative length found during unmarshaling'],
])('the object %s is refused', (hex, message) => {
  expect(problem(sealed('v1', 'ConfigMap', hex))).toBe(message)
})

describe('reading', () => {
  test('an object that does not say what it is is what is expected', () => {
    expect(codec.decode(sealed('', '', ''), expected)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
  })

  test('of a kind without a protobuf form only the type is read', () => {
    expect(codec.decode(sealed('a.example.com/v1', 'Foo', 'ffff'), expected)).toEqual({
      apiVersion: 'a.example.com/v1',
      kind: 'Foo',
    })
  })

  test('an error says what the object said it is', () => {
    const decode = (): unknown => codec.decode(sealed('v1', 'Secret', '0aff'), expected)
    expect(decode).toThrow(expect.objectContaining({ meta: { group: '', version: 'v1', kind: 'Secret' } }))
  })

  test('fields that nobody knows are passed over', () => {
    // 100 as a varint, as eight bytes, as a text, as a group in a group, as four bytes; then the name.
    const unknown = 'a00601' + 'a1060102030405060708' + 'a2060141' + 'a306a306a00601a406a406' + 'a50601020304'
    expect(codec.decode(sealed('v1', 'ConfigMap', `${unknown}0a030a0161`), expected)).toMatchObject({
      metadata: { name: 'a' },
    })
  })

  test('what is there twice is merged, the last one first', () => {
    const hex = '0a060a016112016e' + '0a030a0162'
    expect(codec.decode(sealed('v1', 'ConfigMap', hex), expected)).toMatchObject({
      metadata: { name: 'b', generateName: 'n' },
    })
  })

  test('numbers may be packed', () => {
    // supplementalGroups of the securityContext of a pod: 1 and 300 packed, 5 not.
    const hex = '12' + '09' + '7207' + '2203' + '01ac02' + '2005'
    expect(codec.decode(sealed('v1', 'Pod', hex), expected)).toMatchObject({
      spec: { securityContext: { supplementalGroups: [1, 300, 5] } },
    })
  })

  test('a schema that is nested without end is refused', () => {
    const varint = (value: number): number[] =>
      value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
    // Field 27 of JSONSchemaProps is `not`, again a JSONSchemaProps.
    const layers = Array.from({ length: 200_000 })
    const total = Buffer.alloc(2_000_000)
    let start = total.length
    const put = (bytes: readonly number[]): void => {
      start -= bytes.length
      total.set(bytes, start)
    }
    for (const _ of layers) put([0xda, 0x01, ...varint(total.length - start)])
    const wrap = (...tags: number[]): void => {
      for (const tag of tags) put([tag, ...varint(total.length - start)])
    }
    // schema.openAPIV3Schema of a version of the spec, in the envelope without a type.
    wrap(0x0a, 0x22, 0x3a, 0x12, 0x12)
    put([...Buffer.from(prefix, 'hex')])
    const crd = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
    expect(() => codec.decode(total.subarray(start), crd)).toThrow('exceeded max depth')
  })
})

const sample = codec.encode({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', labels: { a: 'b' }, creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80 }] }] },
})

test('bytes from anywhere are read or refused, and nothing worse', () => {
  const damaged = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(damaged, fc.nat(sample.length), fc.uint8Array({ maxLength: 20 }), (changes, end, more) => {
      const bytes = Buffer.concat([sample.subarray(0, end), more])
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      expect(problem(bytes)).not.toMatch(/^not a GoDecodeError/)
    }),
    { numRuns: 2000 },
  )
})

describe('writing', () => {
  test('keys of maps are in the order of their bytes', () => {
    const data = { '～': '1', '😀': '2', b: '3', a: '4', ab: '5' }
    const text = codec.encode({ kind: 'ConfigMap', apiVersion: 'v1', data }).toString('latin1')
    const order = Object.entries(data)
      .map(([, value]) => ({ value, at: text.indexOf(`\x12\x01${value}`) }))
      .toSorted((left, right) => left.at - right.at)
    expect(order.map(({ value }) => value)).toEqual(['4', '5', '3', '1', '2'])
  })

  test('values that are not what their field says do no harm', () => {
    const odd = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: 'x',
      spec: { containers: 5, nodeName: 7, hostIPC: {} },
    }
    expect(codec.decode(codec.encode(odd), expected)).toMatchObject({
      kind: 'Pod',
      spec: { containers: null },
    })
  })

  test('an object larger than the buffer is whole', () => {
    const data = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`key-${index}`, 'ä'.repeat(300)]),
    )
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'big' }, data }
    expect(codec.decode(codec.encode(object), expected)).toEqual(object)
  })
})

describe('loading', () => {
  const answered: Awaited<ReturnType<Router>> = {
    status: 200,
    headers: {},
    body: (async function* () {})(),
  }
  const request = { method: 'GET', path: '/api', headers: {} } as const

  test.each([
    [{}, false],
    [{ accept: 'application/json' }, false],
    [{ accept: 'application/vnd.kubernetes.protobuf,application/json' }, true],
    [{ 'content-type': 'application/vnd.Kubernetes.protobuf' }, true],
  ])('headers %j load the codec: %s', async (headers, isLoaded) => {
    const lazy = createProtobufCodec()
    const router = loadProtobuf(async () => answered, lazy)
    await router({ ...request, headers }, undefined)
    expect(lazy.knows('v1', 'Pod')).toBe(isLoaded)
  })
})

test.each([
  ['v1', 'Pod', true],
  ['v1', 'PodList', true],
  ['v1', 'Status', true],
  ['apps/v1', 'DeleteOptions', true],
  ['meta.k8s.io/v1', 'PartialObjectMetadata', true],
  ['meta.k8s.io/v1beta1', 'PartialObjectMetadataList', true],
  ['meta.k8s.io/v1', 'Table', false],
  ['v1', 'PodSpec', false],
  ['apps/v1beta1', 'Deployment', false],
  ['example.com/v1', 'Pod', false],
])('%s %s has a protobuf form: %s', (apiVersion, kind, isKnown) => {
  expect(codec.knows(apiVersion, kind)).toBe(isKnown)
})
