import { expect, test } from 'vitest'
import { req } from '/tmp/g/ref.mjs'
// @ts-nocheck
import { createAdmissionTestServer } from '../test-admission.js'

const norm = (v: any): any => {
  if (typeof v === 'string')
    return v
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'UID')
      .replace(/kube-api-access-\w{5}/g, 'kube-api-access-X')
      .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
  if (Array.isArray(v)) return v.map(norm)
  if (v && typeof v === 'object') {
    const o: any = {}
    for (const k of Object.keys(v).sort()) {
      if (['resourceVersion', 'managedFields', 'uid'].includes(k)) continue
      if (k === 'metadata' && Object.keys(v[k]).length === 0) continue
      o[k] = norm(v[k])
    }
    return o
  }
  return v
}
const cases = (await import(process.env.CASES ?? '/tmp/g/cases.mjs')).cases
test('diff', async () => {
  const server = await createAdmissionTestServer()
  const { bootstrapRoles } = await import('../auth/bootstrap-roles.js')
  for (const ns of ['default', 'kube-system', 'kube-public'])
    if (!server.parts.cluster.get('namespaces', '', ns))
      await server.create('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: ns },
      })
  for (const r of await bootstrapRoles()) {
    const p = {
      ClusterRole: 'clusterroles',
      ClusterRoleBinding: 'clusterrolebindings',
      Role: `namespaces/${r.metadata.namespace}/roles`,
      RoleBinding: `namespaces/${r.metadata.namespace}/rolebindings`,
    }[r.kind]
    await server.create(`/apis/rbac.authorization.k8s.io/v1/${p}`, r as any)
  }
  let same = 0,
    diff = 0
  for (const c of await cases()) {
    const [method, path, body, opt = {}] = c
    if (opt.before) await opt.before()
    const u = opt.user
    const headers: any = {
      'user-agent': 'tester/1',
      ...(opt.type && { 'content-type': opt.type }),
      ...(u && { 'impersonate-user': u, 'impersonate-group': opt.groups ?? ['system:authenticated'] }),
    }
    const real = await req(method, path, body, headers)
    const mine = await server.send(method, path, body, {
      ...(opt.type && { contentType: opt.type }),
      ...(u && { user: { name: u, groups: opt.groups ?? ['system:authenticated'] } }),
    })
    if (opt.wait) await new Promise((r) => setTimeout(r, opt.wait))
    const a = JSON.stringify(
      norm({ s: real.status, w: real.headers.warning ?? '', b: real.json ?? real.text }),
    )
    const b = JSON.stringify(norm({ s: mine.status, w: mine.warnings.join(', '), b: mine.body ?? mine.text }))
    if (opt.quiet) continue
    if (a === b) {
      same++
      if (process.env.VERBOSE) console.log('SAME', method, path, a.slice(0, 300))
    } else {
      diff++
      const x = JSON.parse(a),
        y = JSON.parse(b)
      const short = (z: any) =>
        z.b?.kind === 'Status' ? `${z.s} ${z.b.message} ${z.w}` : `${z.s} ${z.w} ${JSON.stringify(z.b)}`
      const [m, n] = [short(x), short(y)]
      console.log(
        `DIFF ${method} ${path} ${(opt.note ?? JSON.stringify(body ?? null)).slice(-160)}\n  real ${(m === n ? a : m).slice(0, 700)}\n  mine ${(m === n ? b : n).slice(0, 700)}`,
      )
    }
  }
  console.log(`same ${same} diff ${diff}`)
  expect(1).toBe(1)
}, 120000)
