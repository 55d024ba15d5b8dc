import { CronJob, Job } from 'kubewright/kinds/batch/v1'
import { Event } from 'kubewright/kinds/core/v1'
import { describe, expect, test } from 'vitest'
import { createEmbeddedRig, type EmbeddedRig } from './embedded-rig.js'

const namespace = 'default'
const key = { namespace, name: 'tick' }
const minuteMs = 60_000

async function start(rig: EmbeddedRig, spec: Partial<NonNullable<CronJob['spec']>> = {}): Promise<void> {
  await rig.cluster.client.create(CronJob, {
    metadata: key,
    spec: {
      schedule: '*/10 * * * *',
      jobTemplate: {
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        },
      },
      ...spec,
    },
  })
  await rig.settle()
}

const jobsOf = async ({ cluster }: EmbeddedRig): Promise<readonly Job[]> =>
  (await cluster.client.list(Job, { namespace })).items
const statusOf = async ({ cluster }: EmbeddedRig): Promise<CronJob['status']> =>
  (await cluster.client.get(CronJob, key)).status
const reasonsOf = async ({ cluster }: EmbeddedRig): Promise<string[]> =>
  (await cluster.client.list(Event, { namespace })).items
    .filter(({ involvedObject }) => involvedObject.kind === 'CronJob')
    .map(({ reason, message }) => `${reason ?? ''}: ${message ?? ''}`)

describe('a CronJob', () => {
  test('makes a Job each time, named after the minute', async () => {
    const rig = await createEmbeddedRig()
    await start(rig)
    expect(await jobsOf(rig)).toEqual([])
    await rig.pass(11 * minuteMs)
    const [job, ...others] = await jobsOf(rig)
    expect(others).toEqual([])
    const minute = Math.floor(rig.clock.now() / minuteMs / 10) * 10
    expect(job?.metadata).toMatchObject({
      name: `tick-${minute}`,
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', controller: true }],
    })
    const due = job?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']
    expect(await statusOf(rig)).toMatchObject({ lastScheduleTime: due })
    expect(await statusOf(rig)).toHaveProperty('lastSuccessfulTime')
    // As the real controller tells it.
    expect((await reasonsOf(rig)).toSorted()).toEqual([
      `SawCompletedJob: Saw completed job: tick-${minute}, condition: Complete`,
      `SuccessfulCreate: Created job tick-${minute}`,
    ])
  })

  test('keeps the last three that went well', async () => {
    const rig = await createEmbeddedRig()
    await start(rig)
    await rig.pass(61 * minuteMs)
    const jobs = await jobsOf(rig)
    expect(jobs).toHaveLength(3)
    expect(await statusOf(rig)).not.toHaveProperty('active')
  })

  test('forgets all but the last of the times that were missed', async () => {
    const rig = await createEmbeddedRig()
    await start(rig, { suspend: true })
    await rig.pass(60 * minuteMs)
    expect(await jobsOf(rig)).toEqual([])
    await rig.cluster.client.patch(CronJob, key, { merge: { spec: { suspend: false } } })
    await rig.settle()
    expect(await jobsOf(rig)).toHaveLength(1)
  })

  test.each([
    ['Allow', 3],
    ['Forbid', 1],
    ['Replace', 1],
  ] as const)(
    'that says %s to those still running has %i after three times',
    async (concurrencyPolicy, count) => {
      const rig = await createEmbeddedRig({ simulation: { podFate: () => 'ready' } })
      await start(rig, { concurrencyPolicy })
      await rig.pass(31 * minuteMs)
      const jobs = await jobsOf(rig)
      expect(jobs).toHaveLength(count)
      expect((await statusOf(rig))?.active?.map(({ name }) => name)).toEqual(
        jobs.map(({ metadata }) => metadata.name),
      )
      const reasons = (await reasonsOf(rig)).join('\n')
      if (concurrencyPolicy === 'Forbid')
        expect(reasons).toContain(
          'JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
        )
    },
  )

  test('does not begin what is too late', async () => {
    const rig = await createEmbeddedRig()
    await start(rig, { suspend: true, startingDeadlineSeconds: 60 })
    await rig.pass(15 * minuteMs)
    await rig.cluster.client.patch(CronJob, key, { merge: { spec: { suspend: false } } })
    await rig.settle()
    expect(await jobsOf(rig)).toEqual([])
    expect((await reasonsOf(rig)).join()).toContain('MissSchedule: Missed scheduled time to start a job: ')
  })

  test('follows the clock of its time zone', async () => {
    const rig = await createEmbeddedRig()
    await start(rig, { schedule: '0 9 * * *', timeZone: 'Asia/Tokyo' })
    await rig.pass(24 * 60 * minuteMs)
    const [job] = await jobsOf(rig)
    expect(job?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']).toMatch(
      /T00:00:00Z$/,
    )
  })
})
