import type { GroupRules } from '../kind-rules.js'
import { cronJobRules } from './cron-job.js'
import { jobRules } from './job.js'

/** What is particular to the kinds of batch. */
export const batchRules: GroupRules = { CronJob: cronJobRules, Job: jobRules }
