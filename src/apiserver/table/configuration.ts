import { getOwn } from '../../base/index.js'
import type { ConfigMap, ResourceQuota, Secret, ServiceAccount } from '../../kinds/core/v1.js'
import { ageOf, type Cells, compareTexts, nameOf } from './cell-text.js'

export const configMapCells: Cells<ConfigMap> = (object, now) => [
  nameOf(object),
  Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
  ageOf(object, now),
]

export const secretCells: Cells<Secret> = (object, now) => [
  nameOf(object),
  object.type ?? '',
  Object.keys(object.data ?? {}).length,
  ageOf(object, now),
]

export const serviceAccountCells: Cells<ServiceAccount> = (object, now) => [
  nameOf(object),
  ageOf(object, now),
]

export const resourceQuotaCells: Cells<ResourceQuota> = (object, now) => {
  const { hard = {}, used = {} } = object.status ?? {}
  const names = Object.keys(hard).toSorted(compareTexts)
  const listed = (isLimit: boolean): string =>
    names
      .filter((name) => name.startsWith('limits.') === isLimit)
      .map((name) => `${name}: ${quantityText(used, name)}/${quantityText(hard, name)}`)
      .join(', ')
  return [nameOf(object), listed(false), listed(true), ageOf(object, now)]
}

function quantityText(quantities: Readonly<Record<string, unknown>>, name: string): string {
  const quantity = getOwn(quantities, name)
  return typeof quantity === 'string' || typeof quantity === 'number' ? `${quantity}` : '0'
}
