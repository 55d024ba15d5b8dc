import { type ControllerDefinition, defineController, settled } from '../../src/controller/index.js'
import { ownerReferenceTo } from '../../src/objects/index.js'
import type { ApiServer } from './api-server.js'
import { exclusively } from './controlled-widgets.js'
import { Gadget, Widget } from './widgets.js'

const parts = ['left', 'right']

/** What exists outside the cluster: one account for each widget, by the uid of its owner. */
export type Accounts = Map<string, number>

/**
 * An operator as people write them, with several writes in a run: two gadgets of the widget's size, an account outside
 * the cluster, and a status that says what was seen. Its clean-up closes the account.
 */
export function widgetOperator(accounts: Accounts): ControllerDefinition {
  return defineController({
    for: Widget,
    owns: [Gadget],
    workers: 4,
    reconcile: exclusively(async (widget, { cache, client }) => {
      const { name, namespace, uid } = widget.metadata
      const size = widget.spec?.size ?? 0
      accounts.set(uid, size)
      for (const part of parts) {
        const key = { namespace, name: `${name}-${part}` }
        const gadget = cache.get(Gadget, key)
        const spec = { size, part }
        if (gadget === undefined) {
          const ownerReferences = [ownerReferenceTo(widget, { controller: true })]
          await client.create(Gadget, { metadata: { ...key, ownerReferences }, spec })
        } else if (gadget.spec?.size !== size) {
          await client.patch(Gadget, key, { merge: { spec } })
        }
      }
      if (widget.status?.observed !== size) {
        await client.patchStatus(Widget, { namespace, name }, { merge: { status: { observed: size } } })
      }
      return settled()
    }),
    finalize: exclusively(async (widget, { cache, client }) => {
      const { name, namespace, uid } = widget.metadata
      for (const part of parts) {
        const key = { namespace, name: `${name}-${part}` }
        const gadget = cache.get(Gadget, key)
        if (gadget !== undefined)
          await client.delete(Gadget, key, { preconditions: { uid: gadget.metadata.uid } })
      }
      accounts.delete(uid)
    }),
  })
}

/** The world without what differs from run to run: what must be the same however it came about. */
export function worldOf({ store }: ApiServer, accounts: Accounts): unknown {
  return {
    widgets: store.objects('widgets').map(({ metadata, spec, status }) => ({
      name: metadata.name,
      finalizers: metadata.finalizers,
      spec,
      status,
    })),
    gadgets: store.objects('gadgets').map(({ metadata, spec }) => ({
      name: metadata.name,
      isOwned: store
        .objects('widgets')
        .some(({ metadata: { uid } }) => uid === metadata.ownerReferences?.[0]?.uid),
      spec,
    })),
    accounts: store.objects('widgets').map(({ metadata }) => accounts.get(metadata.uid)),
    strayAccounts: [...accounts.keys()].filter((uid) =>
      store.objects('widgets').every(({ metadata }) => metadata.uid !== uid),
    ).length,
  }
}
