import { createCluster } from 'kubewright/testing'
import type { TestProject } from 'vitest/node'

/** The embedded API server in the place of the real control plane: the same scenarios, unchanged. */
// oxlint-disable-next-line import/no-default-export -- vitest calls the default export
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await createCluster({ kind: 'embedded', simulation: { nodes: 2 } })
  project.provide('kubeconfig', cluster.kubeconfig)
  project.provide('clusterKind', 'embedded')
  return () => cluster.stop()
}
