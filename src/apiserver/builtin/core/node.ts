import { deepCopy } from '../../../base/index.js'
import type { Node, Taint } from '../../../kinds/core/v1.js'
import { labelKeyErrors, labelValueErrors } from '../../../objects/index.js'
import type { ApiObject } from '../../api-object.js'
import { ipFamilyOf, validateLegacyCidr } from '../address-rules.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { validateEach } from '../each.js'
import { duplicateAs, type FieldError, forbidden, goQuote, invalid, invalidFor } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { amountEntries, validateAmount } from '../quantity-rules.js'
import { roundResources } from '../resource-list.js'
import { validateWord } from '../value-rules.js'

export const nodeRules: KindRules = {
  // A kubelet registers its node together with its status.
  resetsStatus: false,
  resetFields: [['status']],
  defaults(draft) {
    const node = draftOf<Node>(draft)
    const { spec, status } = node
    if (spec !== undefined) syncCidrs(spec)
    if (status === undefined) return
    roundResources(status.capacity)
    roundResources(status.allocatable)
    if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity }
  },
  warnings: nodeWarnings,
  prepareForUpdate(draft, old) {
    draft['status'] = deepCopy(old['status'])
  },
  validateCreate: (object) => validateNode(viewOf<Node>(object)),
  validateUpdate: (object, old) => {
    const node = viewOf<Node>(object)
    return [...validateNode(node), ...validateNodeChange(node, viewOf<Node>(old))]
  },
  validateStatusUpdate: (object, old) => validateNodeChange(viewOf<Node>(object), viewOf<Node>(old)),
  selectableFields: {
    'spec.unschedulable': (object) => String(viewOf<Node>(object).spec?.unschedulable ?? false),
  },
}

/** The first of the networks has a field of its own, which wins where they differ. */
function syncCidrs(spec: NonNullable<ReturnType<typeof draftOf<Node>>['spec']>): void {
  const { podCIDR } = spec
  if (podCIDR !== undefined && spec.podCIDRs?.[0] !== podCIDR) spec.podCIDRs = [podCIDR]
  const [first] = spec.podCIDRs ?? []
  if (first !== undefined) spec.podCIDR = first
}

function nodeWarnings(object: ApiObject): string[] {
  const { spec } = viewOf<Node>(object)
  return [
    ...(spec?.configSource ? ['spec.configSource: the feature is removed'] : []),
    ...((spec?.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
  ]
}

function validateNode(node: View<Node>): FieldError[] {
  const networks = node.spec?.podCIDRs ?? []
  const families = new Set(networks.map((network) => ipFamilyOf(network.split('/')[0] ?? '')))
  return [
    // The server looks for them in the metadata.
    ...validateTaints(node.spec?.taints, 'metadata.taints'),
    ...validateResources(node),
    ...validateEach(networks, 'spec.podCIDRs', validateLegacyCidr),
    ...(networks.length > 1 && (families.size !== 2 || networks.length > 2)
      ? [invalid('spec.podCIDRs', networks, 'may specify no more than one CIDR for each IP family')]
      : []),
  ]
}

function validateResources({ status }: View<Node>): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((field) =>
    amountEntries(status?.[field]).flatMap(([name, amount]) =>
      validateAmount(name, amount, `status.${field}.${name}`),
    ),
  )
}

function validateTaints(taints: readonly View<Taint>[] | undefined, path: string): FieldError[] {
  const seen = new Set<string>()
  return validateEach(taints, path, (taint, own) => {
    const { key = '', value = '', effect = '' } = taint
    const problems = labelValueErrors(value)
    const pair = `${effect}\n${key}`
    const isRepeated = seen.has(pair)
    seen.add(pair)
    // The server shows its own type here.
    const time = taint.timeAdded === undefined ? 'null' : goQuote(taint.timeAdded)
    const shown = `{"Key":${goQuote(key)},"Value":${goQuote(value)},"Effect":${goQuote(effect)},"TimeAdded":${time}}`
    return [
      ...invalidFor(`${own}.key`, key, labelKeyErrors(key)),
      ...(problems.length > 0 ? [invalid(`${own}.value`, value, problems.join(';'))] : []),
      ...validateWord(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${own}.effect`, ''),
      ...(isRepeated ? [duplicateAs(own, shown, 'taints must be unique by key and effect pair')] : []),
    ]
  })
}

function validateNodeChange(node: View<Node>, old: View<Node>): FieldError[] {
  const addresses = new Set<string>()
  const before = old.spec?.podCIDRs ?? []
  const now = node.spec?.podCIDRs ?? []
  const cidrRule = forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')
  const changed =
    before.length !== now.length
      ? Number(before.length > 0)
      : before.filter((network, index) => network !== now[index]).length
  return [
    ...validateResources(node),
    ...validateEach(node.status?.addresses, 'status.addresses', ({ type = '', address = '' }, own) => {
      const key = `${type}\n${address}`
      const isRepeated = addresses.has(key)
      addresses.add(key)
      const shown = `{"Type":${goQuote(type)},"Address":${goQuote(address)}}`
      return isRepeated ? [duplicateAs(own, shown)] : []
    }),
    ...Array.from({ length: changed }, () => cidrRule),
    ...((old.spec?.providerID ?? '') !== '' && old.spec?.providerID !== node.spec?.providerID
      ? [forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid')]
      : []),
    ...validateTaints(node.spec?.taints, 'metadata.taints'),
    ...((old.spec?.externalID ?? '') === (node.spec?.externalID ?? '')
      ? []
      : [forbidden('spec.externalID', 'may not be updated')]),
  ]
}
