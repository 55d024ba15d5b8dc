import { describe, expect, expectTypeOf, test } from 'vitest'
import { Deployment } from '../kinds/apps/v1.js'
import { ConfigMap, Node, Pod, Secret } from '../kinds/core/v1.js'
import { access, subresourceAccess } from './access.js'
import { defineController, InvalidControllerError } from './define-controller.js'
import { again, settled } from './outcome.js'
import { watch } from './trigger.js'

describe('the types of a reconcile', () => {
  test('give the object, and clients and caches of the declared kinds', () => {
    const definition = defineController({
      for: Deployment,
      owns: [ConfigMap],
      watches: [watch(Pod, (pod) => [{ namespace: pod.namespace, name: pod.name }])],
      uses: [access(Secret, 'get')],
      async reconcile(deployment, { cache, client, request }) {
        expectTypeOf(deployment.metadata.namespace).toEqualTypeOf<string>()
        expectTypeOf(request.name).toEqualTypeOf<string>()
        const key = { namespace: 'default', name: 'x' }
        expectTypeOf(cache.get(ConfigMap, key)?.data?.['a']).toEqualTypeOf<string | undefined>()
        cache.get(Pod, key)
        await client.create(ConfigMap, { metadata: { name: 'x' }, data: { a: 'b' } })
        const secret = await client.get(Secret, key)
        expectTypeOf(secret.data).toEqualTypeOf<Record<string, string> | undefined>()
        return Math.random() > 2 ? again({ afterMs: 1 }) : settled()
      },
    })
    expect(definition.owns).toEqual([ConfigMap])
  })

  test('refuse undeclared kinds and verbs at compile time', () => {
    const definition = defineController({
      for: Deployment,
      owns: [ConfigMap],
      uses: [access(Secret, 'get')],
      async reconcile(deployment, { cache, client }) {
        const key = { namespace: 'default', name: 'x' }
        // @ts-expect-error Secrets are not followed
        cache.get(Secret, key)
        // @ts-expect-error Secrets may be read, not made
        await client.create(Secret, { metadata: { name: 'x' } })
        // @ts-expect-error Pods were not declared at all
        await client.get(Pod, key)
        // @ts-expect-error the spec of the primary belongs to its user
        await client.update(Deployment, await client.get(Deployment, key))
        // @ts-expect-error what the cache holds is read-only
        deployment.metadata.name = 'other'
        await client.patchStatus(Deployment, key, { merge: { status: { replicas: 1 } } })
        // @ts-expect-error nothing was declared of its scale
        await client.getScale(Deployment, key)
        // @ts-expect-error pods may not be evicted
        await client.evict(key)
        // @ts-expect-error objects may be deleted one by one, not all at once
        await client.deleteCollection(ConfigMap, { namespace: 'default' })
      },
    })
    expect(definition.for).toBe(Deployment)
  })

  test('allow subresources that were declared, and no status where a kind has none', () => {
    const definition = defineController({
      for: ConfigMap,
      uses: [
        subresourceAccess(Deployment, 'scale', 'get', 'update'),
        subresourceAccess(Pod, 'eviction', 'create'),
        subresourceAccess(Pod, 'resize', 'patch'),
        access(Pod, 'list', 'deletecollection'),
      ],
      async reconcile(_configMap, { client, clock }) {
        const key = { namespace: 'default', name: 'x' }
        expectTypeOf(clock.now()).toEqualTypeOf<number>()
        const { spec } = await client.getScale(Deployment, key)
        await client.updateScale(Deployment, key, { replicas: (spec?.replicas ?? 0) + 1 })
        await client.evict(key)
        await client.subresource(Pod, key, 'resize').patch({ merge: {} })
        await client.listAll(Pod, { namespace: 'default' })
        await client.deleteCollection(Pod, { namespace: 'default' })
        // @ts-expect-error config maps have no status
        await client.patchStatus(ConfigMap, key, { merge: {} })
        // @ts-expect-error of deployments, only the scale was declared
        client.subresource(Deployment, key, 'resize')
      },
    })
    expect(definition.for).toBe(ConfigMap)
  })
})

describe('what a controller declares', () => {
  const nothing = (): void => {}

  test('is everything that its client may do', () => {
    const { accesses, name } = defineController({
      for: Deployment,
      owns: [ConfigMap],
      watches: [watch(Pod, () => [])],
      uses: [access(Secret, 'get', 'create')],
      reconcile: nothing,
      finalize: nothing,
    })
    expect(name).toBe('deployment')
    expect(accesses.map(({ kind, verbs, subresource }) => [kind.kind, subresource, verbs])).toEqual([
      ['Deployment', '', ['get', 'list', 'watch']],
      ['Deployment', 'status', ['get', 'update', 'patch']],
      ['Deployment', '', ['patch']],
      ['ConfigMap', '', ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']],
      ['Pod', '', ['get', 'list', 'watch']],
      ['Secret', '', ['get', 'create']],
    ])
  })

  test('does not include the status of a kind that has none', () => {
    const { accesses } = defineController({ for: ConfigMap, reconcile: nothing })
    expect(accesses.map(({ subresource }) => subresource)).toEqual([''])
  })

  test('must be possible: an owner in a namespace cannot own what is in none', () => {
    expect(() => defineController({ for: ConfigMap, owns: [Node], reconcile: nothing })).toThrow(
      InvalidControllerError,
    )
  })

  test.each([0, 1.5, -1, Number.NaN])('refuses %s workers', (workers) => {
    expect(() => defineController({ for: ConfigMap, workers, reconcile: nothing })).toThrow(/workers/)
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a time-out of %s', (timeoutMs) => {
    expect(() => defineController({ for: ConfigMap, timeoutMs, reconcile: nothing })).toThrow(/timeoutMs/)
  })

  test('refuses a name that cannot be a label', () => {
    expect(() => defineController({ for: ConfigMap, name: 'My Controller', reconcile: nothing })).toThrow(
      /name/,
    )
  })
})
