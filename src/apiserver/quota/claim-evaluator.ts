import type { PersistentVolumeClaim } from '../../kinds/core/v1.js'
import { compareQuantities, quantityToInteger } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { type View, viewOf } from '../builtin/draft.js'
import type { QuotaEvaluator } from './evaluator.js'
import { selectsName } from './scope-selector.js'
import { usageOf } from './usage.js'

const names = ['persistentvolumeclaims', 'requests.storage']
const ofClass = '.storageclass.storage.k8s.io/'

type Claim = View<PersistentVolumeClaim>

export const claimEvaluator: QuotaEvaluator = {
  tracks: (name) =>
    name === 'count/persistentvolumeclaims' ||
    names.some((each) => name === each || name.endsWith(`${ofClass}${each}`)),

  handles({ info, object, oldObject }) {
    if (info.subresource === '') return true
    if (info.subresource !== 'status' || object === undefined || oldObject === undefined) return false
    return storageText(object) !== storageText(oldObject) || namesText(object) !== namesText(oldObject)
  },

  isWithin(scope, object) {
    if (scope.scopeName !== 'VolumeAttributesClass') return false
    const classes = attributesClasses(viewOf<PersistentVolumeClaim>(object))
    return classes.length === 0
      ? selectsName(scope, undefined)
      : classes.some((each) => selectsName(scope, each))
  },

  usage(object) {
    const claim = viewOf<PersistentVolumeClaim>(object)
    const storage = storageOf(claim)
    const storageClass =
      claim.metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? claim.spec?.storageClassName
    const used = {
      persistentvolumeclaims: 1,
      ...(storage !== undefined && { 'requests.storage': storage }),
    }
    return usageOf({
      'count/persistentvolumeclaims': 1,
      ...used,
      ...(storageClass !== undefined &&
        storageClass !== '' &&
        Object.fromEntries(
          Object.entries(used).map(([name, amount]) => [`${storageClass}${ofClass}${name}`, amount]),
        )),
    })
  },
}

/** What is asked for, or has been given beyond that, in whole bytes. */
function storageOf({ spec, status }: Claim): string | bigint | undefined {
  const asked = spec?.resources?.requests?.['storage']
  if (asked === undefined) return undefined
  const given = status?.allocatedResources?.['storage']
  const amount = given !== undefined && compareQuantities(given, asked) > 0 ? given : asked
  const whole = quantityToInteger(amount)
  return compareQuantities(whole, amount) === 0 ? String(amount) : whole
}

function storageText(object: ApiObject | StoredApiObject): string {
  return String(viewOf<PersistentVolumeClaim>(object).status?.allocatedResources?.['storage'])
}

function namesText(object: ApiObject | StoredApiObject): string {
  return attributesClasses(viewOf<PersistentVolumeClaim>(object)).toSorted().join(' ')
}

function attributesClasses({ spec, status }: Claim): string[] {
  return [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].flatMap((name) => (name === undefined || name === '' ? [] : [name]))
}
