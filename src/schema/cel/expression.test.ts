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
