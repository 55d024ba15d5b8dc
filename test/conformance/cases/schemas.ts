import { type Case, table } from '../case.js'
import { definitionOf, type SchemaCase, schemaCases } from '../schema-cases.js'
import { install, ownGroup, ownPath } from './own-crd.js'

const plural = 'things'
const kind = 'Thing'

const rows: readonly (readonly [string, SchemaCase])[] = Object.entries(schemaCases).flatMap(
  ([part, cases]) => Object.entries(cases).map(([name, each]) => [`${part}: ${name}`, each] as const),
)

const ofDefinitions = table(
  'schemas',
  Object.fromEntries(rows.filter(([, each]) => each.objects === undefined)),
  async (t, each) => {
    const crd = definitionOf(each, { group: ownGroup(t), plural, kind })
    await t.post(t.url('customresourcedefinitions', '?dryRun=All'), crd)
  },
  { namespace: 'shared', anyOrderOfCauses: true },
)

const ofObjects = table(
  'schemas',
  Object.fromEntries(rows.filter(([, each]) => each.objects !== undefined)),
  async (t, each) => {
    const crd = definitionOf(each, { group: ownGroup(t), plural, kind })
    const { status } = await t.post(t.url('customresourcedefinitions', '?dryRun=All'), crd)
    if (status >= 300) return
    await install(t, crd, ownPath(t, plural))
    const body = (name: string, index: number): object => ({
      ...each.objects?.[index],
      apiVersion: `${ownGroup(t)}/v1`,
      kind,
      metadata: { name },
    })
    for (const index of each.objects?.keys() ?? []) {
      const created = await t.post(ownPath(t, plural), body(`a${index}`, index))
      // Each is tried in place of the one before it too: rules may compare the two.
      if (index === 0 || created.status >= 500) continue
      await t.patch(ownPath(t, plural, '/a0'), 'merge', { spec: null, status: null })
      await t.patch(ownPath(t, plural, '/a0'), 'merge', each.objects?.[index])
    }
    await t.get(ownPath(t, plural))
  },
  { namespace: 'own', anyOrderOfCauses: true },
)

export const schemas: readonly Case[] = [...ofObjects, ...ofDefinitions]
