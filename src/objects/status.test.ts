import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseStatus } from './status.js'

describe('parseStatus', () => {
  test('reads what the server writes', () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'foos.example.com "x" not found',
      reason: 'NotFound',
      details: {
        name: 'x',
        group: 'example.com',
        kind: 'foos',
        uid: 'u',
        retryAfterSeconds: 3,
        causes: [{ field: 'a' }],
      },
      code: 404,
    }
    expect(parseStatus({ ...status, metadata: {} })).toEqual(status)
  })

  test('is undefined for everything that is no Status', () => {
    for (const value of [undefined, null, 'x', [], {}, { kind: 'Foo' }, new Date(0)])
      expect(parseStatus(value)).toBeUndefined()
  })

  test('drops fields of the wrong type instead of passing them on', () => {
    expect(
      parseStatus({
        kind: 'Status',
        status: 'Maybe',
        message: 5,
        code: '404',
        details: { causes: ['x', { reason: 1, message: 'm' }], retryAfterSeconds: '3' },
      }),
    ).toEqual({ kind: 'Status', details: { causes: [{ message: 'm' }] } })
  })

  test('never throws, whatever a server or a proxy sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (details, message) => {
        const status = parseStatus({ kind: 'Status', details, message })
        expect(status?.kind).toBe('Status')
      }),
    )
  })
})
