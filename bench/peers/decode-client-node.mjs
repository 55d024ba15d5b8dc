// @kubernetes/client-node, used as its documentation shows: the custom objects API for lists, Watch for watches.
import { CustomObjectsApi, KubeConfig, Watch } from '@kubernetes/client-node'
import { group, namespace, plural, version } from '../widgets.mjs'
import { cpuSeconds, events, report, server } from './decode-peer.mjs'

const config = new KubeConfig()
// It refuses plain HTTP otherwise; no TLS is involved.
config.loadFromClusterAndUser({ name: 'bench', server, skipTLSVerify: true }, { name: 'bench' })
const api = config.makeApiClient(CustomObjectsApi)

const listed = await cpuSeconds(async () => {
  let objects = 0
  let _continue
  do {
    const page = await api.listNamespacedCustomObject({
      group,
      version,
      namespace,
      plural,
      limit: 500,
      _continue,
    })
    objects += page.items.length
    _continue = page.metadata.continue
  } while (_continue)
  return objects
})
const watched = await cpuSeconds(
  () =>
    new Promise((resolve, reject) => {
      let seen = 0
      new Watch(config)
        .watch(
          `/apis/${group}/${version}/namespaces/${namespace}/${plural}`,
          { resourceVersion: '1000000' },
          (type) => {
            if (type === 'MODIFIED' && ++seen === events) resolve(seen)
          },
          (error) => (error && seen < events ? reject(error) : resolve(seen)),
        )
        .catch(reject)
    }),
)
report({ listed, watched })
process.exit(0)
