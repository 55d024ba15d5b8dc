import type { GroupRules } from '../kind-rules.js'

/** What is particular to the kinds of the core group. */
export const coreRules: GroupRules = {}
