import type { Environment } from '../../client/index.js'
import { findControlPlane } from './find-control-plane.js'

/** Ours where the binaries of a control plane are at hand, else the user's own. */
export async function findKubectl(env: Environment): Promise<string> {
  const assets = await findControlPlane({ components: ['kubectl'], env }).catch(() => undefined)
  return assets?.binaries.kubectl ?? 'kubectl'
}
