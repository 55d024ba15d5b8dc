import { describe, expect, test } from 'vitest'
import { deepCopy, systemClock } from '../../base/index.js'
import type { Transport } from '../../objects/index.js'
import { createWebhookCaller } from '../admission/webhook-caller.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import { type Converter, converterOf } from './conversion.js'
import type { CrdSpec } from './definition.js'

interface Review {
  apiVersion: string
  kind: string
  request: { uid: string; desiredAPIVersion: string; objects: ApiObject[] }
  response?: {
    uid: string
    result: { status: string; message?: string }
    convertedObjects?: (Record<string, unknown> | null)[]
  }
}

const uid = '00000000-0000-4000-8000-000000000001'

/** A converter whose webhook answers what it should, changed by `spoil`. */
function converter(
  spoil: (review: Required<Review>, asked: Review) => void = () => {},
  reviewVersions = ['v1'],
): Converter {
  const webhook: Transport = async ({ body }) => {
    const asked = JSON.parse(String(body)) as Review
    const { request } = asked
    const review = {
      ...asked,
      response: {
        uid: request.uid,
        result: { status: 'Success' },
        convertedObjects: deepCopy(request.objects).map((object) => ({
          ...object,
          apiVersion: request.desiredAPIVersion,
        })),
      },
    }
    spoil(review, asked)
    const bytes = Buffer.from(JSON.stringify(review))
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: (async function* () {
        yield bytes
      })(),
    }
  }
  const spec: CrdSpec = {
    group: 'conv.e.example.com',
    scope: 'Namespaced',
    names: { plural: 'convs', kind: 'Conv' },
    versions: [],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { namespace: 'default', name: 'hook', port: 443 } },
        conversionReviewVersions: reviewVersions,
      },
    },
  }
  const webhooks = createWebhookCaller({
    clock: systemClock,
    services: new Map([['default/hook:443', webhook]]),
  })
  const nature: Pick<Nature, 'uid'> = { uid: () => uid }
  return converterOf(spec, { webhooks, nature: nature as Nature })
}

const original: StoredApiObject = {
  apiVersion: 'conv.e.example.com/v1',
  kind: 'Conv',
  metadata: {
    name: 'a',
    namespace: 'default',
    uid: 'u',
    resourceVersion: '5',
    generation: 1,
    labels: { old: 'l' },
  },
  spec: { a: 'x' },
}

const v2 = 'conv.e.example.com/v2'

describe('a webhook', () => {
  test('is asked as the server asks, without the version that storage gives', async () => {
    let asked: Review | undefined
    await converter((_, review) => {
      asked = review
    })([original], v2)
    const { resourceVersion: _resourceVersion, ...metadata } = original.metadata
    expect(asked).toEqual({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: { uid, desiredAPIVersion: v2, objects: [{ ...original, metadata }] },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    })
  })

  test('gets all objects of a list at once', async () => {
    let count = 0
    const converted = await converter(({ request }) => {
      count = request.objects.length
    })([original, { ...original, metadata: { ...original.metadata, name: 'b' } }], v2)
    expect(count).toBe(2)
    expect(converted.map(({ apiVersion, metadata }) => [apiVersion, metadata.name])).toEqual([
      [v2, 'a'],
      [v2, 'b'],
    ])
  })

  test('may change labels and annotations, and no other metadata', async () => {
    const [converted] = await converter(({ response }) => {
      const [object] = response.convertedObjects ?? []
      if (object === null || object === undefined) return
      object['metadata'] = {
        ...(object['metadata'] as object),
        generation: 99,
        finalizers: ['a/b'],
        labels: { new: 'l' },
        annotations: { new: 'a' },
      }
    })([original], v2)
    expect(converted?.metadata).toEqual({
      ...original.metadata,
      labels: { new: 'l' },
      annotations: { new: 'a' },
    })
  })

  test('of the old review is not asked for its uid', async () => {
    const convert = converter(
      ({ response }) => {
        response.uid = ''
      },
      ['v1beta1'],
    )
    await expect(convert([original], v2)).resolves.toHaveLength(1)
  })
})

