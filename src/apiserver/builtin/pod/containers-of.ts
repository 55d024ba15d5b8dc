import type { Container, EphemeralContainer, PodSpec } from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { itemPath } from '../field-errors.js'

/** A container of any sort. An ephemeral one has all that the others have. */
export type AnyContainer = View<Container> | View<EphemeralContainer>

/** All containers of a pod with their paths: init containers first, ephemeral ones last, as the server visits them. */
export function allContainers(
  spec: View<PodSpec>,
  path: string,
): { readonly container: AnyContainer; readonly path: string }[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container: AnyContainer, index) => ({
      container,
      path: itemPath(`${path}.${list}`, index),
    })),
  )
}
