import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Node } from 'kubewright/kinds/core/v1'
import { createCluster, type EmbeddedCluster, ensureControlPlane } from 'kubewright/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The programs of the pinned Kubernetes, unchanged, on the embedded server: in place of what it plays itself.
let cluster: EmbeddedCluster
let folder: string
const programs: ChildProcess[] = []

beforeAll(async () => {
  const { binaries } = await ensureControlPlane({
    components: ['kubectl', 'kube-controller-manager', 'kube-scheduler', 'kwok'],
  })
  cluster = await createCluster({ kind: 'embedded', simulation: false, controllers: false })
  folder = await mkdtemp(join(tmpdir(), 'embedded-programs-'))
  const config = join(folder, 'kwok.yaml')
  await writeFile(config, '')
  const common = ['--kubeconfig', cluster.kubeconfig]
  const start = (program: string, ...args: readonly string[]): void => {
    programs.push(spawn(program, [...common, ...args], { stdio: 'ignore' }))
  }
  start(binaries['kube-controller-manager'] ?? '', '--leader-elect=false', '--secure-port=0')
  start(binaries['kube-scheduler'] ?? '', '--leader-elect=false', '--secure-port=0')
  start(binaries.kwok ?? '', '--manage-all-nodes=true', '--config', config)
})

afterAll(async () => {
  await Promise.all(
    programs.map(async (program) => {
      const ended = new Promise((resolve) => program.once('exit', resolve))
      if (program.exitCode !== null) return
      program.kill('SIGKILL')
      await ended
    }),
  )
  await cluster.stop()
  await rm(folder, { recursive: true, force: true })
})

test('kube-controller-manager, kube-scheduler and kwok make a Deployment available, and take it away again', async () => {
  const resources = { cpu: '8', memory: '32Gi', pods: '110' }
  await cluster.client.create(Node, {
    metadata: { name: 'node-1', labels: { 'kubernetes.io/hostname': 'node-1' } },
    status: { allocatable: resources, capacity: resources },
  })
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await cluster.kubectl(args)
    expect(stderr.replace(/^Warning.*\n/gm, '')).toBe('')
    expect(exitCode).toBe(0)
    return stdout
  }
  await kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=2')
  await kubectl('rollout', 'status', 'deployment', 'web', '--timeout=120s')
  expect(await kubectl('get', 'deployment', 'web', '-o=jsonpath={.status.availableReplicas}')).toBe('2')
  await kubectl('delete', 'deployment', 'web', '--cascade=foreground')
  expect(await kubectl('get', 'replicasets', '-o', 'name')).toBe('')
  await kubectl('create', 'namespace', 'short-lived')
  await kubectl('delete', 'namespace', 'short-lived', '--timeout=120s')
})
