// Rules evaluated here and by a real API server, side by side: verdict, field, reason and message must be the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CelProgram, CelRuleError, loadCel } from '../../src/schema/cel/index.js'
import type { StructuralSchema, ValidationRule } from '../../src/schema/structural-schema.js'
import type { Cluster } from '../../src/testing/index.js'
import { rawRequests, sharedCluster } from './shared-cluster.js'

interface Answer {
  readonly code: number
  readonly body: {
    readonly message?: string
    readonly metadata?: { readonly resourceVersion?: string; readonly uid?: string }
    readonly details?: {
      readonly causes?: readonly {
        readonly reason?: string
        readonly message?: string
        readonly field?: string
      }[]
    }
  }
}

let cluster: Cluster
let call: ReturnType<typeof rawRequests>

async function send(method: Parameters<typeof call>[0], path: string, body?: unknown): Promise<Answer> {
  const { status, body: answer } = await call(method, path, body)
  // A path that is not served yet is answered in plain text.
  return { code: status, body: typeof answer === 'string' ? { message: answer } : (answer as Answer['body']) }
}

const group = 'cel.schema.example.com'
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function crd(plural: string, schema: StructuralSchema): object {
  const kind = kindOf(plural)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  }
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${what} did not come true within 30 s`)
}

const installed: string[] = []

function withoutRules(schema: StructuralSchema): StructuralSchema {
  const { 'x-kubernetes-validations': _rules, ...rest } = schema
  const { properties, items, additionalProperties } = schema
  return {
    ...rest,
    ...(items === undefined ? {} : { items: withoutRules(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: withoutRules(additionalProperties) }
      : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, withoutRules(each)]),
          ),
        }),
  }
}

/** Old objects are stored before the rules come, so that they may break them. Returns them by their text. */
async function install(
  plural: string,
  schema: StructuralSchema,
  olds: readonly string[],
): Promise<Map<string, Stored>> {
  await remove(plural)
  installed.push(plural)
  const probed = {
    ...schema,
    properties: { ...schema.properties, probe: rule({ type: 'integer' }, 'false') },
  }
  const created = await send('POST', crds, crd(plural, withoutRules(probed)))
  if (created.code !== 201) throw new Error(`the server refuses the CRD ${plural}: ${created.body.message}`)
  await eventually(
    `the CRD ${plural} being served`,
    async () => (await send('GET', listPath(plural))).code === 200,
  )
  const objects = new Map<string, Stored>()
  for (const old of olds) objects.set(old, await store(plural, old))
  const path = `${crds}/${plural}.${group}`
  const current = await send('GET', path)
  const answer = await send('PUT', path, { ...crd(plural, probed), metadata: current.body.metadata })
  if (answer.code !== 200)
    throw new Error(`the server refuses the rules of ${plural}: ${answer.body.message}`)
  await eventually(
    `the rules of ${plural} being in force`,
    async () => (await post(plural, 'probe', '"probe": 1', true)).code === 422,
  )
  return objects
}

interface Stored {
  readonly name: string
  readonly resourceVersion: string
}

function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1, -1)
}

function post(plural: string, name: string, body: string, dryRun: boolean): Promise<Answer> {
  const head = `"apiVersion": "${group}/v1", "kind": "${kindOf(plural)}", "metadata": {"name": "${name}"}`
  return send('POST', `${listPath(plural)}${dryRun ? '?dryRun=All' : ''}`, `{${head}, ${body}}`)
}

async function store(plural: string, body: string): Promise<Stored> {
  const name = `a${++objectCount}`
  const answer = await post(plural, name, body, false)
  if (answer.code !== 201) throw new Error(`the old object is refused: ${answer.body.message}`)
  return { resourceVersion: answer.body.metadata?.resourceVersion ?? '', name }
}

let objectCount = 0

async function remove(plural: string): Promise<void> {
  const path = `${crds}/${plural}.${group}`
  await send('DELETE', path)
  await eventually(`the CRD ${plural} being gone`, async () => (await send('GET', path)).code === 404)
}

function listPath(plural: string): string {
  return `/apis/${group}/v1/namespaces/default/${plural}`
}

afterAll(async () => {
  for (const plural of installed) await remove(plural)
})

const s = (maxLength = 40): StructuralSchema => ({ type: 'string', maxLength })
const int: StructuralSchema = { type: 'integer' }
const num: StructuralSchema = { type: 'number' }
const bool: StructuralSchema = { type: 'boolean' }
const list = (items: StructuralSchema, extra: StructuralSchema = {}): StructuralSchema => ({
  type: 'array',
  maxItems: 8,
  items,
  ...extra,
})
const map = (additionalProperties: StructuralSchema): StructuralSchema => ({
  type: 'object',
  maxProperties: 6,
  additionalProperties,
})
const obj = (
  properties: Record<string, StructuralSchema>,
  extra: StructuralSchema = {},
): StructuralSchema => ({
  type: 'object',
  properties,
  ...extra,
})
const formatted = (format: string): StructuralSchema => ({ type: 'string', format, maxLength: 40 })
const intOrString: StructuralSchema = { 'x-kubernetes-int-or-string': true, maxLength: 20 }
const listMap = (keys: string[], properties: Record<string, StructuralSchema>): StructuralSchema =>
  list(obj(properties, { required: keys }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  })
const setOf = (items: StructuralSchema): StructuralSchema => list(items, { 'x-kubernetes-list-type': 'set' })

const rule = (schema: StructuralSchema, ...rules: (string | ValidationRule)[]): StructuralSchema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((each) => (typeof each === 'string' ? { rule: each } : each)),
})

interface Case {
  readonly schema: StructuralSchema
  readonly create?: readonly unknown[]
  readonly update?: readonly (readonly [old: unknown, current: unknown])[]
}

const says = (expression: string): ValidationRule => ({ rule: 'false', messageExpression: expression })

/** Every case is a property of its own; objects of a case set that property and no other. */
const cases: Readonly<Record<string, Case>> = {
  // Scalars and how a broken rule shows them.
  intRange: { schema: rule(int, 'self > 0 && self < 10'), create: [1, 0, 10, -5] },
  intMaximum: { schema: rule(int, 'self + 1 > self'), create: [9223372036854775807n, 5] },
  doubleCompare: { schema: rule(num, 'self > 1', 'self * 2.0 < 10.5'), create: [1.5, 1, 0.25, 5.25, 6] },
  boolNegated: { schema: rule(bool, '!self'), create: [true, false] },
  stringQuoted: {
    schema: rule(s(), "self == 'x'"),
    create: ['x', 'a"b\\c', 'tab\there', 'é漢😀', 'bell\u0007\u200b'],
  },
  message: { schema: rule(s(), { rule: "self == 'x'", message: '  must be x  ' }), create: ['y'] },
  reasons: {
    schema: rule(
      s(),
      { rule: 'size(self) < 1', reason: 'FieldValueForbidden', message: 'no' },
      { rule: 'size(self) < 1', reason: 'FieldValueRequired' },
      { rule: 'size(self) < 1', reason: 'FieldValueDuplicate', message: 'twice' },
      { rule: 'size(self) < 1', reason: 'FieldValueInvalid', message: 'bad' },
    ),
    create: ['a', ''],
  },
  reasonsOfObjects: {
    schema: rule(
      obj({ a: int }),
      { rule: 'self.a < 1', reason: 'FieldValueDuplicate' },
      { rule: 'self.a < 1', reason: 'FieldValueForbidden', fieldPath: '.a' },
      { rule: 'self.a < 1', reason: 'FieldValueRequired', message: 'gone', fieldPath: '.a' },
    ),
    create: [{ a: 1 }],
  },
  fieldPaths: {
    schema: rule(
      obj({ 'a-b': obj({ c: int }), labels: map(int) }),
      { rule: 'self.a__dash__b.c < 1', fieldPath: '.a-b.c' },
      { rule: 'self.a__dash__b.c < 1', fieldPath: "['a-b']['c']" },
      { rule: 'self.a__dash__b.c < 1', fieldPath: ".labels['x.y/z']" },
    ),
    create: [{ 'a-b': { c: 1 }, labels: { q: 1 } }],
  },
  fieldPathOfMap: {
    schema: rule(map(int), { rule: 'size(self) < 1', fieldPath: "['k']" }),
    create: [{ k: 1 }],
  },
  messageExpressions: {
    schema: rule(
      obj({ a: int, b: s() }),
      { rule: 'self.a < 1', messageExpression: "'a is %d'.format([self.a])" },
      { rule: 'self.a < 2', messageExpression: "'  ' + self.b + '  '", message: 'fallback' },
      { rule: 'self.a < 3', messageExpression: "'line\\nbreak'" },
      {
        rule: 'self.a < 4',
        messageExpression: "'%d'.format([1 / (self.a - self.a)])",
        message: 'failed instead',
      },
      { rule: 'self.a < 5', messageExpression: "''" },
    ),
    create: [{ a: 9, b: 'text' }, { a: 9, b: '' }, { a: 1 }],
  },
  emptyObject: { schema: rule(obj({ a: int }), 'has(self.a)'), create: [{}, { a: 1 }] },
  missingKey: {
    schema: rule(obj({ a: int, o: obj({ b: int }) }), 'self.o.b > 1'),
    create: [{}, { o: {} }, { o: { b: 2 } }],
  },
  absorbed: {
    schema: rule(
      obj({ a: int, b: int }),
      'self.a > 1 || self.b > 1',
      'self.a > 1 && self.b > 1',
      '(self.a > 1) == (self.b > 1)',
    ),
    create: [{ a: 2 }, { a: 1 }, { b: 2 }, { b: 1 }, {}],
  },
  ternary: {
    schema: rule(obj({ a: int, b: int }), 'has(self.a) ? self.a > 1 : self.b > 1'),
    create: [{ a: 1 }, { b: 1 }, { a: 2 }, {}],
  },
  // Arithmetic and its failures.
  division: { schema: rule(int, '10 / self > 1', '10 % self < 3'), create: [0, 3, 20, -3] },
  overflow: {
    schema: rule(
      int,
      'self * 2 > 0',
      'self + 9223372036854775807 > 0',
      'self - 9223372036854775807 < 0',
      '-self < 0',
    ),
    create: [9223372036854775807n, -9223372036854775808n, 1],
  },
  doubles: {
    schema: rule(num, '1.0 / self > 0.0', 'int(self) == 2', 'double(int(self)) <= self'),
    create: [0, 2.9, 1e300, -2.5],
  },
  uints: {
    schema: rule(int, 'uint(self) < 10u', 'uint(self) - 5u >= 0u', '7u / uint(self) == 7u'),
    create: [-1, 3, 7, 0],
  },
  conversions: {
    schema: rule(
      s(),
      'int(self) > 0',
      'double(self) > 0.5',
      'bool(self)',
      'uint(self) > 0u',
      "string(double(self)) == '1e+06'",
    ),
    create: ['1', 'x', '1.5', 'true', '-3', '0x10', '1000000', '1e6', '+7', ''],
  },
  mixedNumbers: {
    schema: rule(
      obj({ i: int, d: num }),
      'self.i < self.d',
      'dyn(self.i) == dyn(self.d)',
      'self.i in [1, 2, 3]',
    ),
    create: [
      { i: 1, d: 1.5 },
      { i: 2, d: 2 },
      { i: 4, d: 1 },
    ],
  },
  // Texts.
  textFunctions: {
    schema: rule(
      s(),
      "self.charAt(1) == 'b'",
      "self.substring(1, 3) == 'bc'",
      "self.indexOf('c') == 2",
      "self.lastIndexOf('c') == 2",
      "self.indexOf('', 1) == 1",
      "self.lowerAscii() == 'abc'",
      "self.upperAscii() == 'ABC'",
      "self.trim() == 'abc'",
      "self.replace('b', 'x') == 'axc'",
      "self.replace('', '-') == '-a-b-c-'",
      "self.replace('c', 'd', 1) == 'abd'",
      "self.split('') == ['a', 'b', 'c']",
      "self.split('b', 2) == ['a', 'c']",
      'size(self) == 3 && self.size() == 3',
      "self.startsWith('a') && self.endsWith('c') && self.contains('b')",
    ),
    create: ['abc', '', 'äbc', '😀bc', ' abc ', 'AbC', 'abcabc', 'c'],
  },
  textSlices: {
    schema: rule(
      s(),
      "self.substring(2) != ''",
      'self.substring(3, 1) != self',
      'self.indexOf("b", 9) < 0',
      'self.indexOf("b", -1) < 0',
      'self.lastIndexOf("b", 1) == 1',
    ),
    create: ['abc', 'a', 'bbb'],
  },
  texts: {
    schema: rule(s(), 'self < "m"', 'self >= "\\u00e9"', 'strings.quote(self) == "\\"a\\""'),
    create: ['a', 'z', 'é', '\uffff', '😀'],
  },
  quoting: {
    schema: rule(s(), says('strings.quote(self)'), says("'%s|%s'.format([self, [self]])")),
    create: ['a"b\\\t\u0001é', 'x'],
  },
  format: {
    schema: rule(
      obj({
        i: int,
        d: num,
        s: s(),
        b: bool,
        l: list(int),
        m: map(s()),
        t: formatted('date-time'),
        p: formatted('duration'),
      }),
      says("'%d %x %X %o %b'.format([self.i, self.i, self.i, self.i, self.i])"),
      says("'%f %.2f %.0f %e %.3e'.format([self.d, self.d, self.d, self.d, self.d])"),
      says("'%s %s %s %s'.format([self.d, self.i, self.b, self.s])"),
      says("'%s %s'.format([self.l, self.m])"),
      says("'%s %s %s'.format([self.t, self.p, [self.t]])"),
      says("'%x %b 100%%'.format([self.s, self.b])"),
      says("'%s'.format([{'k': [1.5, 2.0], 'a': [1.0]}])"),
      says("'%s %s'.format([type(self.i), null])"),
    ),
    create: [
      {
        i: 255,
        d: 1234567.891,
        s: 'hé',
        b: true,
        l: [1, 2],
        m: { b: 'x"', a: 'y' },
        t: '2024-02-03T04:05:06.789+02:00',
        p: '1h30m',
      },
      { i: -255, d: -0.000125, s: '', b: false, l: [], m: {}, t: '1999-12-31T23:59:59Z', p: '1.5s' },
      { i: 0, d: 1e21, s: 'x', b: true, l: [7], m: { a: 'b' }, t: '2024-02-03T04:05:06Z', p: '36h' },
    ],
  },
  regex: {
    schema: rule(
      s(),
      "self.matches('^[a-z]+$')",
      "self.find('[0-9]+') == '12'",
      "self.findAll('[0-9]') == ['1', '2']",
      "self.findAll('x*').size() == 3",
      "self.findAll('[a-z]', 1) == ['a']",
      "self.matches('(?i)ABC')",
      "self.matches('[[:alpha:]]{3}')",
    ),
    create: ['abc', 'a1b2', '12', '', 'axxb', 'ABC'],
  },
  regexOfData: {
    schema: rule(obj({ p: s(), t: s() }), 'self.t.matches(self.p)', "self.t.find(self.p) != ''"),
    create: [
      { p: 'a+', t: 'baa' },
      { p: '[', t: 'x' },
      { p: '(?=a)', t: 'x' },
      { p: '^$', t: '' },
      { p: 'a{1001}', t: 'x' },
    ],
  },
  bytes: {
    schema: rule(
      formatted('byte'),
      "self == b'hi'",
      'size(self) == 2',
      "string(self) == 'hi'",
      "self + b'!' > b'hi'",
    ),
    create: ['aGk=', 'aGkh', '/w=='],
  },
  // Lists and maps.
  listFunctions: {
    schema: rule(
      list(int),
      'self.sum() == 6',
      'self.min() == 1',
      'self.max() == 3',
      'self.isSorted()',
      'self.indexOf(2) == 1',
      'self.lastIndexOf(2) == 1',
      '2 in self',
    ),
    create: [[1, 2, 3], [3, 2, 1], [], [2, 2]],
  },
  listOfTexts: {
    schema: rule(
      list(s(8)),
      'self.isSorted()',
      "self.join(',') == 'a,b'",
      "self.max() == 'b'",
      'self.all(x, size(x) == 1)',
    ),
    create: [['a', 'b'], ['b', 'a'], [], ['ab']],
  },
  extendedLists: {
    schema: rule(
      list(int),
      'self.slice(0, 2) == [1, 2]',
      'self.reverse() == [3, 2, 1]',
      'self.distinct() == [1, 2, 3]',
      'self.sort() == [1, 2, 3]',
      'self.sortBy(x, -x) == [3, 2, 1]',
      'self.first() == optional.of(1)',
      'self.last().orValue(0) == 3',
      'lists.range(3) == [0, 1, 2]',
      '[self, [4]].flatten().size() == 4',
    ),
    create: [[1, 2, 3], [3, 1, 2, 1], [], [1]],
  },
  indexing: {
    schema: rule(list(int), 'self[0] == 1', 'self[2] == 3', 'self[-1] == 1', 'self[size(self) - 1] == 3'),
    create: [[1, 2, 3], [1], []],
  },
  quantifiers: {
    schema: rule(
      list(int),
      'self.all(x, x > 0)',
      'self.exists(x, x == 2)',
      'self.exists_one(x, x == 2)',
      'self.existsOne(i, x, i == 1 && x == 2)',
      'self.all(i, x, x > i)',
      'self.exists(i, x, x == i)',
      'self.map(x, x * 2) == [2, 4]',
      'self.map(x, x > 1, x) == [2]',
      'self.filter(x, x > 1) == [2]',
      'self.transformList(i, x, i + x) == [1, 3]',
      'self.transformList(i, x, x > 1, i) == [1]',
    ),
    create: [[1, 2], [2, 2], [], [0], [1, 2, 3]],
  },
  quantifierFailures: {
    schema: rule(
      list(int),
      'self.all(x, 10 / x > 0)',
      'self.exists(x, 10 / x > 4)',
      'self.exists_one(x, 10 / x > 4)',
      'self.map(x, 10 / x).size() > 0',
    ),
    create: [[0, 1], [1, 0], [0], [0, 2, 20]],
  },
  maps: {
    schema: rule(
      map(int),
      'self.a == 1',
      "'a' in self",
      "self['a'] == 1",
      'self.all(k, self[k] > 0)',
      'self.all(k, v, v > 0)',
      "self.exists(k, k.startsWith('a'))",
      'size(self) == 1',
      "self == {'a': 1}",
      'has(self.a)',
    ),
    create: [{ a: 1 }, { a: 0 }, { b: 1 }, {}, { a: 1, b: -1 }],
  },
  mapTransforms: {
    schema: rule(
      map(int),
      "self.transformMap(k, v, v + 1) == {'a': 2}",
      'self.transformMap(k, v, v > 1, v) == {}',
      "self.transformMapEntry(k, v, {string(v): k}) == {'1': 'a'}",
      "self.map(k, k) == ['a']",
    ),
    create: [{ a: 1 }, {}, { a: 1, b: 1 }],
  },
  hostileKeys: {
    schema: rule(
      map(int),
      "'__proto__' in self",
      'self["constructor"] == 1',
      'size(self) == 2',
      'self.all(k, v, v == 1)',
    ),
    create: ['{"__proto__": 1, "constructor": 1}', {}, { toString: 2 }],
  },
  mapLiterals: {
    schema: rule(
      int,
      "{1: 'a', 2: 'b'}[self] == 'a'",
      'self in {1: true}',
      "{'x': self}.x == 1",
      "{'a': self, 'b': 2}.b == 2",
      "{1u: 'a'}[dyn(self)] == 'a'",
    ),
    create: [1, 2, 3],
  },
  sets: {
    schema: rule(
      list(int),
      'sets.contains(self, [1])',
      'sets.equivalent(self, [1, 2])',
      'sets.intersects(self, [2, 5])',
    ),
    create: [[1, 2], [2, 1, 1], [], [3]],
  },
  nestedLists: {
    schema: rule(
      list(list(int)),
      'self[0][0] == 1',
      'self.all(x, x.all(y, y > 0))',
      'self.flatten() == [1, 2]',
      'self == [[1], [2]]',
    ),
    create: [[[1], [2]], [[1, 2]], [[]], [[0]]],
  },
  nullable: {
    schema: rule(
      obj({
        a: { ...s(), nullable: true },
        l: list({ ...int, nullable: true }),
        m: map({ ...int, nullable: true }),
      }),
      'has(self.a)',
      'self.l.exists(x, dyn(x) == null)',
      'dyn(self.m.k) == null',
      "'k' in self.m",
    ),
    create: [
      { a: null, l: [null], m: { k: null } },
      { a: 'x', l: [1], m: { k: 1 } },
    ],
  },
  // List types.
  setLists: {
    schema: rule(
      obj({ a: setOf(s(8)), b: setOf(s(8)), c: list(s(8)) }),
      'self.a == self.b',
      'self.a == self.c',
      'self.c == self.a',
      "self.a + self.b == ['x', 'y', 'z']",
      '(self.a + self.b).size() == 3',
      "self.a == ['y', 'x']",
    ),
    create: [
      { a: ['x', 'y'], b: ['y', 'x'], c: ['y', 'x'] },
      { a: ['x', 'y'], b: ['z'], c: ['x', 'y'] },
      { a: [], b: [], c: [] },
    ],
  },
  numberSets: {
    schema: rule(
      obj({ a: setOf(num), b: setOf(num), i: setOf(int), j: setOf(int) }),
      'self.a == self.b',
      'self.i == self.j',
      'self.i == [2, 1]',
    ),
    create: [
      { a: [1, 2], b: [2, 1], i: [1, 2], j: [2, 1] },
      { a: [1.5], b: [1.5], i: [], j: [] },
    ],
  },
  mapLists: {
    schema: rule(
      obj({ a: listMap(['k'], { k: s(8), v: int }), b: listMap(['k'], { k: s(8), v: int }) }),
      'dyn(self.a) == dyn(self.b)',
      '(dyn(self.a) + dyn(self.b)).size() == 2',
      '(dyn(self.a) + dyn(self.b)).all(x, x.v > 1)',
      '(dyn(self.b) + dyn(self.a))[0].v == 1',
    ),
    create: [
      {
        a: [
          { k: 'x', v: 1 },
          { k: 'y', v: 2 },
        ],
        b: [
          { k: 'y', v: 2 },
          { k: 'x', v: 1 },
        ],
      },
      {
        a: [{ k: 'x', v: 1 }],
        b: [
          { k: 'x', v: 5 },
          { k: 'z', v: 6 },
        ],
      },
    ],
  },
  twoKeys: {
    schema: rule(
      obj({
        a: listMap(['k', 'n'], { k: s(8), n: int, v: int }),
        b: listMap(['k', 'n'], { k: s(8), n: int, v: int }),
      }),
      'dyn(self.a) == dyn(self.b)',
      '(dyn(self.a) + dyn(self.b)).size() == 2',
    ),
    create: [
      {
        a: [
          { k: 'x', n: 1 },
          { k: 'x', n: 2 },
        ],
        b: [
          { k: 'x', n: 2 },
          { k: 'x', n: 1 },
        ],
      },
      { a: [{ k: 'x', n: 1, v: 1 }], b: [{ k: 'x', n: 1, v: 2 }] },
    ],
  },
  dashedKeys: {
    schema: rule(
      obj({
        a: listMap(['my-key'], { 'my-key': s(8), v: int }),
        b: listMap(['my-key'], { 'my-key': s(8), v: int }),
      }),
      'dyn(self.a) == dyn(self.b)',
      '(dyn(self.a) + dyn(self.b)).size() == 2',
    ),
    create: [{ a: [{ 'my-key': 'x' }, { 'my-key': 'y' }], b: [{ 'my-key': 'y' }, { 'my-key': 'x' }] }],
  },
  atomicLists: {
    schema: rule(
      obj({ a: list(s(8)), b: list(s(8)) }),
      'self.a == self.b',
      "self.a + self.b == ['x', 'y', 'y', 'x']",
      "['q'] + self.a == ['q', 'x', 'y']",
      "(self.a + ['q'])[2] == 'q'",
    ),
    create: [
      { a: ['x', 'y'], b: ['y', 'x'] },
      { a: [], b: [] },
    ],
  },
  datesAdded: {
    schema: rule(
      list(formatted('date-time')),
      "self + [timestamp('2024-01-01T00:00:00Z')] == self",
      "self.all(x, x > timestamp('2000-01-01T00:00:00Z'))",
    ),
    create: [['2024-01-01T00:00:00Z'], []],
  },
  // Objects.
  objectEquality: {
    schema: rule(
      obj({ a: obj({ x: int, l: setOf(s(4)) }), b: obj({ x: int, l: setOf(s(4)) }) }),
      'size(self.a.l) < 5',
      'dyn(self.a) == dyn(self.b)',
    ),
    create: [
      { a: { x: 1, l: ['p', 'q'] }, b: { x: 1, l: ['q', 'p'] } },
      { a: { x: 1, l: [] }, b: { x: 2, l: [] } },
      { a: {}, b: {} },
    ],
  },
  escapes: {
    schema: rule(
      obj({
        'a-b': int,
        'c.d': int,
        'e/f': int,
        g__h: int,
        namespace: int,
        in: int,
        _x: int,
        __: int,
        'in-x': int,
      }),
      'self.a__dash__b == 1',
      'self.c__dot__d == 1',
      'self.e__slash__f == 1',
      'self.g__underscores__h == 1',
      'self.__namespace__ == 1',
      'self.__in__ == 1',
      'self._x == 1',
      'self.__underscores__ == 1',
      'self.in__dash__x == 1',
      'has(self.a__dash__b)',
    ),
    create: [{ 'a-b': 1, 'c.d': 1, 'e/f': 1, g__h: 1, namespace: 1, in: 1, _x: 1, __: 1, 'in-x': 1 }, {}],
  },
  unnamableProperty: {
    schema: obj({ 'a b': rule(int, 'self > 1'), '1x': rule(s(), "self != ''") }),
    create: [{ 'a b': 1, '1x': '' }, { 'a b': 2 }],
  },
  preserved: {
    schema: rule(
      obj({
        u: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        v: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { k: int } },
      }),
      'has(self.u)',
      'self.v.k > 1',
      'dyn(self.u) == dyn(self.v)',
    ),
    create: [{ u: { a: 1 }, v: { k: 1, z: [1] } }, { u: { a: { b: 1 } }, v: { a: { b: 1 } } }, {}],
  },
  embedded: {
    schema: rule(
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: obj({ n: int }) } },
      "self.apiVersion == 'v1'",
      "self.kind == 'Pod'",
      "self.metadata.name == 'a'",
      'self.spec.n > 1',
      'has(self.metadata.generateName)',
    ),
    create: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { n: 2 } },
      { apiVersion: 'v1', kind: 'Job', metadata: { name: 'b', labels: { x: 'y' } }, spec: { n: 1 } },
    ],
  },
  nestedRules: {
    schema: rule(
      obj({ l: list(rule(obj({ v: rule(int, 'self > 1') }), 'self.v > 2')), m: map(rule(int, 'self > 3')) }),
      'size(self.l) > 5',
    ),
    create: [{ l: [{ v: 1 }, { v: 3 }], m: { 'a.b': 1, c: 4 } }],
  },
  intOrStrings: {
    schema: rule(
      intOrString,
      'type(self) == int ? self > 1 : self.endsWith("%")',
      'self == "5%" || self == 5',
      'self > 1',
      'self + 1 > 2',
    ),
    create: [1, 5, '5%', 'x', '5'],
  },
  dynFields: {
    schema: rule(
      obj({ p: intOrString, n: int }),
      'dyn(self.n) + 1 > 1',
      "dyn(self.n) + 'x' == 'x'",
      'self.p == self.n',
      'self.p < self.n',
      'int(self.p) == 5',
      'size(string(self.p)) == 1',
      'dyn(self.n).foo == 1',
    ),
    create: [
      { p: 5, n: 5 },
      { p: '5', n: 5 },
    ],
  },
  // Times.
  timestamps: {
    schema: rule(
      formatted('date-time'),
      "self > timestamp('2024-01-01T00:00:00Z')",
      'self.getFullYear() == 2024',
      'self.getMonth() == 1',
      'self.getDate() == 3',
      'self.getDayOfMonth() == 2',
      'self.getDayOfWeek() == 6',
      'self.getDayOfYear() == 33',
      'self.getHours() == 4',
      "self.getHours('+02:00') == 6",
      "self.getHours('-00:30') == 3",
      'self.getMinutes() == 5 && self.getSeconds() == 6',
      'self.getMilliseconds() == 789',
      "self + duration('1h') > self",
      "string(self) == '2024-02-03T04:05:06.789Z'",
      'int(self) == 1706933106',
      "self - timestamp('2024-02-03T04:05:06Z') < duration('1s')",
    ),
    create: [
      '2024-02-03T04:05:06.789Z',
      '1969-12-31T23:59:59.5Z',
      '2024-02-03T04:05:06.789+05:30',
      '9999-12-31T23:59:59Z',
    ],
  },
  dates: {
    schema: rule(
      formatted('date'),
      "self == timestamp('2024-02-03T00:00:00Z')",
      'self.getDayOfYear() == 33',
      'string(self) != ""',
    ),
    create: ['2024-02-03', '2024-02-29'],
  },
  durations: {
    schema: rule(
      formatted('duration'),
      "self > duration('1m')",
      'self.getHours() == 1',
      'self.getMinutes() == 90',
      'self.getSeconds() == 5400',
      'self.getMilliseconds() == 5400000',
      "string(self) == '5400s'",
      "self + duration('1s') > self",
      'self - self == duration("0s")',
      '-1 * int(self) < 0',
    ),
    create: ['1h30m', '1.5s', '0', '-3m', '2 days', '1w 2d'],
  },
  badFormats: {
    schema: rule(
      obj({
        t: formatted('date-time'),
        d: formatted('duration'),
        e: formatted('date'),
        b: formatted('byte'),
      }),
      "!has(self.t) || self.t > timestamp('2000-01-01T00:00:00Z')",
      "self.?d.orValue(duration('1s')) > duration('0s')",
    ),
    create: [{ t: '2024-01-01T00:00:00Z', d: '1s' }],
  },
  timeZones: {
    schema: rule(formatted('date-time'), "self.getHours('Nowhere/Land') == 1", "self.getHours('2:x') == 1"),
    create: ['2024-02-03T04:05:06Z'],
  },
  // Optionals.
  optionals: {
    schema: rule(
      obj({ a: int, o: obj({ b: int, 'c-d': s() }), l: list(int), m: map(int) }),
      'self.?a.orValue(7) == 7',
      'self.?o.?b.orValue(7) == 7',
      'self.?o.b.orValue(7) == 7',
      "self.?o.c__dash__d.orValue('z') == 'z'",
      'self.?l[?1].orValue(7) == 7',
      "self.?m[?'k'].orValue(7) == 7",
      'self.?m.k.hasValue()',
      'self.?a.hasValue()',
      'self.?a.value() == 1',
      'self.?a.or(self.?o.b).orValue(9) == 9',
      'self.?a.optMap(x, x + 1).orValue(0) == 2',
      'self.?a.optFlatMap(x, self.?o.b).hasValue()',
      'has(self.?o.b)',
      '[?self.?a, 3] == [3]',
      "{?'k': self.?a}.size() == 0",
      'optional.ofNonZeroValue(self.?a.orValue(0)).hasValue()',
      'optional.unwrap([self.?a, optional.of(5)]).size() == 2',
      '[self.?a].unwrapOpt() == [1]',
      'self.?a == optional.none()',
      'optional.of(1) == optional.of(1)',
    ),
    create: [{}, { a: 1, o: { b: 2, 'c-d': 'x' }, l: [1, 2], m: { k: 3 } }, { a: 0, o: {}, l: [], m: {} }],
  },
  optionalLibraryTypes: {
    schema: rule(
      obj({ q: s() }),
      "self.?q.optMap(x, quantity('1500m')).orValue(quantity('1')).isLessThan(quantity('10'))",
      "self.?q.optMap(x, ip('10.0.0.1')).orValue(ip('1.1.1.1')).family() == 4",
    ),
    create: [{}, { q: '5' }, { q: '10.0.0.1' }],
  },
  optionalSchemaLoss: {
    schema: rule(
      obj({ t: formatted('date-time'), l: setOf(s(4)) }),
      "optional.of(self).t.orValue(timestamp('2024-01-01T00:00:00Z')) > timestamp('2000-01-01T00:00:00Z')",
      "self.?t.orValue(timestamp('2024-01-01T00:00:00Z')) > timestamp('2000-01-01T00:00:00Z')",
      "self.?l.orValue(['y', 'x']) == ['y', 'x']",
      "optional.of(self.l).value() == ['y', 'x']",
    ),
    create: [{ t: '2024-01-01T00:00:00Z', l: ['x', 'y'] }, { t: '2024-01-01T00:00:00Z' }],
  },
  // Libraries.
  quantities: {
    schema: rule(
      s(),
      'isQuantity(self)',
      "quantity(self).isGreaterThan(quantity('1Ki'))",
      "quantity(self).compareTo(quantity('1Mi')) == -1",
      'quantity(self).isInteger()',
      'quantity(self).asInteger() > 5',
      'quantity(self).asApproximateFloat() > 0.5',
      'sign(quantity(self)) == 1',
      "quantity(self).add(quantity('1')) == quantity(self).add(1)",
      "quantity(self).add(quantity('1')).compareTo(quantity(self).add(1)) == 0",
      "quantity(self).sub(1024) == quantity('0')",
      'quantity(self).sub(1).isLessThan(quantity(self))',
      "quantity(self) == quantity('1024')",
    ),
    create: [
      '1Ki',
      '1024',
      '1.5Gi',
      '-5',
      '100m',
      '0',
      '1e3',
      '9999999999999999999999',
      '200K',
      'Three',
      '',
      '1.1n',
      '.5',
      '5.',
      '+3',
      '0x',
      '1e-10',
      '9Ei',
      '10Ei',
      '1E',
      '1e',
      'Mi',
      '-',
      '.',
    ],
  },
  addresses: {
    schema: rule(
      s(),
      'isIP(self)',
      'ip(self).family() == 4',
      'ip.isCanonical(self)',
      'ip(self).isLoopback()',
      'ip(self).isGlobalUnicast()',
      'ip(self).isLinkLocalUnicast()',
      'ip(self).isLinkLocalMulticast()',
      'ip(self).isUnspecified()',
      'string(ip(self)) == self',
    ),
    create: [
      '127.0.0.1',
      '::1',
      '10.0.0.1',
      '2001:DB8::1',
      '2001:db8:0:0:1:0:0:1',
      'fe80::1',
      '169.254.1.1',
      'ff02::1',
      '224.0.0.5',
      '0.0.0.0',
      '::',
      '255.255.255.255',
      '::ffff:1.2.3.4',
      'fe80::1%eth0',
      '1.2.3',
      '1.2.3.4.5',
      '01.2.3.4',
      '256.1.1.1',
      'x',
      '',
      ':::1',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '12345::',
      '::1.2.3.4',
      '1.2.3.',
      '%eth0',
    ],
  },
  networks: {
    schema: rule(
      s(),
      'isCIDR(self)',
      "cidr(self).containsIP('10.0.0.1')",
      "cidr(self).containsIP(ip('10.1.0.1'))",
      "cidr(self).containsCIDR('10.0.0.0/24')",
      "cidr(self).containsCIDR(cidr('10.0.0.0/8'))",
      'cidr(self).prefixLength() == 8',
      'cidr(self) == cidr(self).masked()',
      "cidr(self).ip() == ip('10.0.0.0')",
      'string(cidr(self)) == self',
      "cidr(self).containsIP('nope')",
      "cidr(self).containsCIDR('nope')",
    ),
    create: [
      '10.0.0.0/8',
      '10.0.0.1/16',
      '::/0',
      'fd00::/8',
      '10.0.0.0/33',
      '10.0.0.0',
      '10.0.0.0/08',
      '10.0.0.0/',
      '::ffff:1.2.3.4/96',
      'x/8',
      '0.0.0.0/0',
      'fe80::1%a/64',
    ],
  },
  urls: {
    schema: rule(
      s(80),
      'isURL(self)',
      "url(self).getScheme() == 'https'",
      "url(self).getHost() == 'example.com:80'",
      "url(self).getHostname() == 'example.com'",
      "url(self).getPort() == '80'",
      "url(self).getEscapedPath() == '/a%20b'",
      "url(self).getQuery() == {'k': ['v', 'w']}",
      "url(self) == url('https://example.com:80/a%20b?k=v&k=w')",
    ),
    create: [
      'https://example.com:80/a%20b?k=v&k=w',
      'https://[::1]:80/path',
      '/absolute/path',
      'relative',
      '',
      'https://a b',
      'https://example.com:x/',
      'HTTPS://example.com/%zz',
      'https://user:pw@example.com/?a=b;c=d#frag',
      'mailto:a@b',
      'https://example.com/a b',
      '//host/path',
      'https://[::1',
      'https://%41.com/',
      '*',
      'https://example.com?',
      ':x',
    ],
  },
  semvers: {
    schema: rule(
      s(),
      'isSemver(self)',
      'isSemver(self, true)',
      "semver(self).isLessThan(semver('2.0.0'))",
      "semver(self).isGreaterThan(semver('1.0.0-alpha'))",
      "semver(self).compareTo(semver('1.2.3')) == 0",
      'semver(self).major() == 1 && semver(self).minor() == 2 && semver(self).patch() == 3',
      "semver(self, true) == semver('1.2.0')",
    ),
    create: [
      '1.2.3',
      '1.2.3-rc.1+b.2',
      'v1.2',
      '1.2',
      '01.2.3',
      '1.2.3-',
      '1.2.3+',
      '1.2.3-01',
      '1.0.0-beta',
      'x.y.z',
      '',
      '1.2.99999999999999999999',
      '1.0.0-alpha.2',
      'v01.02.03',
      '1-rc',
    ],
  },
  namedFormats: {
    schema: rule(
      s(300),
      '!format.dns1123Label().validate(self).hasValue()',
      '!format.dns1123Subdomain().validate(self).hasValue()',
      '!format.dns1035Label().validate(self).hasValue()',
      '!format.qualifiedName().validate(self).hasValue()',
      '!format.dns1123LabelPrefix().validate(self).hasValue()',
      '!format.dns1123SubdomainPrefix().validate(self).hasValue()',
      '!format.dns1035LabelPrefix().validate(self).hasValue()',
      '!format.labelValue().validate(self).hasValue()',
      '!format.uri().validate(self).hasValue()',
      '!format.uuid().validate(self).hasValue()',
      '!format.byte().validate(self).hasValue()',
      '!format.date().validate(self).hasValue()',
      '!format.datetime().validate(self).hasValue()',
      "!format.named('dns1123Label').value().validate(self).hasValue()",
    ),
    create: [
      'abc',
      'a.b',
      'A_b',
      '1a',
      'x/y',
      'a-',
      '',
      'https://x',
      '123e4567-e89b-12d3-a456-426614174000',
      'aGk=',
      '2024-01-02',
      '2024-01-02T03:04:05Z',
      'a'.repeat(64),
      'b'.repeat(254),
      'a/b/c',
      '/x',
      'x/',
      'a b',
      '-',
      '2024-01-02t03:04:05.5z',
    ],
  },
  formatMessages: {
    schema: rule(
      s(300),
      ...[
        'dns1123Label',
        'dns1123Subdomain',
        'dns1035Label',
        'qualifiedName',
        'labelValue',
        'uri',
        'uuid',
      ].map(
        (name): ValidationRule => ({
          rule: 'false',
          messageExpression: `'%s'.format([format.${name}().validate(self).orValue(['fine'])])`,
        }),
      ),
      says("format.named('nope').hasValue() ? 'yes' : 'no'"),
    ),
    create: ['A.b', 'a.b', 'x'.repeat(64), 'A/b/c', `${'y'.repeat(254)}/z`, '/', 'ok', 'not a url', '%zz'],
  },
  types: {
    schema: rule(
      obj({ i: int, s: s(), l: list(int), m: map(int), t: formatted('date-time') }),
      'type(self.i) == int',
      'type(self.l) == list',
      'type(self.m) == map',
      'type(self.t) == google.protobuf.Timestamp',
      'type(type(1)) == type',
      'type(null) == null_type',
      'type(self) == map',
    ),
    create: [{ i: 1, s: 'a', l: [1], m: { a: 1 }, t: '2024-01-01T00:00:00Z' }],
  },
  literals: {
    schema: rule(
      int,
      '0x1F == 31 && 1e3 == 1000.0 && .5 == 0.5 && 5u == 5u',
      "'\\x41\\u0042\\103' == 'ABC' && b'\\xff' != b'\\377\\000' && r'\\n' == '\\\\n'",
      '\'\'\'a"b\'\'\' == \'a"b\' && """it\'s""" == "it\'s"',
      'self == 1 // a comment',
      '-self == -1 && --self == 1 && !!true',
    ),
    create: [1, 2],
  },
  constantFailures: {
    schema: rule(
      int,
      '[1, 2][self] == 1',
      "{'a': 1}['b'] == self",
      '[1, 2, 3].map(x, x / self).size() == 3',
      "'abc'.charAt(self) == 'a'",
    ),
    create: [0, 5, -1],
  },
  // What changes on update.
  transitions: {
    schema: rule(obj({ a: int, b: int }), 'self.a >= oldSelf.a', {
      rule: 'has(oldSelf.b) == has(self.b)',
      message: 'b is fixed',
    }),
    create: [{ a: 1 }],
    update: [
      [{ a: 2 }, { a: 1 }],
      [{ a: 1 }, { a: 1, b: 1 }],
      [{ a: 1 }, { a: 2 }],
      [{}, { a: 1 }],
    ],
  },
  scalarTransition: {
    schema: rule(s(), 'self == oldSelf'),
    create: ['a'],
    update: [
      ['a', 'a'],
      ['a', 'b'],
    ],
  },
  optionalOldSelf: {
    schema: rule(
      obj({ a: int, 'b-c': int, t: formatted('date-time') }),
      { rule: 'oldSelf.hasValue() || self.a == 1', optionalOldSelf: true },
      { rule: 'oldSelf.?a.orValue(self.a) <= self.a', optionalOldSelf: true },
      { rule: '!oldSelf.hasValue() || oldSelf.value().a <= self.a', optionalOldSelf: true },
      { rule: 'oldSelf.optMap(o, o.a).orValue(0) < 5', optionalOldSelf: true },
      { rule: 'oldSelf.b__dash__c.orValue(7) == 7', optionalOldSelf: true },
      { rule: '!oldSelf.hasValue() || oldSelf.value() == self', optionalOldSelf: true },
      { rule: 'oldSelf.t.orValue(self.t) == self.t', optionalOldSelf: true },
    ),
    create: [
      { a: 1, t: '2024-01-01T00:00:00Z' },
      { a: 2, t: '2024-01-01T00:00:00Z' },
    ],
    update: [
      [
        { a: 1, t: '2024-01-01T00:00:00Z' },
        { a: 1, t: '2024-01-01T00:00:00Z' },
      ],
      [
        { a: 1, 'b-c': 3, t: '2024-01-01T00:00:00Z' },
        { a: 7, t: '2024-01-01T00:00:00Z' },
      ],
      [
        { a: 1, t: '2024-01-01T00:00:00Z' },
        { a: 0, t: '2025-01-01T00:00:00Z' },
      ],
    ],
  },
  optionalOldSelfOfScalar: {
    schema: rule(int, { rule: 'oldSelf.orValue(self) <= self', optionalOldSelf: true }),
    create: [1],
    update: [
      [1, 2],
      [2, 1],
    ],
  },
  listCorrelation: {
    schema: list(rule(obj({ k: s(8), v: int }, { required: ['k'] }), 'self.v >= oldSelf.v'), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }),
    create: [[{ k: 'a', v: 1 }]],
    update: [
      [
        [
          { k: 'a', v: 5 },
          { k: 'b', v: 6 },
        ],
        [
          { k: 'b', v: 5 },
          { k: 'a', v: 9 },
        ],
      ],
      [
        [{ k: 'a', v: 5 }],
        [
          { k: 'c', v: 1 },
          { k: 'a', v: 4 },
        ],
      ],
      [[{ k: 'a', v: 5 }], [{ k: 'c', v: 1 }]],
    ],
  },
  mapCorrelation: {
    schema: map(rule(int, 'self >= oldSelf')),
    update: [
      [
        { a: 1, b: 5 },
        { b: 4, a: 2 },
      ],
      [{ a: 1 }, { b: 0 }],
    ],
  },
  deepCorrelation: {
    schema: obj({ l: listMap(['k'], { k: s(8), o: obj({ v: rule(int, 'self == oldSelf') }) }) }),
    update: [
      [
        { l: [{ k: 'a', o: { v: 1 } }] },
        {
          l: [
            { k: 'z', o: { v: 3 } },
            { k: 'a', o: { v: 2 } },
          ],
        },
      ],
      [{ l: [{ k: 'a' }] }, { l: [{ k: 'a', o: { v: 2 } }] }],
    ],
  },
  setTransition: {
    schema: rule(setOf(s(8)), 'oldSelf.all(x, x in self)', 'self == oldSelf'),
    update: [
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [['a', 'b'], ['a']],
      [['a'], ['a', 'b']],
    ],
  },
}

/** Values that were stored before their rule came: broken rules on what did not change are forgiven. */
const ratchetCases: Readonly<Record<string, Case>> = {
  scalarUnchanged: {
    schema: rule(int, 'self > 100'),
    update: [
      [1, 1],
      [1, 2],
      [1, 101],
    ],
  },
  objectUnchanged: {
    schema: rule(obj({ a: rule(int, 'self > 100'), b: int }), 'self.b > 100'),
    update: [
      [
        { a: 1, b: 1 },
        { a: 1, b: 1 },
      ],
      [
        { a: 1, b: 1 },
        { a: 1, b: 2 },
      ],
      [
        { a: 1, b: 1 },
        { a: 2, b: 1 },
      ],
    ],
  },
  failureUnchanged: {
    schema: rule(obj({ a: int }), '10 / self.a > 100'),
    update: [
      [{ a: 0 }, { a: 0 }],
      [{ a: 1 }, { a: 1 }],
    ],
  },
  listUnchanged: {
    schema: list(rule(int, 'self > 100')),
    update: [
      [
        [1, 2],
        [1, 2],
      ],
      [
        [1, 2],
        [1, 3],
      ],
      [[1], [1, 2]],
    ],
  },
  mapListUnchanged: {
    schema: list(rule(obj({ k: s(8), v: int }, { required: ['k'] }), 'self.v > 100'), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }),
    update: [
      [
        [
          { k: 'a', v: 1 },
          { k: 'b', v: 2 },
        ],
        [
          { k: 'b', v: 2 },
          { k: 'a', v: 3 },
        ],
      ],
      [
        [{ k: 'a', v: 1 }],
        [
          { k: 'a', v: 1 },
          { k: 'c', v: 1 },
        ],
      ],
    ],
  },
  setUnchanged: {
    schema: setOf(rule(s(8), "self == 'x'")),
    update: [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
  },
  mapUnchanged: {
    schema: map(rule(int, 'self > 100')),
    update: [
      [
        { a: 1, b: 2 },
        { a: 1, b: 3 },
      ],
      [{ a: 1 }, { a: 1 }],
    ],
  },
  transitionUnchanged: { schema: rule(int, 'self > 100 && self == oldSelf', 'self > 100'), update: [[1, 1]] },
  preservedUnchanged: {
    schema: rule(
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { k: int } },
      'self.k > 100',
    ),
    update: [
      [
        { k: 1, z: 1 },
        { k: 1, z: 1 },
      ],
      [{ k: 1 }, { k: 1 }],
    ],
  },
  messageExpressionUnchanged: {
    schema: rule(int, { rule: 'self > 100', messageExpression: "'is %d'.format([self])" }),
    update: [
      [1, 1],
      [1, 2],
    ],
  },
}

/** Schemas whose rules stand at the root. */
const rootCases: Readonly<Record<string, Case>> = {
  roots: {
    schema: rule(
      obj({ spec: obj({ n: int }), status: obj({ n: int }) }),
      "self.metadata.name.startsWith('a')",
      'self.spec.n == self.status.n',
      { rule: 'self.spec.n > 1', fieldPath: '.spec.n', reason: 'FieldValueForbidden' },
      "self.kind == 'Root' && self.apiVersion.endsWith('v1')",
      '!has(self.metadata.generateName)',
      'self.spec.n >= oldSelf.spec.n',
    ),
    create: [{ spec: { n: 1 }, status: { n: 1 } }, { spec: { n: 2 }, status: { n: 3 } }, {}, { spec: {} }],
    update: [
      [
        { spec: { n: 5 }, status: { n: 5 } },
        { spec: { n: 4 }, status: { n: 4 } },
      ],
      [
        { spec: { n: 5 }, status: { n: 5 } },
        { spec: { n: 5 }, status: { n: 5 } },
      ],
    ],
  },
  metaroots: {
    schema: rule(
      obj({
        metadata: obj({ name: { type: 'string', maxLength: 50 } }),
        spec: rule(obj({ n: int }), 'self.n > 1'),
      }),
      "self.metadata.name != 'a1'",
    ),
    create: [{ spec: { n: 1 } }],
  },
}

/** Rules that a server refuses, and rules at the border of what it accepts. */
const programs: readonly string[] = [
  'self.nope == 1',
  'self.s',
  "self.s + 1 == 'x'",
  'nope(self)',
  'self.s.nope()',
  'self.l.all(x, x > 1)',
  'self.l.all(1, true)',
  'has(self)',
  "self.s.matches('[')",
  "self.s.find('[') == ''",
  "duration('x') > duration('1s')",
  "int('x') == 1",
  '[1, "a"].size() == 2',
  "'%s %d'.format(['a', 1]) == 'a'",
  "'%d'.format(['a']) == ''",
  "'%d %d'.format([1]) == ''",
  "'%d'.format([1, 2]) == ''",
  "'%s'.format([self.o]) == ''",
  'cel.bind(x, 1, x == 1)',
  'math.greatest(1, 2) == 2',
  "base64.encode(b'a') == ''",
  "'abc'.reverse() == 'cba'",
  'self.s == null',
  'self.o == null',
  'self.namespace == 1',
  'namespace == 1',
  'self.s ==',
  "self.s == 'a' )",
  "(self.s == 'a'",
  "self.s == 'a' # c",
  'self.s == "a',
  '1 + + 2 == 3',
  'self.',
  'a b',
  "'\\q' == 'A'",
  '9223372036854775808 == 1',
  'self.n ? true : false',
  "self.b ? 1 : 'a'",
  'type(self.t) == timestamp',
  'self.o.x.y == 1',
  'self.os.sort() == []',
  'self.m.all(k, k, true)',
  'quantity(self.n).isInteger()',
  "quantity('1').sign() == 1",
  "ip('1.2.3.4').x == 4",
  'format.nope().validate("a").hasValue()',
  'sets.contains(self.l, [1])',
  'optional.of(1).optMap(1, x + 1).value() == 2',
  'Foo{a: 1} == 1',
  "self.o == {'x': 1}",
  'oldSelf.s == self.s',
  '1 < 2.0 && 1u < 2',
  `${'('.repeat(60)}true${')'.repeat(60)}`,
  `${Array.from({ length: 300 }, () => '1').join(' + ')} == 300`,
]

const programTypes = obj({
  s: s(100),
  n: int,
  d: num,
  b: bool,
  l: list(s(10)),
  m: map(s(10)),
  o: obj({ x: int, y: s(5) }),
  t: formatted('date-time'),
  os: list(obj({ x: int })),
})

const json = (value: unknown): string =>
  typeof value === 'string' && value.startsWith('{')
    ? value
    : JSON.stringify(value, (_, each: unknown) =>
        typeof each === 'bigint' ? `@@${each}@@` : each,
      ).replaceAll(/"@@(-?[0-9]+)@@"/g, '$1')

function comparable(errors: readonly { field?: string; reason?: string; message?: string }[]): string[] {
  // The server walks over properties in random order, so the order of errors is no promise of its own.
  return errors.map(({ field, reason, message }) => `${field} | ${reason} | ${message}`).sort()
}

const engine = await loadCel()

/** What the server says about an object that is created, or changed from what it was. */
async function askServer(plural: string, body: string, old: Stored | undefined): Promise<string[]> {
  const answer = old === undefined ? await post(plural, 'a0', body, true) : await put(plural, body, old)
  return answer.code < 300
    ? []
    : comparable(answer.body.details?.causes ?? [{ message: answer.body.message ?? '' }])
}

function put(plural: string, body: string, { name, resourceVersion }: Stored): Promise<Answer> {
  const metadata = `"metadata": {"name": "${name}", "resourceVersion": "${resourceVersion}"}`
  const head = `"apiVersion": "${group}/v1", "kind": "${kindOf(plural)}", ${metadata}`
  return send('PUT', `${listPath(plural)}/${name}?dryRun=All`, `{${head}, ${body}}`)
}

/** Parses like the server: whole numbers beyond 2^53 stay exact. */
function parsed(text: string): unknown {
  const exact = text.replaceAll(/(?<=[[:,]\s*)-?[0-9]{16,}(?=[\],}])/g, '"@@$&@@"')
  return JSON.parse(exact, (_, each: unknown) =>
    typeof each === 'string' && /^@@-?[0-9]+@@$/.test(each) ? BigInt(each.slice(2, -2)) : each,
  )
}

function askEngine(program: CelProgram, plural: string, body: string, old: string | undefined): string[] {
  const whole = (text: string): unknown =>
    parsed(`{"apiVersion": "${group}/v1", "kind": "${kindOf(plural)}", "metadata": {"name": "a0"}, ${text}}`)
  return comparable(program.evaluate(whole(body), old === undefined ? undefined : whole(old), { path: '' }))
}

/** As many cases in one CRD as the server's estimate of their cost allows. */
const casesPerCrd = 10

interface Suite {
  readonly plural: string
  readonly schema: StructuralSchema
  readonly cases: readonly (readonly [name: string, each: Case, body: (value: unknown) => string])[]
}

const suites: Suite[] = []
const properties = Object.entries({ ...cases, ...ratchetCases })
for (let start = 0; start < properties.length; start += casesPerCrd) {
  const chunk = properties.slice(start, start + casesPerCrd)
  suites.push({
    plural: `cases${start / casesPerCrd}s`,
    schema: obj({ spec: obj(Object.fromEntries(chunk.map(([name, { schema }]) => [name, schema]))) }),
    cases: chunk.map(([name, each]) => [name, each, (value) => `"spec": {"${name}": ${json(value)}}`]),
  })
}
for (const [plural, each] of Object.entries(rootCases)) {
  const body = (value: unknown): string => json(value).slice(1, -1) || '"unused": 1'
  suites.push({ plural, schema: each.schema, cases: [[plural, each, body]] })
}

describe.each(suites)('the rules of $plural', ({ plural, schema, cases: own }) => {
  const program = engine.compile(schema)
  let objects = new Map<string, Stored>()
  beforeAll(async () => {
    cluster = await sharedCluster()
    call = rawRequests(cluster)
    const olds = own.flatMap(([, { update = [] }, body]) => update.map(([old]) => body(old)))
    objects = await install(plural, schema, olds)
  })
  for (const [name, { create = [], update = [] }, body] of own) {
    test.each(create.map((value) => body(value)))(`${name}: creating %s`, async (value) => {
      expect(askEngine(program, plural, value, undefined)).toEqual(await askServer(plural, value, undefined))
    })
    test.each(update.map(([old, value]) => [body(old), body(value)] as const))(
      `${name}: changing %s to %s`,
      async (old, value) => {
        expect(askEngine(program, plural, value, old)).toEqual(
          await askServer(plural, value, objects.get(old)),
        )
      },
    )
  }
})

test.each(programs)('the compiler says the same about %s', async (source) => {
  const schema = obj({ spec: rule(programTypes, { rule: source, message: 'broken' }) })
  const answer = await send('POST', `${crds}?dryRun=All`, crd('programs', schema))
  const theirs = (answer.body.details?.causes ?? []).map(({ message = '' }) => message).join('\n')
  const detail = /: ((?:compilation failed|program instantiation failed|cel expression must)[\s\S]*)$/.exec(
    theirs,
  )?.[1]
  let ours: string | undefined
  try {
    engine.compile(schema)
  } catch (error) {
    ours = error instanceof CelRuleError ? error.detail : String(error)
  }
  // The server numbers the types of objects at random.
  expect(ours).toBe(detail?.replaceAll(/selfType[0-9]+/g, 'selfType'))
})
