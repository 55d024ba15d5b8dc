import { describe, expect, test } from 'vitest'
import { deepCopy, deepFreeze, systemClock } from '../../../base/index.js'
import type { Service } from '../../../kinds/core/v1.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import type { WriteContext } from '../../resource.js'
import { builtinResources } from '../builtin-resources.js'
import { viewOf } from '../draft.js'
import { serviceAddress } from './service-allocation.js'

const nature = {
  clock: systemClock,
  random: () => 0.5,
  uid: () => '00000000-0000-4000-8000-000000000000',
  timestamp: () => '2026-01-01T00:00:00Z',
}

/** Services as they would be stored one after the other. */
function createServices(): {
  add(name: string, spec: object): NonNullable<ReturnType<typeof viewOf<Service>>['spec']>
  remove(name: string): void
  /** As if so many had addresses already, counted from a number on. */
  fill(from: number, to: number): void
} {
  const services = new Map<string, StoredApiObject>()
  const cluster = {
    get: () => undefined,
    list: (resource: string) => (resource === 'services' ? [...services.values()] : []),
  }
  const strategy = builtinResources({ nature, cluster }).find(({ kind }) => kind === 'Service')?.versions[0]
    ?.strategy
  if (strategy === undefined) throw new Error('no services')
  const context: WriteContext = {
    user: { name: 'someone', groups: [] },
    isDryRun: false,
    nature,
    cluster,
    subresource: '',
    warn: () => {},
  }
  return {
    add(name, spec) {
      const draft: ApiObject = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace: 'default' },
        spec: deepCopy(spec),
      }
      strategy.applyDefaults(draft)
      strategy.prepareForCreate(draft, context)
      expect(strategy.validateCreate(draft, context)).toEqual([])
      services.set(name, deepFreeze(draft))
      return viewOf<Service>(draft).spec ?? {}
    },
    remove: (name) => services.delete(name),
    fill(from, to) {
      const clusterIPs = Array.from({ length: to - from + 1 }, (_, index) => serviceAddress(from + index))
      const metadata = { name: `from-${from}`, namespace: 'default' }
      services.set(
        metadata.name,
        deepFreeze({ apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIPs } }),
      )
    },
  }
}

const ports = [{ port: 80 }]

describe('services', () => {
  test('get the first free address of the upper range', () => {
    const services = createServices()
    expect(services.add('a', { ports }).clusterIP).toBe('10.96.1.1')
    expect(services.add('b', { ports })).toMatchObject({
      clusterIP: '10.96.1.2',
      clusterIPs: ['10.96.1.2'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    })
  })

  test('get an address again that was given back', () => {
    const services = createServices()
    services.add('a', { ports })
    services.add('b', { ports })
    services.remove('a')
    expect(services.add('c', { ports }).clusterIP).toBe('10.96.1.1')
  })

  test('may ask for an address, unless somebody has it', () => {
    const services = createServices()
    expect(services.add('a', { ports, clusterIP: '10.96.0.10' }).clusterIPs).toEqual(['10.96.0.10'])
    expect(() => services.add('b', { ports, clusterIP: '10.96.0.10' })).toThrow(
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.10"]: failed to allocate IP 10.96.0.10: provided IP is already allocated',
    )
    expect(() => services.add('c', { ports, clusterIP: '10.9.0.10' })).toThrow(
      'failed to allocate IP 10.9.0.10: the provided network does not match the current range',
    )
  })

  test('use the lower range when the upper one is full, and then there are none left', () => {
    const services = createServices()
    services.fill(257, 65_534)
    expect(services.add('a', { ports }).clusterIP).toBe('10.96.0.1')
    services.fill(2, 255)
    expect(services.add('b', { ports }).clusterIP).toBe('10.96.1.0')
    expect(() => services.add('z', { ports })).toThrow(
      'Internal error occurred: failed to allocate a serviceIP for Service "z": range is full',
    )
  })

  test('without an address have none', () => {
    const services = createServices()
    expect(services.add('a', { ports, clusterIP: 'None', selector: { a: 'b' } }).clusterIPs).toEqual(['None'])
    expect(services.add('b', { type: 'ExternalName', externalName: 'a.b' }).clusterIPs).toBeUndefined()
  })

  test('share a port of the nodes between the protocols of one port', () => {
    const services = createServices()
    const both = [
      { name: 'a', port: 53, protocol: 'TCP' },
      { name: 'b', port: 53, protocol: 'UDP' },
    ]
    expect(
      services.add('a', { type: 'NodePort', ports: both }).ports?.map(({ nodePort }) => nodePort),
    ).toEqual([30_086, 30_086])
    expect(services.add('b', { type: 'NodePort', ports }).ports?.[0]?.nodePort).toBe(30_087)
  })

  test('of a balancer that keeps to its own node get a port for the health check', () => {
    const spec = createServices().add('a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports })
    expect(spec.ports?.[0]?.nodePort).toBe(30_086)
    expect(spec.healthCheckNodePort).toBe(30_087)
  })
})
