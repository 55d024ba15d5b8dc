import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepFreeze } from '../../base/index.js'
import type { ApiSchema } from '../api-schema.js'
import { schemaOf } from '../builtin/schema-of.js'
import { ApiFailure } from '../failure.js'
import { applyStrategicMergePatch } from './strategic-merge-patch.js'

const schema = schemaOf('apps', 'v1', 'Deployment')

const live = deepFreeze({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels: { x: '1' }, finalizers: ['a.b/c', 'd.e/f'] },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        containers: [
          {
            name: 'one',
            image: 'i1',
            args: ['x', 'y'],
            ports: [
              { containerPort: 80, protocol: 'TCP' },
              { name: 'p', containerPort: 81, protocol: 'TCP' },
            ],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            resources: {},
          },
          { name: 'two', image: 'i2', resources: {} },
        ],
        tolerations: [{ key: 'k', operator: 'Exists' }],
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    },
  },
})

/** What the patches of the table may change. A container is `name|image|env|ports|args|limits`. */
interface View {
  readonly labels?: unknown
  readonly finalizers?: unknown
  readonly strategy?: unknown
  readonly rollingUpdate?: unknown
  readonly containers?: readonly string[]
  readonly tolerations?: readonly string[]
  readonly volumes?: readonly string[]
}

type Live = typeof live

function viewOf({ metadata, spec }: Live): View {
  const { containers, tolerations, volumes } = spec.template.spec
  const { strategy } = spec
  return {
    ...(Object.keys(metadata.labels).length > 0 && { labels: metadata.labels }),
    ...(metadata.finalizers && { finalizers: metadata.finalizers }),
    strategy: strategy.type,
    ...(strategy.rollingUpdate && {
      rollingUpdate: Object.keys(strategy.rollingUpdate).toSorted().join(','),
    }),
    containers: containers.map(containerText),
    tolerations: tolerations.map(({ key }) => key),
    volumes: volumes.map((volume) => Object.keys(volume).toSorted().join(' ')),
  }
}

function containerText(container: Partial<Live['spec']['template']['spec']['containers'][number]>): string {
  const { name, image, env, ports, args, resources } = container
  const limits = resources !== undefined && 'limits' in resources ? Object.keys(Object(resources.limits)) : []
  return [
    name,
    image,
    env?.map((variable) => `${variable.name}=${variable.value}`).join(' '),
    ports
      ?.map((port) => `${port.name ?? ''}${port.containerPort}${port.protocol === 'UDP' ? 'u' : ''}`)
      .join(' '),
    args?.join(' '),
    limits.join(' '),
  ]
    .join('|')
    .replace(/[|]+$/, '')
}

