import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ClusterAccess, type ControlPlaneCluster, createCluster } from 'kubewright/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = async (access: ClusterAccess, line: string, input?: string): Promise<string> => {
  const result = await access.kubectl(line.split(' '), input === undefined ? {} : { input })
  expect(result).toMatchObject({ exitCode: 0 })
  return result.stdout.trim()
}

// `ps` and not a signal: where nobody collects orphans, a killed process stays in the table as a zombie.
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

/** The programs of the control planes that the process made: its grandchildren, below their supervisors. */
function programsOf(parent: number | undefined): number[] {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
  const table = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, ppid, command = '']) => ({
      pid: Number(pid),
      ppid: Number(ppid),
      command: basename(command),
    }))
  const children = new Set(table.filter(({ ppid }) => ppid === parent).map(({ pid }) => pid))
  return table
    .filter(({ ppid, command }) => children.has(ppid) && /^(etcd|kube-|kwok)/.test(command))
    .map(({ pid }) => pid)
}

describe('a control plane with controllers and two nodes', () => {
  let cluster: ControlPlaneCluster
  beforeAll(async () => {
    cluster = await createCluster({ kind: 'control-plane', nodes: 2 })
  })
  afterAll(() => cluster.stop())

  test('both nodes are ready', async () => {
    const nodes = await run(cluster, 'get nodes --no-headers')
    expect(nodes.split('\n').map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
      ['node-1', 'Ready'],
      ['node-2', 'Ready'],
    ])
  })

  test('a Deployment becomes available', async () => {
    await run(cluster, 'create deployment web --image=nginx --replicas=2')
    await run(cluster, 'wait --for=condition=Available deployment/web --timeout=60s')
    expect(await run(cluster, 'get pods -l app=web -o jsonpath={.items[*].status.phase}')).toBe(
      'Running Running',
    )
  })

  test('the administrator is one of the masters', async () => {
    const review: unknown = JSON.parse(await run(cluster, 'auth whoami -o json'))
    expect(review).toMatchObject({
      status: {
        userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
      },
    })
  })

  test('a user may do what the rules for one of its groups say, and nothing else', async () => {
    const jane = await cluster.user({ name: 'jane', groups: ['developers', 'night-shift'] })
    const refused = await jane.kubectl(['get', 'configmaps'])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('User "jane" cannot list resource "configmaps"')
    await run(cluster, 'create role reader --verb=get,list --resource=configmaps')
    await run(cluster, 'create rolebinding readers --role=reader --group=night-shift')
    await expect
      .poll(async () => (await jane.kubectl(['get', 'configmaps', '-o', 'name'])).stdout)
      .toContain('configmap/kube-root-ca.crt')
    expect((await jane.kubectl(['create', 'configmap', 'mine'])).stderr).toContain('cannot create resource')
  })

  test('kubectl reads its standard input, and a failure is a result', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'piped' }, data: { a: '1' } }
    await run(cluster, 'apply -f -', JSON.stringify(object))
    expect(await run(cluster, 'get configmap piped -o jsonpath={.data.a}')).toBe('1')
    expect(await cluster.kubectl(['get', 'configmap', 'absent'])).toEqual({
      stdout: '',
      stderr: 'Error from server (NotFound): configmaps "absent" not found\n',
      exitCode: 1,
    })
  })

  test('the client sees what kubectl wrote', async () => {
    await run(cluster, 'create configmap seen --from-literal=a=1')
    const response = await cluster.client.request({
      method: 'GET',
      path: '/api/v1/namespaces/default/configmaps/seen',
    })
    let text = ''
    for await (const chunk of response.body) text += Buffer.from(chunk).toString()
    expect(JSON.parse(text)).toMatchObject({ data: { a: '1' } })
  })

  test('the same cluster can be taken as an existing one, with other users by impersonation', async () => {
    await using existing = await createCluster({ kind: 'existing', kubeconfig: cluster.kubeconfig })
    expect(existing.config.server).toBe(cluster.config.server)
    const joe = await existing.user({ name: 'joe', groups: ['visitors'] })
    const review: unknown = JSON.parse(await run(joe, 'auth whoami -o json'))
    expect(review).toMatchObject({
      status: { userInfo: { username: 'joe', groups: ['visitors', 'system:authenticated'] } },
    })
    await existing.stop()
    expect(existsSync(joe.kubeconfig)).toBe(false)
    await expect(existing.kubectl(['version'])).rejects.toThrow(
      expect.objectContaining({ code: 'KW_CLUSTER_STOPPED' }),
    )
    expect(await run(cluster, 'get --raw /readyz')).toBe('ok')
  })

  test('each program has a log', async () => {
    const logs = await cluster.logs()
    expect(Object.keys(logs)).toEqual([
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kwok',
    ])
    expect(logs['kube-apiserver']).toContain('Serving securely on 127.0.0.1')
  })

  test('an API server that was killed comes back under its address with its data', async () => {
    await run(cluster, 'create configmap kept --from-literal=a=1')
    await cluster.apiserver.kill()
    expect((await cluster.kubectl(['get', 'configmap', 'kept'])).stderr).toContain('refused')
    await cluster.apiserver.start()
    expect(await run(cluster, 'get configmap kept -o jsonpath={.data.a}')).toBe('1')
  })

  test('a paused API server answers nothing until it goes on', async () => {
    cluster.apiserver.pause()
    const patient = cluster.kubectl(['get', '--raw', '/readyz'])
    const impatient = await cluster.kubectl(['get', '--raw', '/readyz', '--request-timeout=500ms'])
    expect(impatient.exitCode).toBe(1)
    cluster.apiserver.resume()
    expect((await patient).stdout).toBe('ok')
  })
})

