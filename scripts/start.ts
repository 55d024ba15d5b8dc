// `npm start`: a control plane and the Foo operator on it, to play with. Runs until Ctrl-C.
import { readFile } from 'node:fs/promises'
import { createLogger, describeCause, installKinds, isKubewrightError } from 'kubewright'
import { assembleOperator, parseOperatorFlags } from 'kubewright/operator'
import { createCluster, describeProgress } from 'kubewright/testing'
import { Foo } from '../examples/foo/api/foo.js'
import { operator } from '../examples/foo/operator.js'

const sample = new URL('../examples/foo/config/sample/foo.yaml', import.meta.url)

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

async function start(): Promise<void> {
  await using cluster = await createCluster({
    kind: 'control-plane',
    nodes: 1,
    onProgress: (progress) => console.log(describeProgress(progress)),
    signal: stop.signal,
  })
  const { client, config, kubeconfig } = cluster
  await installKinds(client, operator.kinds, { signal: stop.signal })

  const flags = parseOperatorFlags([], process.stdout.isTTY === true)
  if (flags === 'help') return
  const assembled = await assembleOperator(operator, {
    config,
    flags,
    log: createLogger({ format: 'human', level: 'warn' }),
    onRun: ({ key, result, durationMs, causes }) => {
      console.log(
        `Foo ${key} ${result} in ${durationMs.toFixed(0)} ms, because: ${causes.map(describeCause).join('; ')}`,
      )
    },
  })
  const running = assembled.run(stop.signal)

  console.log(`
The Foo operator runs. In another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl get foo,deployment
  kubectl patch foo foo-sample --type=merge -p '{"spec":{"replicas":3}}'
  kubectl delete deployment foo-sample     # and watch it come back

Ctrl-C stops everything. What happens to the Foo:
`)
  await cluster.kubectl(['apply', '-f', '-'], { input: await readFile(sample, 'utf8') })
  console.log(`Applied ${Foo.kind} default/foo-sample`)
  await running
}

try {
  await start()
} catch (error) {
  if (stop.signal.aborted) process.exitCode = 130
  else if (isKubewrightError(error)) {
    console.error(`${error.message} (${error.code})`)
    process.exitCode = 1
  } else throw error
}
