import { createCluster } from 'kubewright/testing'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the control plane that all scenarios share. Each keeps to namespaces and groups of its own. */
    kubeconfig: string
    /** What it is, for those that need one of their own. */
    clusterKind: 'control-plane' | 'embedded'
  }
}

/** One real control plane, with nodes on which pods become ready, for the whole run. */
// oxlint-disable-next-line import/no-default-export -- vitest calls the default export
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await createCluster({ kind: 'control-plane', nodes: 2 })
  project.provide('kubeconfig', cluster.kubeconfig)
  project.provide('clusterKind', 'control-plane')
  return () => cluster.stop()
}
