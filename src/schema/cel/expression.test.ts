import { describe, expect, test } from 'vitest'
import {
  type CelExpression,
  type CelInput,
  type CelVariableType,
  loadExpressionEngine,
} from './expression.js'

const engine = await loadExpressionEngine()

function compiled(
  source: string,
  variables: Record<string, CelVariableType>,
  resultTypes?: readonly ('bool' | 'string' | 'null')[],
): CelExpression {
  const expression = engine.compile({ source, variables, ...(resultTypes !== undefined && { resultTypes }) })
  if ('problem' in expression) throw new Error(expression.problem)
  return expression
}

function run(
  source: string,
  inputs: Record<string, CelInput>,
  variables: Record<string, CelVariableType>,
): unknown {
  const outcome = compiled(source, variables).evaluate(inputs)
  return outcome.kind === 'value' ? outcome.value.native() : `! ${outcome.message}`
}

const object = { data: { spec: { replicas: 3, list: [1, 'a'], __proto__: null } } }

describe('a program over variables of any type', () => {
  test.each([
    ['object.spec.replicas < 5', true],
    ['object.spec.replicas + 1', 4],
    ['object.?spec.?nope.orValue("d")', 'd'],
    ['object.spec.nope', '! no such key: nope'],
    ['oldObject == null', true],
    ['{"a": object.spec.list}', { a: [1, 'a'] }],
    ['object.spec.replicas == "x" || true', true],
    ['quantity("1Gi")', undefined],
    ['type(object)', undefined],
  ])('%s', (source, expected) => {
    expect(
      run(source, { object, oldObject: { data: undefined } }, { object: 'dyn', oldObject: 'dyn' }),
    ).toEqual(expected)
  })

  test('that must yield a bool and yields something unknown is refused', () => {
    const options = { source: 'object.x', variables: { object: 'dyn' }, resultTypes: ['bool'] } as const
    expect(engine.compile(options)).toEqual({ problem: 'must evaluate to bool but got dyn' })
    expect(engine.compile({ ...options, source: '1', resultTypes: ['string', 'null'] })).toEqual({
      problem: 'must evaluate to one of [string null_type] but got int',
    })
  })

  test('that names a field which an object does not have is refused with the place', () => {
    const variables = {
      request: { name: 'kubernetes.AdmissionRequest', fields: { name: 'string' } },
    } as const
    expect(engine.compile({ source: 'request.nam == ""', variables })).toEqual({
      problem:
        'compilation failed: ERROR: <input>:1:8: undefined field \'nam\'\n | request.nam == ""\n | .......^',
    })
  })

  test('that is not even a program is refused', () => {
    expect(engine.compile({ source: '1 +', variables: {} })).toMatchObject({
      problem: expect.stringContaining('compilation failed: ERROR: <input>:1:4'),
    })
  })

  test('sees fields that are computed when they are looked at, and their failures', () => {
    const looked: string[] = []
    const one = compiled('1 + 1', {})
    const two = compiled('1 / 0', {})
    const fields = new Map([
      ['one', () => (looked.push('one'), one.evaluate({}))],
      ['two', () => (looked.push('two'), two.evaluate({}))],
    ])
    const type: CelVariableType = {
      name: 'kubernetes.variables',
      fields: { one: { resultOf: one }, two: { resultOf: two } },
    }
    expect(run('variables.one + 1', { variables: { fields } }, { variables: type })).toBe(3)
    expect(looked).toEqual(['one'])
    expect(run('variables.two == 1', { variables: { fields } }, { variables: type })).toBe(
      '! division by zero',
    )
    expect(engine.compile({ source: 'variables.one + "x"', variables: { variables: type } })).toMatchObject({
      problem: expect.stringContaining("found no matching overload for '_+_' applied to '(int, string)'"),
    })
  })

  test('asks the authorizer, at a price that allows two questions', () => {
    const asked: unknown[] = []
    const check = (question: unknown): { isAllowed: boolean; reason: string } => {
      asked.push(question)
      return { isAllowed: true, reason: 'because' }
    }
    const requestResource = {
      group: 'apps',
      resource: 'deployments',
      subresource: '',
      namespace: 'n',
      name: 'd',
    }
    const inputs = {
      authorizer: { authorizer: check },
      'authorizer.requestResource': { check, requestResource },
    }
    const variables = {
      authorizer: 'authorizer',
      'authorizer.requestResource': 'resourceCheck',
    } as const
    expect(
      run(
        "authorizer.group('g').resource('r').namespace('x').name('y').check('get').allowed()",
        inputs,
        variables,
      ),
    ).toBe(true)
    expect(
      run("authorizer.requestResource.subresource('scale').check('update').reason()", inputs, variables),
    ).toBe('because')
    expect(
      run("authorizer.serviceAccount('ns', 'sa').path('/x').check('get').errored()", inputs, variables),
    ).toBe(false)
    expect(asked).toEqual([
      { verb: 'get', group: 'g', resource: 'r', subresource: '', namespace: 'x', name: 'y' },
      { ...requestResource, subresource: 'scale', verb: 'update' },
      {
        verb: 'get',
        path: '/x',
        group: '',
        resource: '',
        subresource: '',
        namespace: '',
        name: '',
        serviceAccount: { namespace: 'ns', name: 'sa' },
      },
    ])
    const third = "authorizer.path('/x').check('get').allowed()"
    expect(run(`${third} && ${third} && ${third}`, inputs, variables)).toBe(
      '! operation cancelled: actual cost limit exceeded',
    )
    expect(run("authorizer.path(' ').check('get').allowed()", inputs, variables)).toBe(
      '! path must not be empty',
    )
  })
})

