import { object, podTemplate } from './objects.js'
import type { BadManifest } from './validation.js'

const selector = { matchLabels: { app: 'a' } }
const workload =
  (resource: string, kind: string, defaults: object) =>
  (spec: object): BadManifest => ({
    resource,
    body: object('apps/v1', kind, 'a', { spec: { selector, template: podTemplate(), ...defaults, ...spec } }),
  })
const deployment = workload('deployments', 'Deployment', {})
const replicaSet = workload('replicasets', 'ReplicaSet', {})
const statefulSet = workload('statefulsets', 'StatefulSet', { serviceName: 's' })
const daemonSet = workload('daemonsets', 'DaemonSet', {})
const ended = podTemplate({}, { restartPolicy: 'Never' })
const job = (spec: object): BadManifest => ({
  resource: 'jobs',
  body: object('batch/v1', 'Job', 'a', { spec: { template: ended, ...spec } }),
})
const cronJob = (spec: object): BadManifest => ({
  resource: 'cronjobs',
  body: object('batch/v1', 'CronJob', 'a', {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: ended } }, ...spec },
  }),
})
const budget = (spec: object): BadManifest => ({
  resource: 'poddisruptionbudgets',
  body: object('policy/v1', 'PodDisruptionBudget', 'a', { spec }),
})
const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }
const autoscaler = (spec: object): BadManifest => ({
  resource: 'horizontalpodautoscalers',
  body: object('autoscaling/v2', 'HorizontalPodAutoscaler', 'a', {
    spec: { scaleTargetRef: target, maxReplicas: 3, ...spec },
  }),
})
const metric = (value: object): BadManifest => autoscaler({ metrics: [value] })

