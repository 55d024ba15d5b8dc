import type { Kind, KubeObject, NamespacedObjectMeta, ObjectMetaInput } from '../../src/objects/index.js'

/** What users write. */
export interface Widget extends KubeObject {
  apiVersion: 'faults.example.com/v1'
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec?: { size?: number; note?: string }
  status?: { observed?: number; at?: string }
}

/** What a controller makes of it. */
export interface Gadget extends KubeObject {
  apiVersion: 'faults.example.com/v1'
  kind: 'Gadget'
  metadata: NamespacedObjectMeta
  spec?: { size?: number; part?: string }
  status?: { ready?: boolean }
}

interface Input<T extends Widget | Gadget> {
  apiVersion?: T['apiVersion']
  kind?: T['kind']
  metadata: ObjectMetaInput
  spec?: NonNullable<T['spec']>
  status?: NonNullable<T['status']>
}

const common = {
  group: 'faults.example.com',
  version: 'v1',
  scope: 'Namespaced',
  subresources: ['status'],
} as const

export const Widget: Kind<Widget, Input<Widget>> = {
  ...common,
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
}

export const Gadget: Kind<Gadget, Input<Gadget>> = {
  ...common,
  kind: 'Gadget',
  plural: 'gadgets',
  singular: 'gadget',
  listKind: 'GadgetList',
}
