import type { LimitRange, LimitRangeItem } from '../../../kinds/core/v1.js'
import { labelKeyErrors, quantityToInteger } from '../../../objects/index.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import { validateEach } from '../each.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  keyPath,
  required,
} from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { type Amounts, amountEntries, compareAmounts } from '../quantity-rules.js'
import { roundResources } from '../resource-list.js'
import { allowsOvercommit, validateContainerResourceName, validateResourceName } from '../resource-names.js'

const sides = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const

export const limitRangeRules: KindRules = {
  allowsCreateOnUpdate: true,
  defaults(draft) {
    for (const limit of draftOf<LimitRange>(draft).spec?.limits ?? []) {
      if (limit.type === 'Container') defaultLimits(limit)
      for (const side of sides) roundResources(limit[side])
    }
  },
  prepareForCreate(draft, { nature }) {
    draft.metadata.name ||= nature.uid()
  },
  validateCreate(object) {
    const seen = new Set<string>()
    return validateEach(viewOf<LimitRange>(object).spec?.limits, 'spec.limits', (limit, own) => {
      const type = limit.type ?? ''
      const isRepeated = seen.has(type)
      seen.add(type)
      return [
        ...validateType(type, `${own}.type`),
        ...(isRepeated ? [duplicate(`${own}.type`, type)] : []),
        ...validateLimit(limit, own),
      ]
    })
  },
}

/** What is not said of containers follows from what is: limits from the highest, requests from the limits. */
function defaultLimits(limit: Draft<LimitRangeItem>): void {
  const limits = { ...limit.max, ...limit.default }
  const requests = { ...limit.min, ...limits, ...limit.defaultRequest }
  if (Object.keys(limits).length > 0) limit.default = limits
  if (Object.keys(requests).length > 0) limit.defaultRequest = requests
}

function validateType(type: string, path: string): FieldError[] {
  const problems = labelKeyErrors(type)
  if (problems.length > 0) return invalidFor(path, type, problems)
  return type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)
    ? []
    : [invalid(path, type, 'must be a standard limit type or fully qualified')]
}

function validateLimit(limit: View<LimitRangeItem>, path: string): FieldError[] {
  const isPod = limit.type === 'Pod'
  const nameRule = isPod || limit.type === 'Container' ? validateContainerResourceName : validateResourceName
  const names = (side: (typeof sides)[number]): FieldError[] =>
    amountEntries(limit[side]).flatMap(([name]) => nameRule(name, keyPath(`${path}.${side}`, name)))
  const defaults = (['default', 'defaultRequest'] as const).flatMap((side) => {
    if (!isPod) return names(side)
    return Object.keys(limit[side] ?? {}).length === 0
      ? []
      : [forbidden(`${path}.${side}`, "may not be specified when `type` is 'Pod'")]
  })
  const hasStorage = limit.min?.['storage'] !== undefined || limit.max?.['storage'] !== undefined
  const keys = new Set(
    sides
      .filter((side) => !isPod || !side.startsWith('default'))
      .flatMap((side) => Object.keys(limit[side] ?? {})),
  )
  return [
    ...names('max'),
    ...names('min'),
    ...defaults,
    ...(limit.type === 'PersistentVolumeClaim' && !hasStorage
      ? [
          required(
            `${path}.limits`,
            'either minimum or maximum storage value is required, but neither was provided',
          ),
        ]
      : []),
    ...names('maxLimitRequestRatio'),
    ...[...keys].sort().flatMap((name) => validateAmounts(limit, name, path, isPod)),
  ]
}

function validateAmounts(
  limit: View<LimitRangeItem>,
  name: string,
  path: string,
  isPod: boolean,
): FieldError[] {
  const amount = (amounts: Amounts | undefined): string | undefined =>
    amounts?.[name] === undefined ? undefined : String(amounts[name])
  const min = amount(limit.min)
  const max = amount(limit.max)
  const limits = isPod ? undefined : amount(limit.default)
  const request = isPod ? undefined : amount(limit.defaultRequest)
  const ratio = amount(limit.maxLimitRequestRatio)
  const errors: FieldError[] = []
  const check = (
    lower: [text: string, value: string | undefined],
    upper: [text: string, value: string | undefined],
    side: string,
    shown: string | undefined,
  ): void => {
    if (lower[1] === undefined || upper[1] === undefined || compareAmounts(lower[1], upper[1]) <= 0) return
    errors.push(
      invalid(
        keyPath(`${path}.${side}`, name),
        shown,
        `${lower[0]} value ${lower[1]} is greater than ${upper[0]} value ${upper[1]}`,
      ),
    )
  }
  check(['min', min], ['max', max], 'min', min)
  check(['min', min], ['default request', request], 'defaultRequest', request)
  check(['default request', request], ['max', max], 'defaultRequest', request)
  check(['default request', request], ['default limit', limits], 'defaultRequest', request)
  check(['min', min], ['default', limits], 'default', min)
  check(['default', limits], ['max', max], 'default', max)
  if (ratio !== undefined)
    errors.push(...validateRatio(ratio, min, max, keyPath(`${path}.maxLimitRequestRatio`, name)))
  if (
    !allowsOvercommit(name) &&
    limits !== undefined &&
    request !== undefined &&
    compareAmounts(limits, request) !== 0
  )
    errors.push(
      invalid(
        keyPath(`${path}.defaultRequest`, name),
        request,
        `default value ${limits} must equal to defaultRequest value ${request} in ${name}`,
      ),
    )
  return errors
}

function validateRatio(
  ratio: string,
  min: string | undefined,
  max: string | undefined,
  path: string,
): FieldError[] {
  const errors = compareAmounts(ratio, 1) < 0 ? [invalid(path, ratio, `ratio ${ratio} is less than 1`)] : []
  if (min === undefined || max === undefined) return errors
  const milli = (text: string): number => Number(quantityToInteger(text, 'milli'))
  const highest = milli(max) / milli(min)
  return milli(ratio) / 1000 > highest
    ? [...errors, invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${highest.toFixed(6)}`)]
    : errors
}