test('two control planes run side by side and know nothing of each other', async () => {
  const [first, second] = await Promise.all([
    createCluster({ kind: 'control-plane' }),
    createCluster({ kind: 'control-plane', apiserverFlags: ['--runtime-config=apps/v1=false'] }),
  ])
  try {
    expect(first.config.server).not.toBe(second.config.server)
    await run(first, 'create namespace only-here')
    expect(await run(second, 'get namespaces -o name')).not.toContain('only-here')
    expect(await run(first, 'api-versions')).toContain('apps/v1')
    expect(await run(second, 'api-versions')).not.toContain('apps/v1')
    // Without controllers there are no service accounts, and still a pod can be made.
    await run(first, 'run alone --image=nginx')
    // The credentials of one are nothing to the other.
    const mixed = await first.kubectl(['get', 'namespaces', `--server=${second.config.server}`])
    expect(mixed.stderr).toContain('certificate signed by unknown authority')
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
})

test('stop ends every process, removes every file, and may be called twice', async () => {
  const cluster = await createCluster({ kind: 'control-plane' })
  const folder = dirname(cluster.kubeconfig)
  const pids = programsOf(process.pid)
  expect(pids).toHaveLength(2)
  await Promise.all([cluster.stop(), cluster.stop()])
  expect(pids.filter(isAlive)).toEqual([])
  expect(existsSync(folder)).toBe(false)
  await cluster.stop()
  await expect(cluster.kubectl(['version'])).rejects.toThrow(
    expect.objectContaining({ code: 'KW_CLUSTER_STOPPED' }),
  )
  await expect(cluster.apiserver.start()).rejects.toThrow(
    expect.objectContaining({ code: 'KW_CLUSTER_STOPPED' }),
  )
})

test('a program that refuses to start is explained by the end of its log', async () => {
  await expect(createCluster({ kind: 'control-plane', apiserverFlags: ['--no-such-flag'] })).rejects.toThrow(
    expect.objectContaining({
      code: 'KW_CONTROL_PLANE_START_FAILED',
      message: expect.stringContaining('kube-apiserver ended with code 1'),
      logs: expect.objectContaining({
        'kube-apiserver': expect.stringContaining('unknown flag: --no-such-flag'),
      }),
    }),
  )
})

test('a start can be given up, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-given-up-'))
  const controller = new AbortController()
  const starting = createCluster({
    kind: 'control-plane',
    // The cluster's own folder will be in this one.
    env: { ...process.env, TMPDIR: folder },
    signal: controller.signal,
    onProgress: (progress) => {
      if (progress.kind === 'starting' && progress.component === 'kube-apiserver')
        controller.abort(new Error('enough'))
    },
  })
  await expect(starting).rejects.toThrow('enough')
  expect(programsOf(process.pid)).toEqual([])
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

