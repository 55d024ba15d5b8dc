import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { deepCopy, deepFreeze, systemClock } from '../../base/index.js'
import { parseApiVersion } from '../../objects/index.js'
import { type ExpressionEngine, type FieldError, loadExpressionEngine } from '../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { ApiFailure } from '../failure.js'
import type { Resource, Strategy, WriteContext } from '../resource.js'
import { builtinResources } from './index.js'

/** A write, and what a real Kubernetes v1.36.3 answered: the object as it would be stored, or what is wrong with it. */
interface Answer {
  readonly title: string
  readonly object: ApiObject
  /** What was stored before, for an update. */
  readonly old?: StoredApiObject
  readonly subresource?: string
  readonly causes: readonly FieldError[]
  readonly result?: unknown
}

const folder = new URL('real-answers/', import.meta.url)
// Uids of the real server were replaced by this one.
const uid = '00000000-0000-4000-8000-000000000000'

let engine: ExpressionEngine
let resources: readonly Resource[]
let context: WriteContext

beforeAll(async () => {
  engine = await loadExpressionEngine()
  const cluster = { get: () => undefined, list: () => [] }
  const nature = {
    clock: systemClock,
    random: () => 0.5,
    uid: () => uid,
    timestamp: () => '2026-01-01T00:00:00Z',
  }
  resources = builtinResources({ nature, cluster, expressions: () => engine })
  context = {
    user: { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
    isDryRun: true,
    nature,
    cluster,
    subresource: '',
    warn: () => {},
  }
})

function strategyOf({ apiVersion, kind }: ApiObject, subresource: string | undefined): Strategy {
  const { group, version } = parseApiVersion(apiVersion)
  const served = resources
    .find((resource) => resource.group === group && resource.kind === kind)
    ?.versions.find(({ name }) => name === version)
  const part = subresource === undefined ? undefined : served?.subresources.get(subresource)
  const strategy = part?.type === 'part' ? part.strategy : served?.strategy
  if (strategy === undefined) throw new Error(`${apiVersion} ${kind} is not built in`)
  return strategy
}

function namespaceOf({ apiVersion, kind }: ApiObject): string | undefined {
  const { group } = parseApiVersion(apiVersion)
  const resource = resources.find((candidate) => candidate.group === group && candidate.kind === kind)
  return resource?.scope === 'Namespaced' ? 'd2-val' : undefined
}

function write({ object, old, subresource }: Answer): { draft: ApiObject; errors: readonly FieldError[] } {
  const strategy = strategyOf(object, subresource)
  const draft = deepCopy(object)
  const namespace = namespaceOf(draft)
  if (namespace !== undefined) draft.metadata.namespace = namespace
  strategy.applyDefaults(draft)
  strategy.dropEmptyLists?.(draft)
  if (old !== undefined) {
    strategy.prepareForUpdate(draft, deepFreeze(old), context)
    return { draft, errors: strategy.validateUpdate(draft, old, context) }
  }
  draft.metadata.uid = uid
  strategy.prepareForCreate(draft, context)
  const { name = '' } = draft.metadata
  const ofName = strategy.nameProblems(name, false).map((problem) => ({
    reason: 'FieldValueInvalid' as const,
    message: `Invalid value: ${JSON.stringify(name)}: ${problem}`,
    field: 'metadata.name',
  }))
  return { draft, errors: [...ofName, ...strategy.validateCreate(draft, context)] }
}

/** Services are refused while their addresses are looked for, before they are validated. */
function writeOrRefuse(answer: Answer): ReturnType<typeof write> {
  try {
    return write(answer)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    // The server's own causes are field errors.
    return { draft: answer.object, errors: (error.status.details?.causes ?? []) as FieldError[] }
  }
}

/** Without what the verbs set, and without conditions, which have times. */
function comparable(object: ApiObject): unknown {
  const { uid: _uid, ...metadata } = object.metadata
  const status: unknown = object['status']
  if (typeof status === 'object' && status !== null && 'conditions' in status) delete status.conditions
  return JSON.parse(JSON.stringify({ ...object, metadata }))
}

for (const file of readdirSync(folder)) {
  const answers = readFileSync(new URL(file, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)

  describe(`writes of ${file.replace('.ndjson', '')} are answered as by the real server`, () => {
    test.each(answers)('$title', (answer) => {
      const { draft, errors } = writeOrRefuse(answer)
      expect(errors.map(({ reason, message, field }) => ({ reason, message, field }))).toEqual(answer.causes)
      if (answer.result !== undefined) expect(comparable(draft)).toEqual(answer.result)
    })
  })
}