type Spoiled = Record<string, unknown> & { metadata?: Record<string, unknown> }

/** Changes what became of the object. */
const object =
  (change: (converted: Spoiled) => void) =>
  ({ response }: Required<Review>): void => {
    for (const each of response.convertedObjects ?? []) change(each as Spoiled)
  }

const metadata = (changes: object): ((review: Required<Review>) => void) =>
  object((converted) => {
    converted.metadata = { ...converted.metadata, ...changes }
  })

// The texts are those of a kube-apiserver v1.36.3 with a webhook that answered so.
const prefix = 'conversion webhook for conv.e.example.com/v1, Kind=Conv '
test.each<[string, (review: Required<Review>) => void, string]>([
  [
    'another uid',
    ({ response }) => {
      response.uid = 'x'
    },
    `${prefix}failed: expected response.uid="${uid}", got "x"`,
  ],
  [
    'a failure',
    ({ response }) => {
      response.result = { status: 'Failed', message: 'no way' }
    },
    `${prefix}failed: no way`,
  ],
  [
    'a failure without a message',
    ({ response }) => {
      response.result = { status: 'Failed' }
    },
    `${prefix}failed: response.result.status was 'Failed', not 'Success'`,
  ],
  [
    'fewer objects',
    ({ response }) => {
      response.convertedObjects = []
    },
    `${prefix}returned 0 objects, expected 1`,
  ],
  [
    'no object',
    ({ response }) => {
      response.convertedObjects = [null]
    },
    'unexpected end of JSON input',
  ],
  [
    'no response',
    (review) => {
      delete (review as Review).response
    },
    `${prefix}failed: no response provided`,
  ],
  [
    'another version of the review',
    (review) => {
      review.apiVersion = 'apiextensions.k8s.io/v1beta1'
    },
    `${prefix}failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
  ],
  [
    'another kind of answer',
    (review) => {
      review.kind = 'Other'
    },
    `${prefix}failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`,
  ],
  [
    'another version than was asked for',
    object((converted) => {
      converted['apiVersion'] = 'conv.e.example.com/v9'
    }),
    `${prefix}returned invalid object at index 0: invalid groupVersion (expected conv.e.example.com/v2, received conv.e.example.com/v9)`,
  ],
  [
    'another kind',
    object((converted) => {
      converted['kind'] = 'Other'
    }),
    `${prefix}returned invalid object at index 0: invalid kind (expected Conv, received Other)`,
  ],
  [
    'another name',
    metadata({ name: 'z' }),
    `${prefix}returned invalid object: must have the same name: a != z`,
  ],
  [
    'another namespace',
    metadata({ namespace: 'z' }),
    `${prefix}returned invalid object: must have the same namespace: default != z`,
  ],
  [
    'another identity',
    metadata({ uid: 'z' }),
    `${prefix}returned invalid object: must have the same UID: u != z`,
  ],
  [
    'no metadata',
    object((converted) => {
      delete converted.metadata
    }),
    `${prefix}returned invalid object: must have the same name: a != `,
  ],
  [
    'labels that are none',
    metadata({ labels: { a: '?', b: 'ok' } }),
    `${prefix}returned invalid metadata: metadata.labels: Invalid value: "?": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ],
  [
    'numbers for labels',
    metadata({ labels: { a: 5 } }),
    `${prefix}returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
  ],
  [
    'a list for labels',
    metadata({ labels: [1] }),
    `${prefix}returned invalid metadata: invalid metadata.labels of type []interface {} in converted object`,
  ],
  [
    'annotations that are none',
    metadata({ annotations: { '-': 'x' } }),
    `${prefix}returned invalid metadata: metadata.annotation: Invalid value: "-": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
])('a webhook that answers with %s fails in the words of the server', async (_, spoil, message) => {
  const failure = await converter(spoil)([original], v2).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  const { status } = failure as ApiFailure
  expect({ code: status.code, reason: status.reason, message: status.message }).toEqual({
    code: 500,
    reason: undefined,
    message,
  })
})
