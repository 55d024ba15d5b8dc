import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../testing/index.js'
import type { AdmissionPlugin } from '../admission/admission.js'
import { forbidden } from '../failure.js'
import type { Resource } from '../resource.js'
import { createTestServer, fooResource, type TestServer, type TestServerOptions } from '../test-server.js'

const foos = '/apis/example.com/v1/namespaces/default/foos'
const type = { apiVersion: 'example.com/v1', kind: 'Foo' }
const merge = { contentType: 'application/merge-patch+json' }
const jsonPatch = { contentType: 'application/json-patch+json' }
const apply = { contentType: 'application/apply-patch+yaml' }

const foo = (name: string, more: object = {}, metadata: object = {}): object => ({
  ...type,
  metadata: { name, ...metadata },
  ...more,
})

function serve(resource: Resource = fooResource(), options: Partial<TestServerOptions> = {}): TestServer {
  return createTestServer({
    resources: () => [resource],
    clock: createFakeClock({ now: 1_600_000_000_000 }),
    ...options,
  })
}

describe('create', () => {
  test('fills in what only the server sets, whatever the request says', async () => {
    const server = serve()
    const { status, body } = await server.send(
      'POST',
      foos,
      foo(
        'a',
        { spec: { replicas: 1 }, status: { ready: true } },
        {
          uid: 'mine',
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
          generation: 9,
        },
      ),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      metadata: {
        name: 'a',
        namespace: 'default',
        resourceVersion: '2',
        generation: 1,
        creationTimestamp: '2020-09-13T12:26:40Z',
        managedFields: [{ manager: 'tester', operation: 'Update' }],
      },
      spec: { replicas: 1 },
    })
    expect(body.metadata.uid).not.toBe('mine')
    expect(body.metadata.deletionTimestamp).toBeUndefined()
    expect(body['status']).toBeUndefined()
  })

  test('a name that is taken is refused, and it is told when the other one is going', async () => {
    const server = serve()
    await server.send('POST', foos, foo('a', {}, { finalizers: ['example.com/x'] }))
    expect((await server.send('POST', foos, foo('a'))).body).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'foos.example.com "a" already exists',
      details: { name: 'a', group: 'example.com', kind: 'foos' },
    })
    await server.send('DELETE', `${foos}/a`)
    expect((await server.send('POST', foos, foo('a'))).body['message']).toBe(
      'object is being deleted: foos.example.com "a" already exists',
    )
  })

  test('a generated name that is taken is tried again', async () => {
    const sequence = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.5]
    const server = serve()
    const nature = { ...server.parts.nature, random: () => sequence.shift() ?? 0.9 }
    const { createSystemClient } = await import('../system-client.js')
    const client = createSystemClient({ ...server.parts, nature }, { name: 'x', groups: [] })
    const generated = { ...type, metadata: { generateName: 'a-', namespace: 'default' } }
    const first = await client.create('foos.example.com', generated)
    const second = await client.create('foos.example.com', generated)
    expect([first.metadata.name, second.metadata.name]).toEqual(['a-bbbbb', 'a-rrrrr'])
  })

  test('when no generated name is free, the client is told to try again', async () => {
    const server = serve()
    const nature = { ...server.parts.nature, random: () => 0 }
    const { createSystemClient } = await import('../system-client.js')
    const client = createSystemClient({ ...server.parts, nature }, { name: 'x', groups: [] })
    const generated = { ...type, metadata: { generateName: 'a-', namespace: 'default' } }
    await client.create('foos.example.com', generated)
    await expect(client.create('foos.example.com', generated)).rejects.toMatchObject({
      status: {
        code: 409,
        message:
          'foos.example.com "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
        details: { retryAfterSeconds: 1 },
      },
    })
  })

  test.each([
    [
      foo('a', {}, { resourceVersion: '5' }),
      500,
      'resourceVersion should not be set on objects to be created',
    ],
    [
      foo('a', {}, { namespace: 'other' }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      { ...type, metadata: {} },
      422,
      'Foo.example.com "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [{ ...type, kind: 'Bar' }, 422, 'Bar.example.com "" is invalid: kind: Invalid value: "Bar": must be Foo'],
    [
      { apiVersion: 'example.com/v2', kind: 'Foo' },
      400,
      'the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
    ],
    [
      {},
      400,
      "the object provided is unrecognized (must be of type Foo): Object 'Kind' is missing in '{}' ({})",
    ],
    [
      { ...type, metadata: { name: 1 } },
      400,
      'Foo in version "v1" cannot be handled as a Foo: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
  ])('refuses %j', async (body, status, message) => {
    const answer = await serve().send('POST', foos, body)
    expect([answer.status, answer.body['message']]).toEqual([status, message])
  })

  test('what the schema does not know is warned of, or refused, or let be', async () => {
    const server = serve()
    const body = `{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","zz":1},"spec":{"text":"a","text":"b","b":1,"a":2}}`
    const texts = [
      'duplicate field "spec.text"',
      'unknown field "metadata.zz"',
      'unknown field "spec.a"',
      'unknown field "spec.b"',
    ]
    const warned = await server.send('POST', `${foos}?dryRun=All`, body)
    expect(warned.warnings).toEqual(texts.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`))
    const refused = await server.send('POST', `${foos}?fieldValidation=Strict`, body)
    expect(refused.body['message']).toBe(
      `Foo in version "v1" cannot be handled as a Foo: strict decoding error: ${texts.join(', ')}`,
    )
    expect((await server.send('POST', `${foos}?fieldValidation=Ignore`, body)).warnings).toEqual([])
  })

  test('owners that are there twice are kept once, with a warning', async () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' }
    const { body, warnings } = await serve().send(
      'POST',
      foos,
      foo('a', {}, { ownerReferences: [owner, owner] }),
    )
    expect(body.metadata.ownerReferences).toEqual([owner])
    expect(warnings).toHaveLength(1)
  })

  test('a dry run answers as if it were done, and does nothing', async () => {
    const server = serve()
    const { status, body } = await server.send('POST', `${foos}?dryRun=All`, foo('a'))
    expect(status).toBe(201)
    expect(body.metadata.resourceVersion).toBeUndefined()
    expect(server.store.count('foos.example.com')).toBe(0)
  })

  test('an object that etcd would not take is refused', async () => {
    const text = 'x'.repeat(1_600_000)
    const { status, body } = await serve().send('POST', foos, foo('a', { spec: { text } }))
    expect([status, body['message']]).toEqual([500, 'etcdserver: request is too large'])
  })

  test('keys that are dangerous in JavaScript travel as data', async () => {
    const schema = { 'x-kubernetes-preserve-unknown-fields': true } as const
    const resource = fooResource()
    const server = serve({
      ...resource,
      versions: resource.versions.map((version) => ({ ...version, schema })),
    })
    const body =
      '{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","annotations":{"constructor":"x"}},"__proto__":{"y":1},"spec":{"__proto__":{"x":1}}}'
    await server.send('POST', foos, body)
    const { text } = await server.send('GET', `${foos}/a`)
    expect(text).toContain('"spec":{"__proto__":{"x":1}}')
    expect(text).toContain('"__proto__":{"y":1}')
    expect(Object.hasOwn(Object.prototype, 'y')).toBe(false)
  })
})

describe('update', () => {
  test('needs the version that it is based on, and fails with another one', async () => {
    const server = serve()
    const { body } = await server.send('POST', foos, foo('a'))
    const put = (metadata: object): ReturnType<TestServer['send']> =>
      server.send('PUT', `${foos}/a`, foo('a', { spec: { replicas: 2 } }, metadata))
    expect((await put({})).body).toMatchObject({
      code: 422,
      message:
        'foos.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      details: { kind: 'foos' },
    })
    const stale =
      'Operation cannot be fulfilled on foos.example.com "a": the object has been modified; please apply your changes to the latest version and try again'
    expect((await put({ resourceVersion: '1' })).body['message']).toBe(stale)
    const done = await put({ resourceVersion: body.metadata.resourceVersion })
    expect(done.body.metadata).toMatchObject({ generation: 2, uid: body.metadata.uid })
    expect((await put({ resourceVersion: body.metadata.resourceVersion })).body['message']).toBe(stale)
  })

  test('that changes nothing writes nothing', async () => {
    const server = serve(fooResource({ strategy: { allowsUnconditionalUpdate: true } }))
    const { body } = await server.send('POST', foos, foo('a', { spec: { replicas: 1 } }))
    const again = await server.send('PUT', `${foos}/a`, foo('a', { spec: { replicas: 1 } }))
    expect(again.body).toEqual(body)
    expect(server.store.revision).toBe(2)
  })

  test('of another object than the path names is refused', async () => {
    const server = serve()
    await server.send('POST', foos, foo('a'))
    const message = async (body: object): Promise<unknown> =>
      (await server.send('PUT', `${foos}/a`, body)).body['message']
    expect(await message(foo('b'))).toBe('the name of the object (b) does not match the name on the URL (a)')
    expect(await message({ ...type, metadata: {} })).toBe(
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    )
    expect(await message(foo('a', {}, { uid: 'x' }))).toMatch(
      /StorageError: invalid object, Code: 4, Key: \/registry\/example.com\/foos\/default\/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: /,
    )
  })

  test('creates what is missing where the kind allows it, if the user may create', async () => {
    const resource = fooResource({
      strategy: { allowsUnconditionalUpdate: true, allowsCreateOnUpdate: true },
    })
    const server = serve(resource, {
      authorizer: ({ info }) => ({ isAllowed: info.verb !== 'create' || info.name !== 'no', reason: '' }),
    })
    expect((await server.send('PUT', `${foos}/a`, foo('a'))).status).toBe(201)
    expect((await server.send('PUT', `${foos}/no`, foo('no'))).body['message']).toBe(
      'foos.example.com "no" is forbidden: User "admin" cannot create resource "foos" in API group "example.com" in the namespace "default"',
    )
  })

  test('without a missing object is a 404 elsewhere', async () => {
    const { body } = await serve().send('PUT', `${foos}/a`, foo('a'))
    expect(body['message']).toBe('foos.example.com "a" not found')
  })

  test('of a part leaves the rest alone', async () => {
    const server = serve()
    const { body } = await server.send('POST', foos, foo('a', { spec: { replicas: 1 } }))
    const { resourceVersion } = body.metadata
    const answer = await server.send(
      'PUT',
      `${foos}/a/status`,
      foo('a', { spec: { replicas: 9 }, status: { ready: true } }, { resourceVersion }),
    )
    expect(answer.body).toMatchObject({
      spec: { replicas: 1 },
      status: { ready: true },
      metadata: { generation: 1 },
    })
    expect(answer.body.metadata.managedFields?.map(({ subresource }) => subresource)).toEqual([
      undefined,
      'status',
    ])
  })

  test('is worked out again when somebody comes between', async () => {
    let meddle: (() => void) | undefined
    const meddling: AdmissionPlugin = {
      name: 'Meddling',
      handles: ({ operation }) => operation === 'UPDATE',
      mutate: () => {
        meddle?.()
        meddle = undefined
      },
    }
    const server = serve(fooResource(), { plugins: [meddling] })
    await server.send('POST', foos, foo('a'))
    meddle = () => {
      const stored = server.store.get('foos.example.com', 'default/a')
      if (stored === undefined) throw new Error('It was created above.')
      server.store.put('foos.example.com', 'default/a', { ...stored.object, extra: 1 }, stored.revision)
    }
    const { status, body } = await server.send('PATCH', `${foos}/a`, { spec: { replicas: 5 } }, merge)
    expect(status).toBe(200)
    expect(body).toMatchObject({ spec: { replicas: 5 }, extra: 1 })
  })
})

describe('patch', () => {
  test('of a custom resource understands three of the four sorts', async () => {
    const server = serve()
    await server.send('POST', foos, foo('a', { spec: { replicas: 1, text: 'x' } }))
    const spec = async (body: unknown, options: object): Promise<unknown> =>
      (await server.send('PATCH', `${foos}/a?fieldManager=m`, body, options)).body['spec']
    expect(await spec({ spec: { text: null } }, merge)).toEqual({ replicas: 1 })
    expect(await spec([{ op: 'replace', path: '/spec/replicas', value: 2 }], jsonPatch)).toEqual({
      replicas: 2,
    })
    expect(await spec({ ...type, metadata: { name: 'a' }, spec: { text: 'y' } }, apply)).toEqual({
      replicas: 2,
      text: 'y',
    })
    const strategic = await server.send(
      'PATCH',
      `${foos}/a`,
      {},
      { contentType: 'application/strategic-merge-patch+json' },
    )
    expect(strategic.body).toMatchObject({
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    })
  })

  test('an apply creates what is not there', async () => {
    const server = serve()
    const { status, body } = await server.send(
      'PATCH',
      `${foos}/a?fieldManager=m`,
      foo('a', { spec: { replicas: 1 } }),
      apply,
    )
    expect(status).toBe(201)
    expect(body.metadata.managedFields).toMatchObject([{ manager: 'm', operation: 'Apply' }])
  })

  test('the patch is looked at when it is known what it is for', async () => {
    const { body } = await serve().send('PATCH', `${foos}/nope`, '{', merge)
    expect(body['message']).toBe('foos.example.com "nope" not found')
  })

  test.each([
    ['{', merge, 'error decoding patch: unexpected end of JSON input'],
    [
      '[]',
      merge,
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    ['null', merge, 'Invalid JSON Patch'],
    [
      '{}',
      jsonPatch,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      '[]',
      apply,
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'a: b: c',
      apply,
      'error decoding YAML: error converting YAML to JSON: yaml: mapping values are not allowed in this context',
    ],
  ])('%s is refused', async (patch, options, message) => {
    const server = serve()
    await server.send('POST', foos, foo('a'))
    const { body } = await server.send('PATCH', `${foos}/a?fieldManager=m`, patch, options)
    expect(body['message']).toBe(message)
  })

  test('that names a version is a write based on that version', async () => {
    const server = serve()
    await server.send('POST', foos, foo('a'))
    const { status } = await server.send('PATCH', `${foos}/a`, { metadata: { resourceVersion: '1' } }, merge)
    expect(status).toBe(409)
  })

  test('strictly, what it adds must be known', async () => {
    const server = serve()
    await server.send('POST', foos, foo('a'))
    const { status, body } = await server.send(
      'PATCH',
      `${foos}/a?fieldValidation=Strict`,
      '{"spec":{"zz":1,"text":"a","text":"a"}}',
      merge,
    )
    expect(status).toBe(422)
    expect(body['message']).toMatch(
      /^ "" is invalid: patch: Invalid value: .*: strict decoding error: duplicate field "spec.text", unknown field "spec.zz"$/,
    )
  })
})

describe('delete', () => {
  test('answers with a Status that names what is gone', async () => {
    const server = serve()
    const { body } = await server.send('POST', foos, foo('a'))
    expect((await server.send('DELETE', `${foos}/a`)).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', group: 'example.com', kind: 'foos', uid: body.metadata.uid },
    })
    expect((await server.send('DELETE', `${foos}/a`)).status).toBe(404)
  })

  test('an object with finalizers waits for them, takes no new ones, and goes with the last', async () => {
    const server = serve()
    await server.send('POST', foos, foo('a', {}, { finalizers: ['example.com/x'] }))
    const waiting = await server.send('DELETE', `${foos}/a`)
    expect(waiting.body.metadata).toMatchObject({
      deletionTimestamp: '2020-09-13T12:26:40Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
    })
    const again = await server.send('DELETE', `${foos}/a`)
    expect(again.body).toEqual(waiting.body)
    const added = await server.send(
      'PATCH',
      `${foos}/a`,
      { metadata: { finalizers: ['example.com/x', 'example.com/y'] } },
      merge,
    )
    expect(added.body['message']).toBe(
      'Foo.example.com "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/y"}',
    )
    const kept = await server.send('PATCH', `${foos}/a`, { metadata: { deletionTimestamp: null } }, merge)
    expect(kept.body.metadata.deletionTimestamp).toBeDefined()
    const last = await server.send('PATCH', `${foos}/a`, { metadata: { finalizers: null } }, merge)
    expect(last.status).toBe(200)
    expect((await server.send('GET', `${foos}/a`)).status).toBe(404)
  })

  test.each([
    ['Foreground', ['example.com/x', 'foregroundDeletion']],
    ['Orphan', ['example.com/x', 'orphan']],
    ['Background', ['example.com/x']],
  ])('%s leaves %j', async (policy, finalizers) => {
    const server = serve()
    await server.send('POST', foos, foo('a', {}, { finalizers: ['example.com/x'] }))
    const { body } = await server.send('DELETE', `${foos}/a?propagationPolicy=${policy}`)
    expect(body.metadata.finalizers).toEqual(finalizers)
  })

  test('preconditions that do not hold are conflicts', async () => {
    const server = serve()
    const { body } = await server.send('POST', foos, foo('a'))
    const refused = async (preconditions: object): Promise<unknown> =>
      (await server.send('DELETE', `${foos}/a`, { preconditions })).body['message']
    expect(await refused({ uid: 'x' })).toBe(
      `Operation cannot be fulfilled on Foo.example.com "a": the UID in the precondition (x) does not match the UID in record (${body.metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    )
    expect(await refused({ resourceVersion: '1' })).toBe(
      'Operation cannot be fulfilled on Foo.example.com "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2). The object might have been modified',
    )
    const allowed = await server.send('DELETE', `${foos}/a`, { preconditions: { uid: body.metadata.uid } })
    expect(allowed.status).toBe(200)
  })

  test('a dry run deletes nothing', async () => {
    const server = serve()
    await server.send('POST', foos, foo('a'))
    expect((await server.send('DELETE', `${foos}/a?dryRun=All`)).body['status']).toBe('Success')
    expect((await server.send('GET', `${foos}/a`)).status).toBe(200)
  })

  describe('of a kind that dies gracefully', () => {
    const graceful = (): TestServer =>
      serve(
        fooResource({
          strategy: {
            gracePeriodSeconds: (_object, requested) => requested ?? 30,
            answersDeletedObject: true,
          },
        }),
      )

    test('the grace period only gets shorter', async () => {
      const server = graceful()
      await server.send('POST', foos, foo('a'))
      const grace = async (body?: object): Promise<unknown> => {
        const { metadata } = (await server.send('DELETE', `${foos}/a`, body)).body
        return [metadata.deletionGracePeriodSeconds, metadata.deletionTimestamp, metadata.generation]
      }
      expect(await grace()).toEqual([30, '2020-09-13T12:27:10Z', 2])
      expect(await grace()).toEqual([30, '2020-09-13T12:27:10Z', 2])
      expect(await grace({ gracePeriodSeconds: 50 })).toEqual([30, '2020-09-13T12:27:10Z', 2])
      expect(await grace({ gracePeriodSeconds: 5 })).toEqual([5, '2020-09-13T12:26:45Z', 2])
      expect(await grace({ gracePeriodSeconds: -1 })).toEqual([1, '2020-09-13T12:26:41Z', 2])
      expect(await grace({ gracePeriodSeconds: 0 })).toEqual([0, '2020-09-13T12:26:40Z', 2])
      expect((await server.send('GET', `${foos}/a`)).status).toBe(404)
    })

    test('watchers see the deletion begin before it is done, also without any grace', async () => {
      const server = graceful()
      await server.send('POST', foos, foo('a'))
      const seen: string[] = []
      server.store.subscribe({ after: server.store.revision }, ({ type: what, current }) => {
        seen.push(`${what} ${current.object.metadata.deletionGracePeriodSeconds ?? 'none'}`)
      })
      await server.send('DELETE', `${foos}/a`, { gracePeriodSeconds: 0 })
      expect(seen).toEqual(['modified 0', 'deleted 0'])
    })
  })

  test('of a collection deletes what is selected, and answers with the list', async () => {
    const server = serve()
    for (const name of ['a', 'b', 'c'])
      await server.send('POST', foos, foo(name, {}, { labels: { n: name, all: 'yes' } }))
    const one = await server.send('DELETE', `${foos}?labelSelector=n%3Db`)
    expect(one.body).toMatchObject({ kind: 'FooList', items: [{ metadata: { name: 'b' } }] })
    const limited = await server.send('DELETE', `${foos}?limit=1`)
    expect(limited.body['items']).toHaveLength(1)
    expect(server.store.count('foos.example.com')).toBe(1)
    await server.send('DELETE', foos)
    expect(server.store.count('foos.example.com')).toBe(0)
  })
})

describe('admission', () => {
  const refusing: AdmissionPlugin = {
    name: 'Refusing',
    handles: () => true,
    validate: ({ operation, object, oldObject }) => {
      const name = object?.metadata.name ?? oldObject?.metadata.name ?? ''
      if (name === `no-${operation.toLowerCase()}`)
        throw forbidden({ group: 'example.com', resource: 'foos' }, name, 'because')
    },
  }
  const labelling: AdmissionPlugin = {
    name: 'Labelling',
    handles: ({ operation }) => operation === 'CREATE' || operation === 'UPDATE',
    mutate: ({ object, operation }) => {
      if (object !== undefined) object.metadata.labels = { last: operation.toLowerCase() }
    },
  }

  test('changes what is created and updated, and refuses what it does not like, deletions too', async () => {
    const server = serve(fooResource(), { plugins: [labelling, refusing] })
    const created = await server.send('POST', foos, foo('a'))
    expect(created.body.metadata.labels).toEqual({ last: 'create' })
    const patched = await server.send('PATCH', `${foos}/a`, { spec: { replicas: 1 } }, merge)
    expect(patched.body.metadata.labels).toEqual({ last: 'update' })
    expect((await server.send('POST', foos, foo('no-create'))).status).toBe(403)
    await server.send('POST', foos, foo('no-delete'))
    expect((await server.send('DELETE', `${foos}/no-delete`)).body['message']).toBe(
      'foos.example.com "no-delete" is forbidden: because',
    )
    expect((await server.send('DELETE', foos)).status).toBe(403)
  })

  test('sees which of a collection is deleted by the object alone', async () => {
    const seen: string[] = []
    const noting: AdmissionPlugin = {
      name: 'Noting',
      handles: ({ operation }) => operation === 'DELETE',
      validate: ({ name, oldObject }) => void seen.push(`${name}|${oldObject?.metadata.name ?? ''}`),
    }
    const server = serve(fooResource(), { plugins: [noting] })
    for (const name of ['a', 'b']) await server.send('POST', foos, foo(name))
    await server.send('DELETE', `${foos}/a`)
    await server.send('DELETE', foos)
    expect(seen).toEqual(['a|a', '|b'])
  })

  test('managedFields that it breaks are put back, with a warning', async () => {
    const breaking: AdmissionPlugin = {
      name: 'Breaking',
      handles: () => true,
      mutate: ({ object }) => {
        if (object !== undefined) object.metadata.managedFields = [{ manager: 'x' }]
      },
    }
    const { body, warnings } = await serve(fooResource(), { plugins: [breaking] }).send(
      'POST',
      foos,
      foo('a', { spec: { replicas: 1 } }),
    )
    expect(body.metadata.managedFields).toMatchObject([{ manager: 'tester' }])
    expect(warnings[0]).toContain('.metadata.managedFields was in an invalid state after admission')
  })
})
