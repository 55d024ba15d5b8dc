import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringifyJson } from 'kubewright/base'
import { type Cluster, eventually } from 'kubewright/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createNamespace, kubectl, sharedCluster } from './shared-cluster.js'

let cluster: Cluster
let namespace: string
let folder: string

beforeAll(async () => {
  cluster = await sharedCluster()
  namespace = await createNamespace(cluster, 'kubectl')
  folder = await mkdtemp(join(tmpdir(), 'kubectl-test-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false'])
  await cluster.stop()
})

const run = (command: string, input?: string): Promise<string> =>
  kubectl(cluster, `-n ${namespace} ${command}`, input)

const manifest = (name: string, replicas: number): string =>
  stringifyJson({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'nginx' }] },
      },
    },
  })

describe('a workload, as a person works with it', () => {
  // Behind kwok's nodes nothing writes logs.
  test.runIf(inject('clusterKind') === 'embedded')('says of itself that it is a simulation', async () => {
    await run('apply -f -', manifest('talker', 1))
    await run('rollout status deployment talker --timeout=120s')
    const line = 'container main of image nginx runs as a simulation\n'
    expect(await run('logs deployment/talker')).toBe(line)
    expect(await run('logs deployment/talker --container=main --tail=0')).toBe('')
    expect(await run('logs deployment/talker --limit-bytes=9')).toBe('container')
    expect(await run('logs deployment/talker --timestamps')).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:]+Z container main/,
    )
    expect(await run('logs deployment/talker --since-time=2100-01-01T00:00:00Z')).toBe('')
    expect(await run('logs deployment/talker --since=1h')).toBe(line)
    await expect(run('logs deployment/talker --previous')).rejects.toThrow(
      'previous terminated container "main" in pod',
    )
    await run('delete deployment talker')
  })

  test('is applied, waited for, read in every form, changed and deleted', async () => {
    expect(await run('apply -f -', manifest('web', 1))).toBe('deployment.apps/web created\n')
    expect(await run('apply -f -', manifest('web', 1))).toBe('deployment.apps/web unchanged\n')
    expect(await run('rollout status deployment web --timeout=120s')).toContain('successfully rolled out')
    expect(await run('wait --for=condition=Available deployment/web --timeout=60s')).toContain(
      'condition met',
    )
    expect(await run('get deployment web')).toMatch(
      /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +1\/1 +1 +1 /,
    )
    expect(await run('get deployment web -o wide')).toMatch(
      /CONTAINERS +IMAGES +SELECTOR\n.*main +nginx +app=web/,
    )
    expect(await run('get pods -l app=web')).toMatch(
      /NAME +READY +STATUS +RESTARTS +AGE\nweb-\S+ +1\/1 +Running +0 /,
    )
    expect(await run('get deployment web -o jsonpath={.spec.replicas}')).toBe('1')
    expect(await run('get deployment web -o yaml')).toContain('\n  uid: ')
    // Kinds that other tests put into this category may go while it is asked for.
    await eventually(async () => expect(await run('get all')).toContain('replicaset.apps/web-'))
    expect(await run('describe deployment web')).toMatch(
      /Replicas: +1 desired \| 1 updated \| 1 total \| 1 available/,
    )
    expect(await run('describe pods -l app=web')).toContain('Status:           Running')
    expect(await run('diff -f -', manifest('web', 1))).toBe('')
    expect(await run('label deployment web tier=front')).toBe('deployment.apps/web labeled\n')
    expect(await run('annotate deployment web note=hello')).toBe('deployment.apps/web annotated\n')
    expect(await run('scale deployment web --replicas=2')).toBe('deployment.apps/web scaled\n')
    await run('rollout status deployment web --timeout=120s')
    expect(await run(`patch deployment web -p '{"spec":{"replicas":1}}'`)).toBe(
      'deployment.apps/web patched\n',
    )
    expect(
      await run(`patch deployment web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":3}]'`),
    ).toBe('deployment.apps/web patched\n')
    await run('set image deployment/web main=nginx:2')
    await run('rollout status deployment web --timeout=120s')
    expect(await run('rollout history deployment web')).toMatch(/REVISION +CHANGE-CAUSE\n1 .*\n2 /)
    await run('rollout undo deployment web')
    await run('rollout status deployment web --timeout=120s')
    expect(await run('get deployment web -o jsonpath={.spec.template.spec.containers[0].image}')).toBe(
      'nginx',
    )
    await eventually(async () => expect(await run('events')).toContain('ScalingReplicaSet'))
    expect(await run('get events --field-selector involvedObject.kind=Deployment')).toContain(
      'deployment/web',
    )
    expect(await run('delete deployment web')).toContain('deployment.apps "web" deleted')
    await run('wait --for=delete pod -l app=web --timeout=120s')
    await eventually(async () => expect(await run('get replicasets,pods -l app=web')).toBe(''))
  })

  test('leaves its pods behind when they are orphaned, and takes them along first in the foreground', async () => {
    await run('apply -f -', manifest('kept', 1))
    await run('rollout status deployment kept --timeout=120s')
    await run('delete deployment kept --cascade=orphan')
    expect(await run('get replicasets -l app=kept -o name')).toMatch(/^replicaset\.apps\/kept-/)
    await run('delete replicasets -l app=kept --cascade=foreground --wait=true')
    await eventually(async () => expect(await run('get pods -l app=kept')).toBe(''))
  })
})

