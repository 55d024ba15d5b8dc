import { defineKind, type ObjectOf } from 'kubewright'
import { z } from 'zod'

export const TestResource = defineKind({
  group: 'insujang.github.io',
  version: 'v1beta1',
  kind: 'TestResource',
  shortNames: ['ts'],
  spec: z.object({
    command: z.string().regex(/^(echo).*/),
    customProperty: z.string(),
  }),
  status: z.string(),
  // The walkthrough writes the status with an ordinary update.
  statusSubresource: false,
  columns: [{ name: 'command', type: 'string', jsonPath: '.spec.command' }],
})
export type TestResource = ObjectOf<typeof TestResource>
