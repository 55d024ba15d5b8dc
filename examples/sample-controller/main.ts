import { parseArgs } from 'node:util'
import { createClient, createLogger, installKinds, isKubewrightError, loadClusterConfig } from 'kubewright'
import { Controller } from './controller.js'
import { Foo } from './foo.js'

const { values } = parseArgs({
  options: { kubeconfig: { type: 'string' }, master: { type: 'string' }, v: { type: 'string', short: 'v' } },
})
const log = createLogger({ format: 'human', level: Number(values.v ?? 0) >= 4 ? 'debug' : 'info' })

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

try {
  const config = await loadClusterConfig({
    log,
    ...(values.kubeconfig !== undefined && { path: values.kubeconfig }),
    ...(values.master !== undefined && { master: values.master }),
  })
  const client = createClient({ config, log, fieldManager: 'sample-controller' })
  try {
    await installKinds(client, [Foo], { signal: stop.signal })
    await new Controller(client, log).run(2, stop.signal)
  } finally {
    client.close()
  }
} catch (error) {
  log.error(isKubewrightError(error) ? error.message : 'Error running controller', { error })
  process.exitCode = 1
}
