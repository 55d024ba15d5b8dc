import { expect, test } from 'vitest'
import { until } from './event-loop.js'
import { createRig } from './rig.js'
import { Widget } from './widgets.js'

test('without a fault a cache follows the server', async () => {
  const rig = await createRig()
  const { server } = rig
  server.store.create('widgets', { metadata: { name: 'a' }, spec: { size: 1 } })
  const { cache } = rig.startCache()
  const widgets = cache.of(Widget)
  await until(() => widgets.hasSynced)
  server.store.create('widgets', { metadata: { name: 'b' } })
  server.store.edit('widgets', 'default/a', (widget) => {
    widget['spec'] = { size: 2 }
  })
  await until(
    () => widgets.list().length === 2 && widgets.get({ namespace: 'default', name: 'a' })?.spec?.size === 2,
  )
  server.store.delete('widgets', 'default/a')
  await until(() => widgets.list().length === 1)
  expect(widgets.list()).toEqual(server.store.objects('widgets'))
})
