import { describe, expect, test } from 'vitest'
import { CachedObject } from './cached-object.js'
import { OwnWrites } from './own-writes.js'

const object = (resourceVersion: string, uid = 'u') =>
  new CachedObject('default/a', uid, resourceVersion, '{}')

describe('a write of our own', () => {
  test('is shown until the watch has caught up with it', () => {
    const writes = new OwnWrites()
    writes.wrote(object('12'), object('10'), '11')
    expect(writes.get('default/a')).toMatchObject({ kind: 'object', cached: { resourceVersion: '12' } })
    writes.caughtUpWith('default/a', object('11'), false)
    expect(writes.size).toBe(1)
    writes.caughtUpWith('default/a', object('12'), false)
    expect(writes.size).toBe(0)
  })

  test('is not kept when the watch was faster than the answer', () => {
    const writes = new OwnWrites()
    writes.wrote(object('12'), object('13'), '13')
    writes.wrote(object('12'), undefined, '12')
    expect(writes.size).toBe(0)
  })

  test('goes when a bookmark has passed it, because it was superseded unseen', () => {
    const writes = new OwnWrites()
    writes.wrote(object('12'), undefined, '10')
    writes.caughtUpTo('11')
    expect(writes.size).toBe(1)
    writes.caughtUpTo('12')
    expect(writes.size).toBe(0)
  })

  test('is not replaced by an older answer that came later', () => {
    const writes = new OwnWrites()
    writes.wrote(object('12'), undefined, '10')
    writes.wrote(object('11'), undefined, '10')
    expect(writes.get('default/a')).toMatchObject({ cached: { resourceVersion: '12' } })
  })

  test('compares versions of any length', () => {
    const writes = new OwnWrites()
    writes.wrote(object('100000000000000000000'), undefined, '99999999999999999999')
    writes.caughtUpTo('99999999999999999999')
    expect(writes.size).toBe(1)
  })

  test('means nothing after the history went back', () => {
    const writes = new OwnWrites()
    writes.wrote(object('12'), undefined, '10')
    writes.clear()
    expect(writes.size).toBe(0)
  })
})

describe('a deletion of our own', () => {
  test('hides the object of that uid until the watch shows that it is gone', () => {
    const writes = new OwnWrites()
    writes.deleted('default/a', 'u', object('10'))
    writes.caughtUpWith('default/a', object('11'), false)
    expect(writes.get('default/a')).toEqual({ kind: 'gone', uid: 'u' })
    writes.caughtUpWith('default/a', object('12'), true)
    expect(writes.size).toBe(0)
  })

  test('does not hide a namesake that was created since', () => {
    const writes = new OwnWrites()
    writes.deleted('default/a', 'u', object('10'))
    writes.caughtUpWith('default/a', object('12', 'other'), false)
    expect(writes.size).toBe(0)
    writes.deleted('default/a', 'u', object('12', 'other'))
    expect(writes.size).toBe(0)
  })

  test('hides an object whose creation the watch has not even shown yet', () => {
    const writes = new OwnWrites()
    writes.wrote(object('12'), undefined, '10')
    writes.deleted('default/a', 'u', undefined)
    writes.caughtUpWith('default/a', object('12'), false)
    expect(writes.get('default/a')).toEqual({ kind: 'gone', uid: 'u' })
    writes.caughtUpWith('default/a', object('13'), true)
    expect(writes.size).toBe(0)
  })

  test('does not hide a successor that we wrote before the answer came', () => {
    const writes = new OwnWrites()
    writes.wrote(object('14', 'successor'), undefined, '10')
    writes.deleted('default/a', 'u', undefined)
    expect(writes.get('default/a')).toMatchObject({ kind: 'object', cached: { uid: 'successor' } })
  })

  test('is settled by a complete list', () => {
    const writes = new OwnWrites()
    writes.deleted('default/a', 'u', object('10'))
    writes.relisted('20')
    expect(writes.size).toBe(0)
  })
})
