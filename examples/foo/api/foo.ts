import { defineKind, type ObjectOf } from 'kubewright'
import { z } from 'zod'

export const Foo = defineKind({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Foo',
  description: 'Foo keeps a Deployment of nginx with a number of replicas.',
  spec: z.object({
    deploymentName: z.string().describe('Name of the Deployment to keep.'),
    replicas: z.int32().min(1).max(10).optional().describe('How many replicas the Deployment shall have.'),
  }),
  status: z.object({
    availableReplicas: z.int32().optional().describe('How many replicas the Deployment has available.'),
  }),
  columns: [
    { name: 'Deployment', type: 'string', jsonPath: '.spec.deploymentName' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
})
export type Foo = ObjectOf<typeof Foo>
