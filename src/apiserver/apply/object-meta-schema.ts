import type { ApiSchema } from '../api-schema.js'

const text: ApiSchema = { type: 'string' }
const time: ApiSchema = { type: 'string', format: 'date-time' }
const truth: ApiSchema = { type: 'boolean' }
const integer: ApiSchema = { type: 'integer', format: 'int64' }
const texts: ApiSchema = { type: 'object', additionalProperties: text }

/** The metadata of every object, as far as ownership is concerned. */
export const objectMetaSchema: ApiSchema = {
  type: 'object',
  goType: 'ObjectMeta',
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: time,
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: integer,
    labels: texts,
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: { type: 'object' },
          manager: text,
          operation: text,
          subresource: text,
          time,
        },
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: { type: 'string', default: '' },
          blockOwnerDeletion: truth,
          controller: truth,
          kind: { type: 'string', default: '' },
          name: { type: 'string', default: '' },
          uid: { type: 'string', default: '' },
        },
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
}