describe('a program that makes patches', () => {
  const object: CelInput = { data: { spec: { replicas: 3 } } }
  const make = (source: string): ReturnType<typeof engine.compile> =>
    engine.compile({ source, variables: { object: 'dyn' }, makesPatches: true })
  const made = (source: string): unknown => {
    const expression = make(source)
    if ('problem' in expression) return expression.problem
    const outcome = expression.evaluate({ object })
    return outcome.kind === 'value' ? outcome.value.native() : outcome.message
  }

  test.each<[string, unknown]>([
    ['Object{spec: Object.spec{replicas: object.spec.replicas + 1}}', { spec: { replicas: 4 } }],
    ['Object{a: [Object.a{b: 1}], c: {"d": Object.c{}}}', { a: [{ b: 1 }], c: { d: {} } }],
    ['Object{?a: object.?nothing, ?b: optional.of(1)}', { b: 1 }],
    ['[JSONPatch{op: "remove", path: "/a"}]', [{ op: 'remove', path: '/a' }]],
    ['JSONPatch{op: "add", value: null}', { op: 'add', value: null }],
    ['Object{a: 1} == Object{a: 1}', true],
    ['Object{a: 1} == Object{a: 2}', false],
    ['Object{a: object.nothing}', 'no such key: nothing'],
    ['jsonpatch.escapeKey("k8s.io/my~label")', 'k8s.io~1my~0label'],
  ])('%s', (source, expected) => {
    expect(made(source)).toEqual(expected)
  })

  test.each([
    ['JSONPatch{op: 1}', "expected type of field 'op' is 'string' but provided type is 'int'"],
    ['JSONPatch{nothing: 1}', "undefined field 'nothing'"],
    ['Other{a: 1}', "undeclared reference to 'Other'"],
  ])('%s is refused', (source, problem) => {
    expect(made(source)).toContain(problem)
  })

  test('says which objects stand in the wrong place', () => {
    const expression = make('Object{a: Object.b{}, c: [Object.c{d: Object.e{}}]}')
    if ('problem' in expression) throw new Error(expression.problem)
    const outcome = expression.evaluate({ object })
    expect(outcome.kind === 'value' && outcome.value.misplaced()).toEqual([
      'unexpected type name "Object.b", expected "Object.a", which matches field name path from root Object type',
      'unexpected type name "Object.e", expected "Object.c.d", which matches field name path from root Object type',
    ])
  })

  test('others cannot', () => {
    expect(engine.compile({ source: 'Object{a: 1}', variables: {} })).toHaveProperty('problem')
  })

  test('each object costs 40', () => {
    const expression = make('Object{a: Object.a{}}')
    if ('problem' in expression) throw new Error(expression.problem)
    expect(expression.evaluate({ object }).cost).toBe(80)
  })
})
