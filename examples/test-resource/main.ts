import { parseArgs } from 'node:util'
import { createClient, createLogger, installKinds, isKubewrightError, loadClusterConfig } from 'kubewright'
import { Controller } from './controller.js'
import { TestResource } from './test-resource.js'

const { values } = parseArgs({ options: { kubeconfig: { type: 'string' }, 'skip-crd': { type: 'boolean' } } })
const log = createLogger({ format: 'human' })

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

try {
  const config = await loadClusterConfig({
    log,
    ...(values.kubeconfig !== undefined && { path: values.kubeconfig }),
  })
  const client = createClient({ config, log, fieldManager: 'testresource-controller' })
  try {
    const controller = new Controller(client, log)
    if (values['skip-crd'] !== true) {
      // Registered from code, and waited for until the server serves it.
      await installKinds(client, [TestResource], { signal: stop.signal })
      await controller.createObject('default', 'example-tr2')
    }
    await controller.run(stop.signal)
  } finally {
    client.close()
  }
} catch (error) {
  log.error(isKubewrightError(error) ? error.message : 'The controller failed.', { error })
  process.exitCode = 1
}
