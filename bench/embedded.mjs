// The embedded API server next to the real one, under the same load: how soon it is ready, what it takes, what it gives.
import { fileURLToPath } from 'node:url'
import { startChild } from './children.mjs'
import { median, printComparison } from './measure.mjs'
import { cpuSecondsOf, peakMiBOf, rssMiBOf } from './processes.mjs'
import { servers } from './servers.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const connections = 8
const objects = 10_000

/** In this order, on one server. `unit` is what an operation of it is called. */
const loads = [
  { task: 'createWidgets', count: objects, unit: 'creates of custom objects' },
  { task: 'createDeployments', count: 2_000, unit: 'creates of Deployments' },
  { task: 'getWidgets', count: 10_000, of: objects, unit: 'gets' },
  { task: 'changeWidgets', count: 2_000, unit: 'merge patches' },
  { task: 'listWhole', times: 5, unit: `lists of ${objects}` },
  { task: 'listPaged', times: 3, unit: `lists of ${objects} in pages of 500` },
  { task: 'fanOut', count: 500, unit: 'events to 100 watchers' },
]

export async function embedded({ repeats }) {
  const runs = { embedded: [], real: [] }
  const inProcess = { alone: [], whole: [] }
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const name of Object.keys(runs)) {
      runs[name].push(await measureServer(name))
      console.error(`embedded: ${name}, repeat ${repeat} of ${repeats}`)
    }
    // Short, and so of many tries: what else the machine does weighs more.
    for (let tries = 0; tries < 5; tries++)
      for (const [name, starts] of Object.entries(inProcess)) starts.push(await startInProcess(name))
  }
  console.log(
    `\nThe embedded API server beside etcd + kube-apiserver, HTTPS, ${connections} connections (n = ${repeats})`,
  )
  const [sample] = runs.embedded
  const realStart = median(runs.real.map((run) => run.get('start to ready as a program, s')))
  const startOf = (of, starts) => median(starts.map((start) => start[of]))
  printComparison(
    ['measure', 'embedded', 'etcd + kube-apiserver'],
    [
      ...[
        { name: 'start to ready in a test, s', seconds: startOf('first', inProcess.alone) },
        { name: 'the same with workloads and controllers, s', seconds: startOf('first', inProcess.whole) },
        { name: 'a further one in the same test, s', seconds: startOf('next', inProcess.alone) },
      ].map(({ name, seconds }) => ({ name, isRate: false, values: [seconds, realStart] })),
      ...[...sample.keys()].map((measure) => ({
        name: measure,
        isRate: measure.includes(' / '),
        values: Object.values(runs).map((list) => median(list.map((run) => run.get(measure)))),
      })),
    ],
  )
}

/** One server from its start to its end, as a map from what was measured to the figure. */
async function measureServer(name) {
  const load = startChild(process.execPath, [here('load.mjs')])
  const ask = async (task) => {
    load.say(JSON.stringify(task))
    return JSON.parse(await load.nextLine())
  }
  await ask({ task: 'greet' })
  const measured = new Map()
  const begin = performance.now()
  const { kubeconfig, pids, stop } = await servers[name]()
  try {
    await ask({ task: 'connect', kubeconfig })
    measured.set('start to ready as a program, s', (performance.now() - begin) / 1000)
    measured.set('start to ready as a program, CPU s', cpuSecondsOf(pids))
    await ask({ task: 'prepare', connections })
    measured.set('RSS after start, MiB', rssMiBOf(pids))
    for (const { unit, ...task } of loads) {
      if (task.task === 'fanOut') await ask({ task: 'watch', count: 100 })
      const before = cpuSecondsOf(pids)
      const { operations, seconds } = await ask(task)
      const cpuSeconds = cpuSecondsOf(pids) - before
      measured.set(`${unit} / CPU s`, operations / cpuSeconds)
      measured.set(`${unit} / s`, operations / seconds)
      if (task.task.startsWith('list')) await ask({ task: 'check', count: objects })
      if (task.task === 'createWidgets') measured.set(`RSS with ${objects} objects, MiB`, rssMiBOf(pids))
    }
    measured.set('peak RSS, MiB', peakMiBOf(pids))
    return measured
  } finally {
    await load.stop()
    await stop()
  }
}

/** From `createCluster()` to the answer of the first list. A test file pays for its first cluster once. */
async function startInProcess(name) {
  const child = startChild(process.execPath, [here('in-process-start.mjs'), name])
  const { first, next } = JSON.parse(await child.nextLine())
  return { first, next: median(next) }
}
