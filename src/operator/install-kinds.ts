import type { Clock } from '../base/index.js'
import { type Client, crdEstablished, waitFor } from '../client/index.js'
import { CustomResourceDefinition } from '../kinds/apiextensions.k8s.io/v1.js'
import { type AnyKind, type InputOf, resourceNameOf } from '../objects/index.js'
import { type DefinedKind, toCrd } from '../schema/index.js'

export interface InstallKindsOptions {
  /** Who owns the fields of the CRDs. */
  readonly fieldManager?: string
  /** How long to wait for each to be served. Default 30 seconds. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

/**
 * Installs the CRDs of kinds that were made with `defineKind`, or brings them up to date, and waits until the server
 * serves them. Built-in kinds are skipped. Versions of one kind become one CRD.
 */
export async function installKinds(
  client: Client,
  kinds: readonly AnyKind[],
  options: InstallKindsOptions = {},
): Promise<void> {
  const { fieldManager = 'kubewright', timeoutMs = 30_000, signal, clock } = options
  for (const versions of versionsOf(kinds)) {
    const crd = toCrd(versions)
    // The same document: what one module writes for every client, the other reads as generated from OpenAPI.
    const input = crd as unknown as InputOf<typeof CustomResourceDefinition> & { metadata: { name: string } }
    await client.apply(CustomResourceDefinition, input, { fieldManager, force: true, signal })
    await waitFor(
      client,
      CustomResourceDefinition,
      { name: crd.metadata.name },
      {
        until: crdEstablished,
        timeoutMs,
        signal,
        ...(clock !== undefined && { clock }),
      },
    )
  }
}

/** The defined kinds among these, those of one CRD together. */
function versionsOf(kinds: readonly AnyKind[]): DefinedKind[][] {
  const byResource = new Map<string, DefinedKind[]>()
  for (const kind of kinds) {
    if (!isDefined(kind)) continue
    const name = resourceNameOf(kind)
    byResource.set(name, [...(byResource.get(name) ?? []), kind])
  }
  return [...byResource.values()]
}

function isDefined(kind: AnyKind): kind is DefinedKind {
  return 'schema' in kind
}
