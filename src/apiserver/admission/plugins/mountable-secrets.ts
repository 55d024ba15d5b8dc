import type { Container, Pod, ServiceAccount } from '../../../kinds/core/v1.js'
import type { View } from '../../builtin/draft.js'

const annotation = 'kubernetes.io/enforce-mountable-secrets'
const trueWords = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/**
 * What a pod refers to and its service account does not allow, where the account says that only its own secrets may be
 * used; with `ephemeralOnly`, of its ephemeral containers.
 */
export function secretProblem(
  account: View<ServiceAccount>,
  { spec }: View<Pod>,
  ephemeralOnly: boolean,
): string | undefined {
  if (!trueWords.has(account.metadata?.annotations?.[annotation] ?? '')) return undefined
  const name = account.metadata?.name ?? ''
  const allowed = new Set((account.secrets ?? []).map((secret) => secret.name))
  const because = `is not allowed because service account ${name} does not reference that`
  const ofContainer = (title: string, container: View<Container>): string | undefined => {
    const named = `${title} ${container.name ?? ''}`
    for (const { name: variable = '', valueFrom } of container.env ?? []) {
      const secret = valueFrom?.secretKeyRef
      if (secret !== undefined && !allowed.has(secret.name))
        return `${named} with envVar ${variable} referencing secret.secretName="${secret.name ?? ''}" ${because} secret`
    }
    for (const { secretRef } of container.envFrom ?? []) {
      if (secretRef !== undefined && !allowed.has(secretRef.name))
        return `${named} with envFrom referencing secret.secretName="${secretRef.name ?? ''}" ${because} secret`
    }
    return undefined
  }
  const first = (title: string, containers: readonly View<Container>[] = []): string | undefined =>
    containers.map((container) => ofContainer(title, container)).find((problem) => problem !== undefined)
  if (ephemeralOnly) return first('ephemeral container', spec?.ephemeralContainers)
  for (const { secret } of spec?.volumes ?? []) {
    if (secret !== undefined && !allowed.has(secret.secretName))
      return `volume with secret.secretName="${secret.secretName ?? ''}" ${because} secret`
  }
  const pullSecrets = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name))
  return (
    first('init container', spec?.initContainers) ??
    first('container', spec?.containers) ??
    (spec?.imagePullSecrets ?? [])
      .map((secret, index) =>
        pullSecrets.has(secret.name)
          ? undefined
          : `imagePullSecrets[${index}].name="${secret.name ?? ''}" ${because} imagePullSecret`,
      )
      .find((problem) => problem !== undefined)
  )
}
