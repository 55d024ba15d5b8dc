import { type Case, table } from '../case.js'
import { badNetwork } from './validation-network.js'
import { badOthers } from './validation-others.js'
import { badPods } from './validation-pods.js'
import { badWorkloads } from './validation-workloads.js'

/** What is wrong with a manifest, and the manifest: several rows make one case where the shape is the same. */
export interface BadManifest {
  readonly resource: string
  readonly body: object
}

/** Manifests that are refused, by what is wrong with them. */
const rows: Readonly<Record<string, BadManifest>> = {
  ...badPods,
  ...badWorkloads,
  ...badNetwork,
  ...badOthers,
}

export const validations: readonly Case[] = table(
  'validation',
  rows,
  async (t, { resource, body }) => void (await t.post(t.url(resource, '?dryRun=All'), body)),
  { namespace: 'shared' },
)
