import type { TestProject } from 'vitest/node'
import { startRealControlPlane } from './real-control-plane.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the real control plane that the embedded one is judged by. */
    realKubeconfig: string
  }
}

/** One real control plane for the whole run. */
// oxlint-disable-next-line import/no-default-export -- vitest calls the default export
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const real = await startRealControlPlane()
  project.provide('realKubeconfig', real.kubeconfig)
  return () => real.stop()
}