describe('kubectl finds its way', () => {
  test('in what is served: resources, explanations, permissions', async () => {
    expect(await run('api-resources --api-group=apps')).toMatch(
      /deployments +deploy +apps\/v1 +true +Deployment/,
    )
    expect(await run('explain deployment.spec.replicas')).toMatch(/FIELD: replicas <integer>/)
    expect(await run('explain pods')).toContain('Pod is a collection of containers')
    expect(await run('auth can-i create deployments')).toBe('yes\n')
    const refused = await cluster.kubectl([
      'auth',
      'can-i',
      'list',
      'secrets',
      '--as=nobody',
      '-n',
      namespace,
    ])
    expect([refused.stdout, refused.exitCode]).toEqual(['no\n', 1])
    expect(await run('auth whoami')).toContain('system:masters')
    expect(await run('version')).toContain('Server Version: v1.36.3')
    expect(await run('get --raw /readyz')).toBe('ok')
  })

  test('with server-side apply: owners, conflicts, force', async () => {
    const config = (value: string): string =>
      stringifyJson({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'shared' },
        data: { key: value },
      })
    expect(await run('apply --server-side --field-manager=one -f -', config('a'))).toBe(
      'configmap/shared serverside-applied\n',
    )
    const other = ['apply', '-n', namespace, '--server-side', '--field-manager=two', '-f', '-']
    const conflict = await cluster.kubectl(other, { input: config('b') })
    expect(conflict.exitCode).toBe(1)
    expect(conflict.stderr).toContain('Apply failed with 1 conflict: conflict with "one": .data.key')
    expect(
      await run('apply --server-side --field-manager=two --force-conflicts -f -', config('b')),
    ).toContain('serverside-applied')
    expect(await run('get configmap shared -o yaml --show-managed-fields')).toMatch(/manager: two/)
  })

  test('with dry runs, differences and files', async () => {
    expect(await run('create configmap dry --from-literal=a=b --dry-run=server')).toBe(
      'configmap/dry created (server dry run)\n',
    )
    expect((await cluster.kubectl(['get', '-n', namespace, 'configmap', 'dry'])).exitCode).toBe(1)
    await run('create configmap real --from-literal=a=b')
    const changed = stringifyJson({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'real' },
      data: { a: 'c' },
    })
    const diff = await cluster.kubectl(['diff', '-n', namespace, '-f', '-'], { input: changed })
    expect(diff.exitCode).toBe(1)
    expect(diff.stdout).toMatch(/-\s+a: b\n\+\s+a: c/)
    await writeFile(
      join(folder, 'cm.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: built\ndata:\n  a: b\n',
    )
    await writeFile(
      join(folder, 'kustomization.yaml'),
      `namePrefix: k-\nnamespace: ${namespace}\nresources:\n- cm.yaml\n`,
    )
    expect(await run(`apply -k ${folder}`)).toBe('configmap/k-built created\n')
    expect(await run(`delete -k ${folder}`)).toContain('configmap "k-built" deleted')
  })

  test('and edits, replaces and refuses as it should', async () => {
    await run('create configmap edited --from-literal=a=b')
    process.env['KUBE_EDITOR'] = 'sed -i s/a:.b/a:\\ c/'
    expect(await run('edit configmap edited')).toBe('configmap/edited edited\n')
    expect(await run('get configmap edited -o jsonpath={.data.a}')).toBe('c')
    const wrong = await cluster.kubectl(['create', '-n', namespace, '-f', '-'], {
      input: manifest('Wrong_Name', 1),
    })
    expect(wrong.stderr).toContain(
      'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters',
    )
    const unknown = await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], {
      input: stringifyJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, date: {} }),
    })
    expect(unknown.stderr).toContain('unknown field "date"')
  })
})
