import { describe, expect, test } from 'vitest'
import { timeoutOf } from './deadline.js'
import { readDeleteOptions } from './delete-options.js'
import { Warnings } from './warnings.js'
import { managerName, readPatchOptions, readWriteOptions } from './write-options.js'

const query = (text: string): URLSearchParams => new URLSearchParams(text)

describe('the parameters of writes', () => {
  test('all that is wrong is told at once, in the order of the server', () => {
    expect(() =>
      readWriteOptions(query('fieldValidation=Foo&dryRun=x&fieldManager=%07'), 'CreateOptions'),
    ).toThrow(
      'CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Invalid value: "\\a": invalid character U+0007 (at position 0), dryRun: Unsupported value: ["x"]: supported values: "All", fieldValidation: Unsupported value: "Foo": supported values: "", "Ignore", "Strict", "Warn"]',
    )
  })

  test('an empty dryRun is not a dry run, but a mistake', () => {
    expect(() => readWriteOptions(query('dryRun='), 'UpdateOptions')).toThrow(
      'UpdateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
    )
  })

  test('a manager has at most 128 bytes', () => {
    expect(() => readWriteOptions(query(`fieldManager=${'a'.repeat(129)}`), 'CreateOptions')).toThrow(
      'fieldManager: Too long: may not be more than 128 bytes',
    )
  })

  test('only an apply may be forced, and it must name its manager', () => {
    expect(() => readPatchOptions(query('force=true'), false)).toThrow(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    )
    expect(() => readPatchOptions(query(''), true)).toThrow(
      'fieldManager: Required value: is required for apply patch',
    )
    expect(readPatchOptions(query('force=1&fieldManager=m'), true).isForced).toBe(true)
    expect(readPatchOptions(query('force=0&fieldManager=m'), true).isForced).toBe(false)
  })

  test('without a manager it is the program of the user agent, as far as it can be printed', () => {
    const options = readWriteOptions(query(''), 'CreateOptions')
    expect(options.fieldValidation).toBe('Warn')
    expect(managerName(options, 'kubectl/v1.36.3 (linux/amd64)')).toBe('kubectl')
    expect(managerName(options, `a\tb${'c'.repeat(200)}`)).toBe(`ab${'c'.repeat(126)}`)
    expect(managerName(options, '')).toBe('')
  })
})

describe('the options of a deletion', () => {
  const read = (body: string, parameters = '', contentType = 'application/json'): Promise<unknown> =>
    readDeleteOptions(query(parameters), { bytes: body, contentType }, {})

  test.each([
    [
      '{"propagationPolicy":"Foo"}',
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      '{"propagationPolicy":"Orphan","orphanDependents":true}',
      'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      '{"kind":"Foo","apiVersion":"v1"}',
      'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"gracePeriodSeconds":"x"}',
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    ['{"gracePeriodSeconds":1', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ['{"dryRun":["x"]}', 'dryRun: Unsupported value: ["x"]: supported values: "All"'],
  ])('%s', async (body, problem) => {
    await expect(read(body)).rejects.toThrow(problem)
  })

  test('a body goes before the query', async () => {
    expect(
      await read('{"kind":"DeleteOptions","gracePeriodSeconds":5}', 'gracePeriodSeconds=7'),
    ).toMatchObject({
      gracePeriodSeconds: 5,
    })
    expect(await read('', 'gracePeriodSeconds=7&propagationPolicy=Orphan&dryRun=All')).toMatchObject({
      gracePeriodSeconds: 7,
      propagationPolicy: 'Orphan',
      isDryRun: true,
    })
  })

  test('a number in the query that is none is told in the words of Go', async () => {
    await expect(read('', 'gracePeriodSeconds=abc')).rejects.toThrow(
      'strconv.ParseInt: parsing "abc": invalid syntax',
    )
    await expect(read('', 'gracePeriodSeconds=99999999999999999999')).rejects.toThrow('value out of range')
  })
})

test('a timeout may be shorter than the server allows, never longer', () => {
  expect(timeoutOf(query('timeout=5s'), true)).toBe(5000)
  expect(timeoutOf(query('timeout=1m30s'), false)).toBe(60_000)
  expect(timeoutOf(query('timeout=0s'), true)).toBe(34_000)
  expect(() => timeoutOf(query('timeout=abc'), true)).toThrow(
    'invalid timeout specified in the request URL - time: invalid duration "abc"',
  )
})

describe('Warnings', () => {
  test('each is told once, with quotes and backslashes escaped, and one with control characters never', () => {
    const warnings = new Warnings()
    expect(warnings.headers()).toBeUndefined()
    warnings.add('a "b" \\ c')
    warnings.add('a "b" \\ c')
    warnings.add('two\nlines')
    expect(warnings.headers()).toEqual(['299 - "a \\"b\\" \\\\ c"'])
  })

  test('too many of them are cut', () => {
    const warnings = new Warnings()
    for (let index = 0; index < 100; index++) warnings.add(`${index} ${'x'.repeat(1000)}`)
    const headers = warnings.headers() ?? []
    expect(headers.length).toBe(16)
    expect(headers.every((header) => header.length < 300)).toBe(true)
  })
})
