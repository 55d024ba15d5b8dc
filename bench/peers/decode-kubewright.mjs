// kubewright as built for publishing (`npm run build`).
import { createClient, loadClusterConfig } from '../../dist/client/index.js'
import { group, namespace, plural, version } from '../widgets.mjs'
import { cpuSeconds, events, report, server } from './decode-peer.mjs'

const Widget = {
  group,
  version,
  kind: 'Widget',
  plural,
  singular: 'widget',
  listKind: 'WidgetList',
  scope: 'Namespaced',
  subresources: [],
}
const client = createClient({ config: await loadClusterConfig({ master: server, kubeconfig: '' }) })

const listed = await cpuSeconds(async () => {
  let objects = 0
  for await (const page of client.pages(Widget, { namespace, pageSize: 500 })) objects += page.items.length
  return objects
})
const watched = await cpuSeconds(async () => {
  let seen = 0
  for await (const event of client.watch(Widget, { namespace, resourceVersion: '1000000' })) {
    if (event.type === 'modified' && ++seen === events) break
  }
  return seen
})
report({ listed, watched })
process.exit(0)
