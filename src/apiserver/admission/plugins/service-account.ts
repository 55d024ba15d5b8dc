import type { Pod, ServiceAccount, Volume } from '../../../kinds/core/v1.js'
import { generateName } from '../../../objects/index.js'
import { quoteText } from '../../../schema/index.js'
import { type Draft, draftOf, type View, viewOf } from '../../builtin/draft.js'
import { mirrorServiceAccount } from '../../builtin/pod/default-pod-spec.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { refused } from '../refusal.js'
import { secretProblem } from './mountable-secrets.js'

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const volumePrefix = 'kube-api-access-'
const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** Gives every pod a service account that exists, its pull secrets, and a volume with its token. */
export const serviceAccountPlugin: AdmissionPlugin = {
  name: 'ServiceAccount',
  handles: ({ info, object, operation }) =>
    object !== undefined &&
    info.group === '' &&
    info.resource === 'pods' &&
    ((info.subresource === '' && operation === 'CREATE') ||
      (info.subresource === 'ephemeralcontainers' && operation === 'UPDATE')),
  mutate(request, context) {
    const { object, operation } = request
    if (object === undefined || operation !== 'CREATE') return
    const pod = draftOf<Pod>(object)
    if (isMirror(pod)) return validatePod(request, context)
    const spec = (pod.spec ??= {})
    if ((spec.serviceAccountName ?? '') === '') spec.serviceAccountName = 'default'
    mirrorServiceAccount(spec)
    const account = findAccount(request, context, spec.serviceAccountName ?? '')
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
      mountToken(spec, context)
    const { imagePullSecrets: pullSecrets = [] } = account
    if ((spec.imagePullSecrets ?? []).length === 0 && pullSecrets.length > 0)
      spec.imagePullSecrets = pullSecrets.map(({ name }) => ({ name }))
    validatePod(request, context)
  },
  validate: validatePod,
}

function isMirror(pod: View<Pod>): boolean {
  return Object.hasOwn(pod.metadata?.annotations ?? {}, mirrorAnnotation)
}

function findAccount(
  request: AdmissionRequest,
  { cluster }: AdmissionContext,
  name: string,
): View<ServiceAccount> {
  const stored = cluster.get('serviceaccounts', request.namespace, name)
  if (stored !== undefined) return viewOf<ServiceAccount>(stored)
  throw refused(
    request,
    `error looking up service account ${request.namespace}/${name}: serviceaccount ${quoteText(name)} not found`,
  )
}

function validatePod(request: AdmissionRequest, context: AdmissionContext): void {
  const { object, info, namespace } = request
  if (object === undefined) return
  const pod = viewOf<Pod>(object)
  const isOfEphemerals = info.subresource === 'ephemeralcontainers'
  const { serviceAccountName = '' } = pod.spec ?? {}
  if (!isOfEphemerals && isMirror(pod)) {
    const problem = mirrorProblem(pod)
    if (problem !== undefined) throw refused(request, problem)
    return
  }
  if (serviceAccountName === '')
    throw refused(request, `no service account specified for pod ${namespace}/${pod.metadata?.name ?? ''}`)
  const account = findAccount(request, context, serviceAccountName)
  const problem = secretProblem(account, pod, isOfEphemerals)
  if (problem !== undefined) throw refused(request, problem)
}

function mirrorProblem({ spec }: View<Pod>): string | undefined {
  if ((spec?.serviceAccountName ?? '') !== '') return 'a mirror pod may not reference service accounts'
  const volumes = spec?.volumes ?? []
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]
  const hasSecrets =
    volumes.some(({ secret }) => secret !== undefined) ||
    (spec?.imagePullSecrets ?? []).length > 0 ||
    containers.some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) ||
        envFrom.some(({ secretRef }) => secretRef !== undefined),
    )
  if (hasSecrets) return 'a mirror pod may not reference secrets'
  const hasToken = volumes.some(({ projected }) =>
    (projected?.sources ?? []).some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
  )
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined
}

function mountToken(spec: NonNullable<Draft<Pod>['spec']>, { nature }: AdmissionContext): void {
  const volumes = spec.volumes ?? []
  const existing = volumes.find(({ name = '' }) => name.startsWith(volumePrefix))?.name
  const name = existing ?? generateName(volumePrefix, nature.random)
  let isNeeded = false
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const mounts = (container.volumeMounts ??= [])
    if (mounts.some((mount) => mount.mountPath === mountPath)) continue
    mounts.push({ name, readOnly: true, mountPath })
    isNeeded = true
  }
  if (existing === undefined && isNeeded) spec.volumes = [...volumes, tokenVolume(name)]
}

function tokenVolume(name: string): Draft<Volume> {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 420,
    },
  }
}