// What kube-apiserver 1.36.3 made of each patch: the parts of the view that changed, null for those that went.
const applied: readonly (readonly [patch: string, change: string])[] = [
  ['null', '{}'],
  ['{"metadata":{"finalizers":["g.h/i","a.b/c"]}}', '{"finalizers":["g.h/i","a.b/c","d.e/f"]}'],
  [
    '{"metadata":{"finalizers":["g.h/i"],"$deleteFromPrimitiveList/finalizers":["a.b/c"]}}',
    '{"finalizers":["g.h/i","d.e/f"]}',
  ],
  ['{"metadata":{"$setElementOrder/finalizers":["d.e/f","a.b/c"]}}', '{"finalizers":["d.e/f","a.b/c"]}'],
  [
    '{"metadata":{"$setElementOrder/finalizers":["g.h/i","a.b/c"],"finalizers":["g.h/i"]}}',
    '{"finalizers":["g.h/i","a.b/c","d.e/f"]}',
  ],
  ['{"metadata":{"$deleteFromPrimitiveList/finalizers":null}}', '{"finalizers":null}'],
  ['{"metadata":{"labels":{"$patch":"replace","q":"1"}}}', '{"labels":{"q":"1"}}'],
  ['{"metadata":{"labels":{"$patch":"delete"}}}', '{"labels":null}'],
  ['{"metadata":{"labels":{"x":null,"y":null,"w":"3"}}}', '{"labels":{"w":"3"}}'],
  [
    '{"spec":{"template":{"spec":{"containers":[{"name":"three","image":"i3"}]}}}}',
    '{"containers":["three|i3","one|i1|A=1 B=2|80 p81|x y","two|i2"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"name":"two","image":"i2b"},{"name":"three","image":"i3"},{"name":"one","image":"i1b"}]}}}}',
    '{"containers":["two|i2b","three|i3","one|i1b|A=1 B=2|80 p81|x y"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"name":"one","$patch":"delete"}]}}}}',
    '{"containers":["two|i2"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"$patch":"replace"},{"name":"four","image":"i4"}]}}}}',
    '{"containers":["four|i4"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"name":"one","env":[{"name":"C","value":"3"},{"name":"A","value":"1b"}]}]}}}}',
    '{"containers":["one|i1|C=3 A=1b B=2|80 p81|x y","two|i2"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"name":"one","env":[{"name":"A","$patch":"delete"}],"ports":[{"containerPort":81,"protocol":"UDP"},{"containerPort":82}],"args":["z"]}]}}}}',
    '{"containers":["one|i1|B=2|80 p81u 82|z","two|i2"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"two"},{"name":"one"}]}}}}',
    '{"containers":["two|i2","one|i1|A=1 B=2|80 p81|x y"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"three"},{"name":"one"}],"containers":[{"name":"three","image":"i3"}]}}}}',
    '{"containers":["three|i3","one|i1|A=1 B=2|80 p81|x y","two|i2"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"two"}],"containers":[{"name":"one","$patch":"delete"}]}}}}',
    '{"containers":["two|i2"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[],"containers":[{"name":"q","image":"q"},{"name":"p","image":"p"}]}}}}',
    '{"containers":["one|i1|A=1 B=2|80 p81|x y","two|i2","p|p","q|q"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"tolerations":[{"key":"z","operator":"Exists"}]}}}}',
    '{"tolerations":["z"]}',
  ],
  [
    '{"spec":{"template":{"spec":{"volumes":[{"name":"v","$retainKeys":["name","hostPath"],"hostPath":{"path":"/x"}}]}}}}',
    '{"volumes":["hostPath name"]}',
  ],
  [
    '{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}',
    '{"strategy":"Recreate","rollingUpdate":null}',
  ],
  [
    '{"spec":{"strategy":{"$patch":"replace","type":"Recreate"}}}',
    '{"strategy":"Recreate","rollingUpdate":null}',
  ],
  ['{"spec":{"selector":{"matchLabels":{"a":"b"},"nope":{}}}}', '{}'],
  ['{"nope":{"a":1}}', '{}'],
  [
    '{"spec":{"replicas":null,"template":{"spec":{"containers":[{"name":"one","resources":{"limits":{"cpu":"1","memory":null}}}]}}}}',
    '{"containers":["one|i1|A=1 B=2|80 p81|x y|cpu","two|i2"]}',
  ],
]

// What it refused, and how. LIVE stands for the list that is there.
const refused: readonly (readonly [patch: string, code: number, message: string])[] = [
  ['[]', 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ['1', 400, 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
  [
    '{"metadata":{"$setElementOrder/finalizers":["a.b/c"],"finalizers":["g.h/i"]}}',
    500,
    "The order in patch list:\n[g.h/i]\n doesn't match $setElementOrder list:\n[a.b/c]\n",
  ],
  [
    '{"metadata":{"$setElementOrder/finalizers":null}}',
    500,
    'expected a []interface {}, but received a %!s(<nil>)',
  ],
  [
    '{"metadata":{"$setElementOrder/finalizers":{}}}',
    500,
    'expected a []interface {}, but received a map[string]interface {}',
  ],
  [
    '{"metadata":{"$setElementOrder/nope":[]}}',
    500,
    'unable to find api field in struct ObjectMeta for the json field "nope"',
  ],
  ['{"metadata":{"$setElementOrder":[]}}', 400, 'invalid patch format of setElementOrder list'],
  ['{"metadata":{"$deleteFromPrimitiveList":["a.b/c"]}}', 400, 'invalid patch format of primitive list'],
  ['{"metadata":{"finalizers":[null]}}', 500, 'list element types are not identical: [[LIVE] [<nil>]]'],
  ['{"metadata":{"finalizers":[1]}}', 500, 'list element types are not identical: [[LIVE] [1]]'],
  ['{"metadata":{"finalizers":[["x"]]}}', 500, 'list element types are not identical: [[LIVE] [[x]]]'],
  ['{"metadata":{"labels":{"$patch":"merge"}}}', 500, 'unknown patch type: merge in map: map[$patch:merge]'],
  [
    '{"metadata":{"labels":{"$patch":"bogus","z":"1"}}}',
    500,
    'unknown patch type: bogus in map: map[$patch:bogus z:1]',
  ],
  [
    '{"metadata":{"labels":{"$patch":null}}}',
    500,
    'unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"image":"i3"}]}}}}',
    500,
    'map: map[image:i3] does not contain declared merge key: name',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"$patch":"delete"}]}}}}',
    500,
    'map: map[$patch:delete] does not contain declared merge key: name',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"$patch":"merge"},{"name":"four","image":"i4"}]}}}}',
    500,
    'merging lists cannot yet be specified in the patch',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[{"$patch":"bogus","name":"x"}]}}}}',
    500,
    'unknown patch type: bogus in map: map[$patch:bogus name:x]',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":["x"]}}}}',
    500,
    'list element types are not identical: [[LIVE] [x]]',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[["x"]]}}}}',
    500,
    'list element types are not identical: [[LIVE] [[x]]]',
  ],
  [
    '{"spec":{"template":{"spec":{"containers":[null]}}}}',
    500,
    'list element types are not identical: [[LIVE] [<nil>]]',
  ],
  [
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"one"},{"name":"three"}],"containers":[{"name":"three","image":"i3"},{"name":"one","image":"zz"}]}}}}',
    500,
    "The order in patch list:\n[map[image:i3 name:three] map[image:zz name:one]]\n doesn't match $setElementOrder list:\n[map[name:one] map[name:three]]\n",
  ],
  [
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"x":"two"}],"containers":[{"name":"one","image":"q"}]}}}}',
    500,
    'map: map[x:two] does not contain declared merge key: name',
  ],
  [
    '{"spec":{"template":{"spec":{"volumes":[{"name":"v","$retainKeys":["name"],"hostPath":{"path":"/x"}}]}}}}',
    400,
    'invalid patch format of retainKeys',
  ],
  [
    '{"spec":{"template":{"spec":{"volumes":[{"name":"v","$retainKeys":"name","hostPath":{"path":"/x"}}]}}}}',
    400,
    'invalid patch format of retainKeys',
  ],
]