/** Workloads, budgets and autoscalers that are refused. */
export const badWorkloads: Readonly<Record<string, BadManifest>> = {
  'a deployment without a spec': { resource: 'deployments', body: object('apps/v1', 'Deployment', 'a') },
  'a deployment without a selector': deployment({ selector: null }),
  'a deployment with an empty selector': deployment({ selector: {} }),
  'a deployment whose selector does not match': deployment({ selector: { matchLabels: { app: 'b' } } }),
  'a deployment with a wrong selector': deployment({
    selector: {
      matchExpressions: [
        { key: 'a', operator: 'Like' },
        { key: 'b', operator: 'In' },
        { key: 'c', operator: 'Exists', values: ['x'] },
      ],
    },
  }),
  'a deployment with negative replicas': deployment({ replicas: -1 }),
  'a deployment with a text of replicas': deployment({ replicas: 'many' }),
  'a deployment with negative times': deployment({
    minReadySeconds: -1,
    revisionHistoryLimit: -1,
    progressDeadlineSeconds: 0,
  }),
  'a deployment with a deadline before it is ready': deployment({ minReadySeconds: 700 }),
  'a deployment with an unknown strategy': deployment({ strategy: { type: 'BigBang' } }),
  'a deployment that is recreated by rolling': deployment({
    strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
  }),
  'a deployment that cannot roll': deployment({
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
  }),
  'a deployment with wrong percentages': deployment({
    strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '150%' } },
  }),
  'a deployment with a template that ends': deployment({
    template: podTemplate({ app: 'a' }, { restartPolicy: 'Never' }),
  }),
  'a deployment with a deadline of its pods': deployment({
    template: podTemplate({ app: 'a' }, { activeDeadlineSeconds: 5 }),
  }),
  'a deployment without containers': deployment({
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } },
  }),
  'a deployment with a wrong label': deployment({
    template: { metadata: { labels: { app: 'a', 'not ok': 'x' } }, spec: podTemplate()['spec'] },
  }),
  'a replica set whose selector does not match': replicaSet({ selector: { matchLabels: { app: 'b' } } }),
  'a replica set with negative replicas': replicaSet({ replicas: -1, minReadySeconds: -1 }),
  'a stateful set with a wrong service': statefulSet({ serviceName: 'Not Ok' }),
  'a stateful set with an unknown policy': statefulSet({ podManagementPolicy: 'Chaotic' }),
  'a stateful set with an unknown strategy': statefulSet({ updateStrategy: { type: 'BigBang' } }),
  'a stateful set with a negative partition': statefulSet({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } },
  }),
  'a stateful set with a wrong retention': statefulSet({
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Maybe' },
  }),
  'a stateful set with negative ordinals': statefulSet({ ordinals: { start: -1 } }),
  'a daemon set whose selector does not match': daemonSet({ selector: { matchLabels: { app: 'b' } } }),
  'a daemon set with an unknown strategy': daemonSet({ updateStrategy: { type: 'BigBang' } }),
  'a daemon set that cannot roll': daemonSet({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } },
  }),
  'a replication controller without a template': {
    resource: 'replicationcontrollers',
    body: object('v1', 'ReplicationController', 'a', { spec: { selector: { a: 'b' } } }),
  },
  'a replication controller whose selector does not match': {
    resource: 'replicationcontrollers',
    body: object('v1', 'ReplicationController', 'a', {
      spec: { replicas: -1, selector: { a: 'b' }, template: podTemplate() },
    }),
  },
  'a job that never ends': job({ template: podTemplate() }),
  'a job with negative numbers': job({
    parallelism: -1,
    completions: -1,
    backoffLimit: -1,
    activeDeadlineSeconds: -1,
    ttlSecondsAfterFinished: -1,
  }),
  'a job with a selector': job({ selector: { matchLabels: { a: 'b' } } }),
  'a job with a selector by hand': job({ manualSelector: true }),
  'an indexed job without completions': job({ completionMode: 'Indexed' }),
  'a job of an unknown mode': job({ completionMode: 'Random' }),
  'a job with too many completions': job({
    completionMode: 'Indexed',
    completions: 200_000,
    parallelism: 200_000,
  }),
  'a job with limits by index': job({ backoffLimitPerIndex: 1, maxFailedIndexes: 5 }),
  'a job with a wrong failure policy': job({
    podFailurePolicy: {
      rules: [
        { action: 'Explode' },
        { action: 'Ignore', onExitCodes: { operator: 'In', values: [0] } },
        { action: 'FailIndex', onPodConditions: [{ type: 'X' }] },
      ],
    },
  }),
  'a job with a wrong success policy': job({ successPolicy: { rules: [] } }),
  'a job of a wrong manager': job({ managedBy: 'not ok' }),
  'a job with an unknown replacement': job({ podReplacementPolicy: 'Maybe' }),
  'a cron job without a schedule': cronJob({ schedule: '' }),
  'a cron job with a wrong schedule': cronJob({ schedule: '* * *' }),
  'a cron job with a wrong hour': cronJob({ schedule: '0 25 * * *' }),
  'a cron job with a zone in its schedule': cronJob({ schedule: 'TZ=UTC * * * * *' }),
  'a cron job with an unknown zone': cronJob({ timeZone: 'Mars/Olympus' }),
  'a cron job with an empty zone': cronJob({ timeZone: '' }),
  'a cron job with negative numbers': cronJob({
    startingDeadlineSeconds: -1,
    successfulJobsHistoryLimit: -1,
    failedJobsHistoryLimit: -1,
  }),
  'a cron job with an unknown policy': cronJob({ concurrencyPolicy: 'Maybe' }),
  'a cron job that never ends': cronJob({ jobTemplate: { spec: { template: podTemplate() } } }),
  'a cron job with a long name': {
    resource: 'cronjobs',
    body: object('batch/v1', 'CronJob', 'a'.repeat(53), {
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: ended } } },
    }),
  },
  'a controller revision without data': {
    resource: 'controllerrevisions',
    body: object('apps/v1', 'ControllerRevision', 'a', { revision: -1 }),
  },
  'a controller revision with a text': {
    resource: 'controllerrevisions',
    body: object('apps/v1', 'ControllerRevision', 'a', { revision: 1, data: 'x' }),
  },
  'a budget with both bounds': budget({ minAvailable: 1, maxUnavailable: 1, selector }),
  'a budget with a negative bound': budget({ minAvailable: -1, selector }),
  'a budget with a wrong percentage': budget({ maxUnavailable: '150%', selector }),
  'a budget with a text': budget({ maxUnavailable: 'x', selector }),
  'a budget with a wrong selector': budget({ minAvailable: 1, selector: { matchLabels: { 'not ok': 'x' } } }),
  'a budget with an unknown policy': budget({
    minAvailable: 1,
    selector,
    unhealthyPodEvictionPolicy: 'Maybe',
  }),
  'an autoscaler without a target': autoscaler({ scaleTargetRef: null }),
  'an autoscaler with half a target': autoscaler({ scaleTargetRef: { kind: '', name: '' } }),
  'an autoscaler without a maximum': autoscaler({ maxReplicas: 0 }),
  'an autoscaler with its bounds the wrong way': autoscaler({ minReplicas: 5 }),
  'an autoscaler with a minimum of zero': autoscaler({ minReplicas: 0 }),
  'a metric of an unknown type': metric({ type: 'Magic' }),
  'a metric without its source': metric({ type: 'Resource' }),
  'a metric with another source': metric({
    type: 'Resource',
    pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '1' } },
  }),
  'a metric without a name': metric({
    type: 'Resource',
    resource: { name: '', target: { type: 'Utilization', averageUtilization: 50 } },
  }),
  'a metric without a target': metric({
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization' } },
  }),
  'a metric with a negative target': metric({
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: -1 } },
  }),
  'a metric of pods with a value': metric({
    type: 'Pods',
    pods: { metric: { name: 'x' }, target: { type: 'Value', value: '1' } },
  }),
  'a wrong behaviour': autoscaler({
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 9999,
        selectPolicy: 'Maybe',
        policies: [{ type: 'Pods', value: 0, periodSeconds: 0 }],
      },
      scaleDown: { policies: [] },
    },
  }),
}
