import { expect, test } from 'vitest'
import { ApiFailure } from '../failure.js'
import type { RequestInfo } from '../request/request-info.js'
import type { User } from '../user.js'
import type { Authorizer } from './authorizer.js'
import { createImpersonation, type Impersonation, type ImpersonationHeaders } from './impersonation.js'

const info: RequestInfo = {
  verb: 'list',
  path: '/api/v1/namespaces/geng/pods',
  isResource: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'geng',
  name: '',
}
const requestor: User = { name: 'imp', groups: ['system:authenticated'] }

/** Allows what is written like `impersonate users alice`, with a star for any name. */
function allowing(...rights: readonly string[]): Authorizer {
  return ({ info: { verb, resource, subresource, name } }) => {
    const what = subresource === '' ? resource : `${resource}/${subresource}`
    const isAllowed = rights.some(
      (right) => right === `${verb} ${what} ${name}` || right === `${verb} ${what} *`,
    )
    return { isAllowed, reason: '' }
  }
}

function refusalOf(impersonate: Impersonation, headers: ImpersonationHeaders): string {
  try {
    return `allowed as ${impersonate(headers, { user: requestor, info }).name}`
  } catch (error) {
    if (error instanceof ApiFailure) return `${error.status.code} ${error.message}`
    throw error
  }
}

test('a request without the headers acts as the one who sent it', () => {
  expect(createImpersonation(allowing())({}, { user: requestor, info })).toBe(requestor)
})

test.each<[ImpersonationHeaders, string]>([
  [
    { 'impersonate-group': 'a' },
    '400 requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} without impersonating a user name',
  ],
  [
    { 'impersonate-uid': 'a', 'impersonate-group': 'b', 'impersonate-extra-foo': 'bar' },
    '400 requested &user.DefaultInfo{Name:"", UID:"a", Groups:[]string{"b"}, Extra:map[string][]string{"foo":[]string{"bar"}}} without impersonating a user name',
  ],
  [
    { 'impersonate-user': 'bob' },
    '403 pods is forbidden: User "imp" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "geng"',
  ],
  [
    { 'impersonate-user': 'system:serviceaccount:geng:x' },
    '403 pods is forbidden: User "imp" cannot impersonate-on:serviceaccount:list resource "pods" in API group "" in the namespace "geng"',
  ],
  [
    { 'impersonate-user': 'system:node:n1' },
    '403 pods is forbidden: User "imp" cannot impersonate-on:arbitrary-node:list resource "pods" in API group "" in the namespace "geng"',
  ],
])('%j of somebody without any right: %s', (headers, expected) => {
  expect(refusalOf(createImpersonation(allowing()), headers)).toBe(expected)
})

test.each<[ImpersonationHeaders, string]>([
  [
    { 'impersonate-user': 'bob' },
    '403 users "bob" is forbidden: User "imp" cannot impersonate resource "users" in API group "" at the cluster scope',
  ],
  [
    { 'impersonate-user': 'system:serviceaccount:geng:x' },
    '403 serviceaccounts "x" is forbidden: User "imp" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "geng"',
  ],
  [
    { 'impersonate-user': 'alice', 'impersonate-group': 'g1' },
    '403 groups "g1" is forbidden: User "imp" cannot impersonate resource "groups" in API group "" at the cluster scope',
  ],
  [
    { 'impersonate-user': 'alice', 'impersonate-uid': 'u1' },
    '403 uids.authentication.k8s.io "u1" is forbidden: User "imp" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
  ],
  [
    { 'impersonate-user': 'alice', 'impersonate-extra-a.b%2fc': 'u1' },
    '403 userextras.authentication.k8s.io "u1" is forbidden: User "imp" cannot impersonate resource "userextras/a.b/c" in API group "authentication.k8s.io" at the cluster scope',
  ],
])('after the old way has worked once, its words are used: %j', (headers, expected) => {
  const impersonate = createImpersonation(allowing('impersonate users alice'))
  expect(refusalOf(impersonate, { 'impersonate-user': 'alice' })).toBe('allowed as alice')
  expect(refusalOf(impersonate, headers)).toBe(expected)
})

test('the user is as the headers say, in the standard group', () => {
  const impersonate = createImpersonation(() => ({ isAllowed: true, reason: '' }))
  const act = (headers: ImpersonationHeaders): User => impersonate(headers, { user: requestor, info })
  expect(
    act({
      'impersonate-user': 'bob',
      'impersonate-uid': '1',
      'impersonate-group': ['g1', 'g2'],
      'impersonate-extra-a.b%2fc': ['x', 'y'],
    }),
  ).toEqual({
    name: 'bob',
    uid: '1',
    groups: ['g1', 'g2', 'system:authenticated'],
    extra: { 'a.b/c': ['x', 'y'] },
  })
  expect(act({ 'impersonate-user': 'system:anonymous' }).groups).toEqual(['system:unauthenticated'])
  expect(act({ 'impersonate-user': 'x', 'impersonate-group': 'system:unauthenticated' }).groups).toEqual([
    'system:unauthenticated',
  ])
  expect(act({ 'impersonate-user': 'system:serviceaccount:n:s' }).groups).toEqual([
    'system:serviceaccounts',
    'system:serviceaccounts:n',
    'system:authenticated',
  ])
})

test('constrained, nobody becomes a master, and the verb must be allowed too', () => {
  const rights = ['impersonate:user-info users *', 'impersonate:user-info groups *']
  const headers = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' }
  const on = 'impersonate-on:user-info:list pods '
  expect(refusalOf(createImpersonation(allowing(...rights, on)), { 'impersonate-user': 'bob' })).toBe(
    'allowed as bob',
  )
  expect(refusalOf(createImpersonation(allowing(...rights)), { 'impersonate-user': 'bob' })).toContain(
    'cannot impersonate-on:user-info:list',
  )
  expect(refusalOf(createImpersonation(allowing(...rights, on)), headers)).toContain(
    'impersonating the system:masters group is not allowed',
  )
})
