import { object } from './objects.js'
import type { BadManifest } from './validation.js'

const service = (spec: object): BadManifest => ({
  resource: 'services',
  body: object('v1', 'Service', 'a', { spec }),
})
const ports = [{ port: 80 }]
const ingress = (spec: object): BadManifest => ({
  resource: 'ingresses',
  body: object('networking.k8s.io/v1', 'Ingress', 'a', { spec }),
})
const backend = { service: { name: 's', port: { number: 80 } } }
const path = (fields: object): BadManifest =>
  ingress({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...fields }] } }] })
const policy = (spec: object): BadManifest => ({
  resource: 'networkpolicies',
  body: object('networking.k8s.io/v1', 'NetworkPolicy', 'a', { spec: { podSelector: {}, ...spec } }),
})
const slice = (fields: object): BadManifest => ({
  resource: 'endpointslices',
  body: object('discovery.k8s.io/v1', 'EndpointSlice', 'a', {
    addressType: 'IPv4',
    endpoints: [],
    ports: [],
    ...fields,
  }),
})
const endpoints = (subsets: unknown): BadManifest => ({
  resource: 'endpoints',
  body: object('v1', 'Endpoints', 'a', { subsets }),
})

/** Services, ingresses and policies that are refused. */
export const badNetwork: Readonly<Record<string, BadManifest>> = {
  'a service without a spec': { resource: 'services', body: object('v1', 'Service', 'a') },
  'a service without ports': service({ ports: [] }),
  'a service with a port out of range': service({ ports: [{ port: 0 }, { port: 70_000, name: 'x' }] }),
  'a service with nameless ports': service({ ports: [{ port: 80 }, { port: 81 }] }),
  'a service with a port name twice': service({
    ports: [
      { port: 80, name: 'a' },
      { port: 81, name: 'a' },
    ],
  }),
  'a service with a port twice': service({
    ports: [
      { port: 80, name: 'a' },
      { port: 80, name: 'b' },
    ],
  }),
  'a service with a wrong port name': service({ ports: [{ port: 80, name: 'Not Ok' }] }),
  'a service with a wrong target': service({ ports: [{ port: 80, targetPort: 'NOT OK' }] }),
  'a service with a target out of range': service({ ports: [{ port: 80, targetPort: 99_999 }] }),
  'a service with an unknown protocol': service({ ports: [{ port: 80, protocol: 'ICMP' }] }),
  'a service of an unknown type': service({ type: 'Magic', ports }),
  'a service with a wrong selector': service({ ports, selector: { 'not ok': 'x' } }),
  'a service with a wrong address': service({ ports, clusterIP: 'x' }),
  'a service with an address out of range': service({ ports, clusterIP: '192.168.7.7' }),
  'a service with two different addresses': service({ ports, clusterIP: 'None', clusterIPs: ['10.96.7.7'] }),
  'a headless service on nodes': service({ ports, clusterIP: 'None', type: 'NodePort' }),
  'a service without a name outside': service({ type: 'ExternalName' }),
  'a service with a wrong name outside': service({ type: 'ExternalName', externalName: 'Not Ok' }),
  'a service by name with an address': service({
    type: 'ExternalName',
    externalName: 'a.example.com',
    clusterIP: '10.96.7.7',
  }),
  'a service with a node port for nobody': service({ ports: [{ port: 80, nodePort: 30_080 }] }),
  'a service with a node port out of range': service({
    type: 'NodePort',
    ports: [{ port: 80, nodePort: 80 }],
  }),
  'a service with an unknown affinity': service({ ports, sessionAffinity: 'Love' }),
  'a service with a long affinity': service({
    ports,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 99_999_999 } },
  }),
  'a service with affinity for nobody': service({
    ports,
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
  }),
  'a service with a wrong outside address': service({ ports, externalIPs: ['x', '127.0.0.1', '0.0.0.0'] }),
  'a service with a policy for nobody': service({ ports, externalTrafficPolicy: 'Local' }),
  'a service with an unknown policy': service({ ports, type: 'NodePort', externalTrafficPolicy: 'Mine' }),
  'a service with an unknown inner policy': service({ ports, internalTrafficPolicy: 'Mine' }),
  'a service with ranges for nobody': service({ ports, loadBalancerSourceRanges: ['10.0.0.0/8'] }),
  'a service with wrong ranges': service({ type: 'LoadBalancer', ports, loadBalancerSourceRanges: ['x'] }),
  'a service with a wrong balancer class': service({
    type: 'LoadBalancer',
    ports,
    loadBalancerClass: 'not ok',
  }),
  'a service with a balancer class for nobody': service({ ports, loadBalancerClass: 'example.com/c' }),
  'a service with a health port for nobody': service({ ports, healthCheckNodePort: 30_000 }),
  'a service with an unknown family': service({ ports, ipFamilies: ['IPv5'] }),
  'a service of two families that must be': service({ ports, ipFamilyPolicy: 'RequireDualStack' }),
  'a service of a family that is not there': service({ ports, ipFamilies: ['IPv6'] }),
  'a service with an unknown distribution': service({ ports, trafficDistribution: 'Mine' }),
  'a service with a long name': {
    resource: 'services',
    body: object('v1', 'Service', 'a'.repeat(64), { spec: { ports } }),
  },
  'an ingress without rules': ingress({}),
  'an ingress without a spec': {
    resource: 'ingresses',
    body: object('networking.k8s.io/v1', 'Ingress', 'a'),
  },
  'an ingress without paths': ingress({ rules: [{ http: { paths: [] } }] }),
  'an ingress with a wrong host': ingress({
    rules: [{ host: 'Not Ok' }, { host: '1.2.3.4' }, { host: '*.*.example.com' }],
  }),
  'an ingress with a wrong class': ingress({ ingressClassName: 'Not Ok', defaultBackend: backend }),
  'an ingress with a wrong secret': ingress({
    defaultBackend: backend,
    tls: [{ secretName: 'Not Ok', hosts: ['Not Ok'] }],
  }),
  'a path without a type': path({ pathType: null }),
  'a path of an unknown type': path({ pathType: 'Regex' }),
  'a path without a slash': path({ path: 'x' }),
  'a path with dots': path({ path: '/a/../b' }),
  'a path without a backend': path({ backend: {} }),
  'a path with two backends': path({ backend: { ...backend, resource: { kind: 'K', name: 'n' } } }),
  'a backend without a port': path({ backend: { service: { name: 's' } } }),
  'a backend with two ports': path({ backend: { service: { name: 's', port: { number: 80, name: 'x' } } } }),
  'a backend with a wrong service': path({ backend: { service: { name: 'Not Ok', port: { number: 0 } } } }),
  'a backend with a wrong resource': path({ backend: { resource: { kind: '', name: '' } } }),
  'an ingress with an old class and a new one': {
    resource: 'ingresses',
    body: {
      ...object('networking.k8s.io/v1', 'Ingress', 'a', {
        spec: { ingressClassName: 'a', defaultBackend: backend },
      }),
      metadata: { name: 'a', annotations: { 'kubernetes.io/ingress.class': 'b' } },
    },
  },
  'a network policy with a wrong selector': policy({ podSelector: { matchLabels: { 'not ok': 'x' } } }),
  'a network policy with a wrong port': policy({
    ingress: [{ ports: [{ port: 0 }, { port: 'NOT OK' }, { protocol: 'ICMP', port: 80 }] }],
  }),
  'a network policy with a wrong range of ports': policy({
    ingress: [{ ports: [{ port: 80, endPort: 70 }, { endPort: 80 }, { port: 'http', endPort: 90 }] }],
  }),
  'a network policy with an empty peer': policy({ ingress: [{ from: [{}] }] }),
  'a network policy with a peer of two kinds': policy({
    ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }],
  }),
  'a network policy with a wrong block': policy({
    egress: [
      { to: [{ ipBlock: { cidr: 'x' } }, { ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8', 'y'] } }] },
    ],
  }),
  'a network policy of unknown types': policy({ policyTypes: ['Sideways'] }),
  'a network policy of too many types': policy({ policyTypes: ['Ingress', 'Egress', 'Ingress'] }),
  'endpoints without addresses': endpoints([{ ports: [{ port: 80 }] }]),
  'endpoints with wrong addresses': endpoints([
    { addresses: [{ ip: 'x' }, { ip: '127.0.0.1' }, { ip: '169.254.1.1' }, { ip: '224.0.0.1' }] },
  ]),
  'endpoints with wrong ports': endpoints([
    {
      addresses: [{ ip: '1.2.3.4', nodeName: 'Not Ok' }],
      ports: [{ port: 0 }, { port: 80, protocol: 'ICMP' }],
    },
  ]),
  'a slice of an unknown type': slice({ addressType: 'MAC' }),
  'a slice without a type': slice({ addressType: '' }),
  'a slice with wrong addresses': slice({
    endpoints: [
      { addresses: [] },
      { addresses: ['x'] },
      { addresses: ['::1'] },
      { addresses: ['127.0.0.1'] },
    ],
  }),
  'a slice with wrong ports': slice({
    ports: [{ name: 'Not Ok', port: 80, protocol: 'ICMP' }, { name: 'a' }, { name: 'a' }],
  }),
  'a slice with wrong hints': slice({
    endpoints: [
      { addresses: ['1.2.3.4'], hostname: 'Not Ok', nodeName: 'Not Ok', hints: { forZones: [{ name: '' }] } },
    ],
  }),
  'an ingress class without a controller': {
    resource: 'ingressclasses',
    body: object('networking.k8s.io/v1', 'IngressClass', 'a', { spec: {} }),
  },
  'an ingress class with a wrong controller': {
    resource: 'ingressclasses',
    body: object('networking.k8s.io/v1', 'IngressClass', 'a', {
      spec: { controller: 'short', parameters: { kind: '', name: '', scope: 'Mine' } },
    }),
  },
}