async function squat(port: number): Promise<{ readonly port: number; leave(): Promise<void> }> {
  // Takes connections and never says a word.
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    leave: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

test('a port that is taken is an error when it was asked for by number', async () => {
  const squatter = await squat(0)
  await expect(createCluster({ kind: 'control-plane', port: squatter.port })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_PORT_IN_USE', port: squatter.port }),
  )
  await squatter.leave()
})

test('an API server whose port was taken while it was down waits until it has it back', async () => {
  await using cluster = await createCluster({ kind: 'control-plane' })
  const port = Number(new URL(cluster.config.server).port)
  await cluster.apiserver.kill()
  const squatter = await squat(port)
  const starting = cluster.apiserver.start()
  await expect
    .poll(async () => (await cluster.logs())['kube-apiserver'], { timeout: 30_000 })
    .toContain('address already in use')
  await squatter.leave()
  await starting
  expect(await run(cluster, 'get --raw /readyz')).toBe('ok')
})

test('a program of the control plane that dies by itself is told', async () => {
  const failed: string[] = []
  await using cluster = await createCluster({
    kind: 'control-plane',
    onFailure: (error) => failed.push(`${error.code} ${error.program}`),
  })
  await cluster.apiserver.kill()
  await cluster.apiserver.start()
  expect(failed).toEqual([])
  const [pid = 0] = programsOf(process.pid)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => failed).toHaveLength(1)
  expect(failed[0]).toMatch(/^KW_CONTROL_PLANE_FAILED (etcd|kube-apiserver)$/)
})

/** Runs a module text as a process of its own, with the sources of this checkout. */
function spawnModule(text: string): ChildProcess & { readonly output: () => string } {
  const child = spawn(
    process.execPath,
    ['--conditions=kubewright-source', '--import', 'tsx', '--input-type=module', '-e', text],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  return Object.assign(child, { output: () => output })
}

test('nothing is left when the process that made the cluster is killed with SIGKILL', async () => {
  const parent = spawnModule(`
    const { createCluster } = await import('kubewright/testing')
    const cluster = await createCluster({ kind: 'control-plane', nodes: 1 })
    console.log('at ' + cluster.kubeconfig + ' end')
    setInterval(() => {}, 1000)`)
  await expect.poll(parent.output, { timeout: 90_000 }).toMatch(/ end/)
  const folder = dirname(/at (.*) end/.exec(parent.output())?.[1] ?? '')
  const pids = programsOf(parent.pid)
  expect(pids).toHaveLength(5)
  parent.kill('SIGKILL')
  await expect.poll(() => [...pids.filter(isAlive), existsSync(folder)], { timeout: 20_000 }).toEqual([false])
})

test('a process that forgets its cluster ends, and the cluster with it', async () => {
  const parent = spawnModule(`
    const { createCluster } = await import('kubewright/testing')
    const cluster = await createCluster({ kind: 'control-plane' })
    console.log('at ' + cluster.kubeconfig + ' end')`)
  const [code] = await once(parent, 'exit')
  expect(code).toBe(0)
  const folder = dirname(/at (.*) end/.exec(parent.output())?.[1] ?? '')
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false)
})

describe('the command', () => {
  const command = pathToFileURL(resolve('src/cli/control-plane.ts')).href
  const runCommand = (options: object): ReturnType<typeof spawnModule> =>
    spawnModule(`
      const { runControlPlane } = await import(${JSON.stringify(command)})
      process.exitCode = await runControlPlane(${JSON.stringify(options)}).catch((error) => (console.log(error.code), 1))`)

  test('says how to reach the control plane, runs until it is interrupted, and cleans up', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-command-'))
    try {
      const kubeconfig = join(folder, 'my kubeconfig')
      const child = runCommand({ kubeconfig })
      await expect.poll(child.output, { timeout: 90_000 }).toContain('Ctrl-C')
      expect(child.output().split('\n')[0]).toBe(`KUBECONFIG='${kubeconfig}'`)
      await using existing = await createCluster({ kind: 'existing', kubeconfig })
      expect(await run(existing, 'get namespace default -o name')).toBe('namespace/default')
      child.kill('SIGINT')
      const [code] = await once(child, 'exit')
      expect(code).toBe(0)
      expect(existsSync(kubeconfig)).toBe(false)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('does not overwrite a kubeconfig that is not its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-command-'))
    try {
      const kubeconfig = join(folder, 'config')
      await writeFile(kubeconfig, 'apiVersion: v1\nkind: Config\n')
      const child = runCommand({ kubeconfig })
      await once(child, 'exit')
      expect(child.output()).toBe('KW_KUBECONFIG_EXISTS\n')
      expect(await readFile(kubeconfig, 'utf8')).toBe('apiVersion: v1\nkind: Config\n')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('prints where the binaries are, for other tools', async () => {
    const child = runCommand({ assetsOnly: true })
    await once(child, 'exit')
    expect(child.output()).toMatch(/^export KUBEBUILDER_ASSETS=.*v1\.36\.3-\w+-\w+\n$/)
  })
})
