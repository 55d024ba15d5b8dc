import type { ApiObject } from '../api-object.js'
import { notFound } from '../failure.js'
import type { Answer, Handler } from '../resource.js'
import { createBindingHandler } from './core/pod-binding.js'
import type { BuiltinOptions } from './kind-rules.js'

/** What answers for resources of the core group that are kept nowhere, by their plural. */
export function virtualHandlers(options: BuiltinOptions): Readonly<Record<string, Handler>> {
  return { bindings: createBindingHandler(options), componentstatuses: answerComponents }
}

// What others run as programs of their own is one with this server: where it answers, they are well.
const components = ['scheduler', 'controller-manager', 'etcd-0']

async function answerComponents({ info }: Parameters<Handler>[0]): Promise<Answer> {
  if (info.verb === 'get') {
    if (!components.includes(info.name)) throw notFound({ group: '', resource: 'componentstatus' }, info.name)
    const object: ApiObject = { kind: 'ComponentStatus', apiVersion: 'v1', ...component(info.name) }
    return { object }
  }
  const object: ApiObject = {
    kind: 'ComponentStatusList',
    apiVersion: 'v1',
    metadata: {},
    items: components.map(component),
  }
  return { object }
}

function component(name: string): { readonly metadata: { name: string }; readonly conditions: unknown } {
  return { metadata: { name }, conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] }
}
