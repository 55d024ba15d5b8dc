import { deepEqual } from '../../../base/index.js'
import type {
  CSIDriver,
  CSIDriverSpec,
  CSINode,
  CSINodeDriver,
  CSIStorageCapacity,
  TokenRequest,
} from '../../../kinds/storage.k8s.io/v1.js'
import { compareQuantities, dns1123SubdomainErrors } from '../../../objects/index.js'
import { goJson } from '../../../schema/internal.js'
import type { WriteContext } from '../../resource.js'
import { draftOf, type View, viewOf } from '../draft.js'
import {
  duplicate,
  type FieldError,
  invalid,
  invalidAs,
  invalidFor,
  notSupported,
  required,
  tooLong,
} from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { subdomainName } from '../name-rules.js'
import { shownSelector } from '../shown-selector.js'
import {
  isAbsent,
  isBlank,
  validateImmutable,
  validateNonNegative,
  validateQualifiedName,
} from '../value-rules.js'

export const csiDriverRules: KindRules = {
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  defaults(draft) {
    const driver = draftOf<CSIDriver>(draft)
    driver.spec ??= {}
    const { spec } = driver
    spec.attachRequired ??= true
    spec.podInfoOnMount ??= false
    spec.storageCapacity ??= false
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType'
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent']
    spec.requiresRepublish ??= false
    spec.seLinuxMount ??= false
  },
  prepareForCreate(draft) {
    // Only changes are counted.
    delete draft.metadata.generation
    dropUnsupported(draftOf<CSIDriver>(draft).spec)
  },
  prepareForUpdate: (draft) => dropUnsupported(draftOf<CSIDriver>(draft).spec),
  validateCreate(object, context) {
    const { spec = {} } = viewOf<CSIDriver>(object)
    const errors = validateDriver(spec)
    if (errors.length === 0) warnOfTokens(spec, context)
    return errors
  },
  validateUpdate(object, old, context) {
    const { spec = {} } = viewOf<CSIDriver>(object)
    const { spec: before = {} } = viewOf<CSIDriver>(old)
    if (!deepEqual(spec.tokenRequests, before.tokenRequests)) warnOfTokens(spec, context)
    return [
      ...validateDriver(spec),
      ...validateImmutable(spec.attachRequired, before.attachRequired, 'spec.attachedRequired'),
      ...validateImmutable(
        spec.volumeLifecycleModes,
        before.volumeLifecycleModes,
        'spec.volumeLifecycleModes',
      ),
    ]
  },
}

/** A feature that is off. */
function dropUnsupported(spec: { preventPodSchedulingIfMissing?: boolean | undefined } | undefined): void {
  if (spec !== undefined) delete spec.preventPodSchedulingIfMissing
}

function warnOfTokens(
  { tokenRequests = [], serviceAccountTokenInSecrets }: View<CSIDriverSpec>,
  context: WriteContext,
): void {
  if (tokenRequests.length > 0 && isAbsent(serviceAccountTokenInSecrets))
    context.warn(
      'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
    )
}

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType']
const lifecycleModes = ['Persistent', 'Ephemeral']

