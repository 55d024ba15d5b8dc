import { describe, expect, test } from 'vitest'
import { assertNever, isKubewrightError, KubewrightError, toError } from './errors.js'

class WatchExpired extends KubewrightError {
  constructor(cause?: unknown) {
    super('Watch expired: list again.', { code: 'KW_TEST_EXPIRED', cause })
  }
}

describe('KubewrightError', () => {
  test('carries its code, the name of its class and its cause', () => {
    const cause = new Error('socket closed')
    const error = new WatchExpired(cause)
    expect(error).toBeInstanceOf(Error)
    expect(error.code).toBe('KW_TEST_EXPIRED')
    expect(error.name).toBe('WatchExpired')
    expect(error.cause).toBe(cause)
  })

  test('has no cause property when there is no cause', () => {
    expect('cause' in new WatchExpired()).toBe(false)
  })
})

describe('isKubewrightError', () => {
  test('tells our errors from others, and one code from another', () => {
    expect(isKubewrightError(new WatchExpired())).toBe(true)
    expect(isKubewrightError(new WatchExpired(), 'KW_TEST_EXPIRED')).toBe(true)
    expect(isKubewrightError(new WatchExpired(), 'KW_ABORTED')).toBe(false)
    expect(isKubewrightError(new Error('other'))).toBe(false)
    expect(isKubewrightError({ code: 'KW_TEST_EXPIRED' })).toBe(false)
    expect(isKubewrightError(undefined)).toBe(false)
  })

  test('knows an error of another copy of the package', () => {
    const foreign = Object.assign(new Error('from elsewhere'), {
      code: 'KW_FOREIGN',
      [Symbol.for('kubewright.error')]: true,
    })
    expect(isKubewrightError(foreign, 'KW_FOREIGN')).toBe(true)
  })
})

describe('assertNever', () => {
  test.each([['text'], [12n], [undefined], [{ kind: 'new' }]])('reports %o as a bug with a code', (value) => {
    // The value cannot be of type never: that is the case under test.
    expect(() => assertNever(value as never)).toThrow(expect.objectContaining({ code: 'KW_UNREACHABLE' }))
  })
})

describe('toError', () => {
  test('returns an Error as it is', () => {
    const error = new TypeError('no')
    expect(toError(error)).toBe(error)
  })

  test.each([
    ['text', 'text'],
    [undefined, 'Thrown value: undefined'],
    [null, 'Thrown value: null'],
    [Symbol('odd'), 'Thrown value: Symbol(odd)'],
    [{ status: 500 }, 'Thrown value: {"status":500}'],
    [5n, 'Thrown value: [object BigInt]'],
  ])('makes an Error of a thrown %o and keeps it as the cause', (thrown, message) => {
    const error = toError(thrown)
    expect(error.message).toBe(message)
    expect(error.cause).toBe(thrown)
  })

  test('describes data that contains itself', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    expect(toError(cycle).message).toBe('Thrown value: [object Object]')
  })

  test('bounds the description of huge values', () => {
    expect(toError({ text: 'x'.repeat(100_000) }).message.length).toBeLessThan(600)
    expect(
      toError({ toJSON: () => undefined, toString: () => 'x'.repeat(100_000) }).message.length,
    ).toBeLessThan(600)
  })
})
