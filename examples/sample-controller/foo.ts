import { defineKind, type ObjectOf } from 'kubewright'
import { z } from 'zod'

export const Foo = defineKind({
  group: 'samplecontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'Foo',
  // The group belongs to the Kubernetes project, which asks for this annotation on CRDs outside of it.
  annotations: { 'api-approved.kubernetes.io': 'unapproved, experimental-only' },
  spec: z.object({
    deploymentName: z.string(),
    replicas: z.int32().min(1).max(10).optional(),
  }),
  status: z.object({ availableReplicas: z.int32().optional() }),
})
export type Foo = ObjectOf<typeof Foo>