function validateDriver(spec: View<CSIDriverSpec>): FieldError[] {
  const {
    fsGroupPolicy,
    tokenRequests = [],
    volumeLifecycleModes: modes = [],
    nodeAllocatableUpdatePeriodSeconds: period,
    serviceAccountTokenInSecrets: inSecrets,
  } = spec
  return [
    ...(isAbsent(fsGroupPolicy) || groupPolicies.includes(fsGroupPolicy)
      ? []
      : [notSupported('spec.fsGroupPolicy', fsGroupPolicy, groupPolicies)]),
    ...validateTokenRequests(tokenRequests, 'spec.tokenRequests'),
    ...modes
      .filter((mode) => !lifecycleModes.includes(mode))
      .map((mode) => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
    ...(!isAbsent(period) && period < 10
      ? [
          invalid(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]
      : []),
    ...(!isAbsent(inSecrets) && tokenRequests.length === 0
      ? [
          invalid(
            'spec.serviceAccountTokenInSecrets',
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ]
}

function validateTokenRequests(requests: readonly View<TokenRequest>[], path: string): FieldError[] {
  const audiences = requests.map(({ audience = '' }) => audience)
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, index) => {
    const at = `${path}[${index}]`
    if (audiences.indexOf(audience) < index) return [duplicate(`${at}.audience`, audience)]
    if (isAbsent(seconds)) return []
    const wrong = (why: string): FieldError[] => [invalid(`${at}.expirationSeconds`, seconds, why)]
    if (seconds < 600) return wrong('may not specify a duration less than 10 minutes')
    return seconds > 2 ** 32 ? wrong('may not specify a duration larger than 2^32 seconds') : []
  })
}

export const csiNodeRules: KindRules = {
  nameProblems: subdomainName,
  allowsUnconditionalUpdate: false,
  validateCreate: (object) => validateDrivers(viewOf<CSINode>(object).spec?.drivers ?? []),
  validateUpdate(object, old) {
    const drivers = viewOf<CSINode>(object).spec?.drivers ?? []
    const before = viewOf<CSINode>(old).spec?.drivers ?? []
    return [
      ...validateDrivers(drivers ?? []),
      ...(before ?? []).flatMap((driver) =>
        (drivers ?? [])
          .filter(({ name }) => name === driver.name)
          .filter((now) => !deepEqual({ ...now, allocatable: 0 }, { ...driver, allocatable: 0 }))
          .map(({ name = '', nodeID = '', topologyKeys = null }) =>
            invalidAs(
              'spec.drivers',
              `{"Name":${goJson(name)},"NodeID":${goJson(nodeID)},"TopologyKeys":${goJson(topologyKeys)},"Allocatable":null}`,
              'field is immutable',
            ),
          ),
      ),
    ]
  },
}

/** The name of a driver, wherever it is named. */
export function validateDriverName(name: string | undefined, path: string): FieldError[] {
  if (isBlank(name)) return [required(path)]
  return [
    ...(name.length > 63 ? [tooLong(path, 63)] : []),
    ...invalidFor(path, name, dns1123SubdomainErrors(name.toLowerCase())),
  ]
}

function validateDrivers(drivers: readonly View<CSINodeDriver>[]): FieldError[] {
  const names = drivers.map(({ name = '' }) => name)
  return drivers.flatMap(({ name = '', nodeID = '', topologyKeys, allocatable }, index) => {
    const path = `spec.drivers[${index}]`
    const keys = topologyKeys ?? []
    return [
      ...validateDriverName(name, `${path}.name`),
      ...(nodeID === '' ? [required(`${path}.nodeID`)] : []),
      ...(nodeID.length > 256 ? [invalid(`${path}.nodeID`, nodeID, 'must be 256 characters or less')] : []),
      ...validateNonNegative(allocatable?.count, `${path}.allocatable.count`),
      ...(names.indexOf(name) < index ? [duplicate(`${path}.name`, name)] : []),
      ...keys.flatMap((key, at) => [
        ...(key === '' ? [required(path)] : []),
        ...(keys.indexOf(key) < at ? [duplicate(path, key)] : []),
        ...validateQualifiedName(key, path),
      ]),
    ]
  })
}

export const csiStorageCapacityRules: KindRules = {
  allowsUnconditionalUpdate: false,
  validateCreate(object) {
    const { nodeTopology, storageClassName = '', capacity } = viewOf<CSIStorageCapacity>(object)
    return [
      ...validateLabelSelector(nodeTopology, 'nodeTopology'),
      ...invalidFor('storageClassName', storageClassName, subdomainName(storageClassName, false)),
      ...(!isAbsent(capacity) && compareQuantities(capacity, '0') < 0
        ? [invalid('capacity', capacity, 'must be greater than or equal to 0')]
        : []),
    ]
  },
  validateUpdate(object, old) {
    const now = viewOf<CSIStorageCapacity>(object)
    const before = viewOf<CSIStorageCapacity>(old)
    return [
      ...(deepEqual(now.nodeTopology, before.nodeTopology)
        ? []
        : [invalidAs('nodeTopology', shownSelector(now.nodeTopology), 'field is immutable')]),
      ...validateImmutable(now.storageClassName, before.storageClassName, 'storageClassName'),
    ]
  },
}
