import type { GroupRules } from '../kind-rules.js'
import { podRules } from './pod.js'

/** What is particular to the kinds of the core group. */
export const coreRules: GroupRules = { Pod: podRules }