describe('a strategic merge patch', () => {
  test.each(applied)('%s', (patch, change) => {
    // The server's answer is in the table as JSON, and a Deployment stays one.
    const patched = applyStrategicMergePatch(live, JSON.parse(patch), schema) as Live
    const expected = Object.entries({ ...viewOf(live), ...(JSON.parse(change) as View) })
    expect(viewOf(patched)).toEqual(Object.fromEntries(expected.filter(([, part]) => part !== null)))
  })

  test.each(refused)('%s is refused', (patch, code, message) => {
    const failure = failureOf(() => applyStrategicMergePatch(live, JSON.parse(patch), schema))
    expect(failure.code).toBe(code)
    const [before = '', after] = message.split('LIVE')
    expect(failure.message?.startsWith(before)).toBe(true)
    expect(failure.message?.endsWith(after ?? before)).toBe(true)
  })

  test('a map that is no structure cannot be merged into further', () => {
    const maps: ApiSchema = {
      type: 'object',
      goType: 'Maps',
      properties: { map: { type: 'object', additionalProperties: { type: 'object' } } },
    }
    const failure = failureOf(() =>
      applyStrategicMergePatch({ map: { k: { a: 1 } } }, { map: { k: { b: 1 } } }, maps),
    )
    expect(failure).toMatchObject({
      code: 500,
      message: 'merging an object in json but data type is not struct, instead is: map',
    })
  })

  test('names of any sort are data', () => {
    const patch = JSON.parse('{"metadata":{"labels":{"__proto__":"p","constructor":"c","toString":null}}}')
    const patched = applyStrategicMergePatch(live, patch, schema) as Live
    expect(JSON.stringify(patched.metadata.labels)).toBe('{"x":"1","__proto__":"p","constructor":"c"}')
    expect(Object.getPrototypeOf(patched.metadata.labels)).toBe(Object.prototype)
  })

  test('is left as it was, like the object, and neither is part of the result', () => {
    fc.assert(
      fc.property(fc.constantFrom(...applied), ([text]) => {
        const patch: unknown = deepFreeze(JSON.parse(text))
        const patched = applyStrategicMergePatch(live, patch, schema)
        for (const container of containersOf(patched)) expect(Object.isFrozen(container)).toBe(false)
      }),
    )
  })

  test('a list of many thousand items is merged at once', () => {
    const env = Array.from({ length: 20_000 }, (_, index) => ({ name: `V${index}`, value: '1' }))
    const pod = (variables: unknown): unknown => ({
      spec: { template: { spec: { containers: [{ name: 'one', env: variables }] } } },
    })
    const patched = applyStrategicMergePatch(pod(env), pod(env.toReversed()), schema)
    expect(patched).toEqual(pod(env.toReversed()))
  })
})

function failureOf(run: () => unknown): ApiFailure['status'] {
  try {
    run()
  } catch (error) {
    if (error instanceof ApiFailure) return error.status
    throw error
  }
  throw new Error('It was not refused.')
}

function containersOf(data: unknown, found: Set<object> = new Set<object>()): Set<object> {
  if (typeof data === 'object' && data !== null) {
    found.add(data)
    for (const member of Object.values(data)) containersOf(member, found)
  }
  return found
}
