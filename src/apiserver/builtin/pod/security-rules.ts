import type {
  AppArmorProfile,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from '../../../kinds/core/v1.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import {
  duplicate,
  type FieldError,
  invalid,
  invalidAs,
  notSupported,
  required,
  tooLong,
} from '../field-errors.js'
import { internalJson } from '../internal-form/internal-json.js'
import { validateWord } from '../value-rules.js'
import { validateDescendingPath } from './path-rules.js'
import { validateWindowsOptions } from './windows-rules.js'

const idRange = 'must be between 0 and 2147483647, inclusive'

function validateId(id: number | undefined, path: string): FieldError[] {
  return id === undefined || (id >= 0 && id <= 2_147_483_647) ? [] : [invalid(path, id, idRange)]
}

/** What is wrong with the security settings of a container. */
export function validateSecurityContext(
  context: View<SecurityContext> | undefined,
  path: string,
  usesHostUsers: boolean,
): FieldError[] {
  if (!context) return []
  const { procMount, allowPrivilegeEscalation, privileged, capabilities } = context
  const errors = [
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
  ]
  if (procMount !== undefined) {
    errors.push(...validateWord(procMount, ['Default', 'Unmasked'], `${path}.procMount`))
    if (usesHostUsers && procMount === 'Unmasked')
      errors.push(invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'))
  }
  errors.push(...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`))
  if (allowPrivilegeEscalation === false) {
    const shown = internalJson('SecurityContext', context)
    if (privileged === true)
      errors.push(
        invalidAs(path, shown, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'),
      )
    if (capabilities?.add?.includes('CAP_SYS_ADMIN') === true)
      errors.push(
        invalidAs(
          path,
          shown,
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        ),
      )
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
  ]
}

/** What is wrong with the security settings of a pod. */
export function validatePodSecurity(spec: View<PodSpec>, path: string): FieldError[] {
  const { securityContext: context, hostPID, shareProcessNamespace } = spec
  if (!context) return []
  const { fsGroupChangePolicy, supplementalGroupsPolicy, seLinuxChangePolicy } = context
  return [
    ...validateId(context.fsGroup, `${path}.fsGroup`),
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
    ...validateEach(context.supplementalGroups, `${path}.supplementalGroups`, validateId),
    ...(hostPID === true && shareProcessNamespace === true
      ? [
          invalid(
            `${path}.shareProcessNamespace`,
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
    ...validateSysctls(context.sysctls, spec, `${path}.sysctls`),
    ...(fsGroupChangePolicy === undefined
      ? []
      : validateWord(fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${path}.fsGroupChangePolicy`)),
    ...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`),
    ...(supplementalGroupsPolicy === undefined
      ? []
      : validateWord(supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`)),
    ...(seLinuxChangePolicy === undefined
      ? []
      : validateWord(seLinuxChangePolicy, ['Recursive'], `${path}.seLinuxChangePolicy`)),
  ]
}

function validateSeccomp(profile: View<SeccompProfile> | undefined, path: string): FieldError[] {
  if (!profile) return []
  const { type = '', localhostProfile } = profile
  const errors = validateWord(
    type,
    ['Localhost', 'RuntimeDefault', 'Unconfined'],
    `${path}.type`,
    'type is required when seccompProfile is set',
  )
  const own = `${path}.localhostProfile`
  if (type === 'Localhost') {
    if (localhostProfile === undefined)
      errors.push(required(own, 'must be set when seccomp type is Localhost'))
    else errors.push(...validateDescendingPath(localhostProfile, own))
  } else if (localhostProfile !== undefined) {
    // The server shows its own type here.
    const shown = internalJson('SeccompProfile', profile)
    errors.push(invalidAs(own, shown, 'can only be set when seccomp type is Localhost'))
  }
  return errors
}

/** What is wrong with an AppArmor profile. */
export function validateAppArmor(profile: View<AppArmorProfile> | undefined, path: string): FieldError[] {
  if (!profile) return []
  const { type = '', localhostProfile } = profile
  const own = `${path}.localhostProfile`
  switch (type) {
    case 'Localhost': {
      const missing = required(own, 'must be set when AppArmor type is Localhost')
      if (localhostProfile === undefined) return [missing]
      const errors: FieldError[] = []
      if (localhostProfile.trim() !== localhostProfile)
        errors.push(invalid(own, localhostProfile, 'must not be padded with whitespace'))
      else if (localhostProfile === '') errors.push(missing)
      if (Buffer.byteLength(localhostProfile) > 4095) errors.push(tooLong(own, 4095))
      return errors
    }
    case 'RuntimeDefault':
    case 'Unconfined':
      return localhostProfile === undefined
        ? []
        : [invalid(own, localhostProfile, 'can only be set when AppArmor type is Localhost')]
    case '':
      return [required(`${path}.type`, 'type is required when appArmorProfile is set')]
    default:
      return [notSupported(`${path}.type`, type, ['Localhost', 'RuntimeDefault', 'Unconfined'])]
  }
}

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const sysctlPattern = `^(${segment}[\\./])*${segment}$`
const sysctlExpression = new RegExp(sysctlPattern)

function validateSysctls(
  sysctls: readonly View<Sysctl>[] | undefined,
  { hostNetwork, hostIPC }: View<PodSpec>,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  return validateEach(sysctls, path, ({ name = '' }, own) => {
    const errors: FieldError[] = []
    const field = `${own}.name`
    if (name === '') errors.push(required(field))
    else if (Buffer.byteLength(name) > 253 || !sysctlExpression.test(name))
      errors.push(invalid(field, name, `must have at most 253 characters and match regex ${sysctlPattern}`))
    else if (seen.has(name)) errors.push(duplicate(field, name))
    seen.add(name)
    // Names are written with dots or with slashes.
    const plain = name.includes('.') ? name : name.replaceAll('/', '.')
    if (hostNetwork === true && plain.startsWith('net.'))
      errors.push(invalid(field, name, "may not be specified when 'hostNetwork' is true"))
    else if (hostIPC === true && /^(?:kernel[.](?:sem$|shm|msg)|fs[.]mqueue[.])/.test(plain))
      errors.push(invalid(field, name, "may not be specified when 'hostIPC' is true"))
    return errors
  })
}
