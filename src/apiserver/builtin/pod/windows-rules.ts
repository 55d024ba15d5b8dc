import type { PodSpec, WindowsSecurityContextOptions } from '../../../kinds/core/v1.js'
import { dns1123SubdomainErrors } from '../../../objects/index.js'
import type { View } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidFor, notSupported, required } from '../field-errors.js'
import { allContainers } from './containers-of.js'

/** What is wrong with the settings of Windows containers. */
export function validateWindowsOptions(
  options: View<WindowsSecurityContextOptions> | undefined,
  path: string,
): FieldError[] {
  if (!options) return []
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options
  const errors: FieldError[] = []
  if (gmsaCredentialSpecName !== undefined)
    errors.push(
      ...invalidFor(
        `${path}.gmsaCredentialSpecName`,
        gmsaCredentialSpecName,
        dns1123SubdomainErrors(gmsaCredentialSpecName),
      ),
    )
  if (gmsaCredentialSpec === '')
    errors.push(invalid(`${path}.gmsaCredentialSpec`, '', 'gmsaCredentialSpec cannot be an empty string'))
  else if (gmsaCredentialSpec !== undefined && Buffer.byteLength(gmsaCredentialSpec) > 64 * 1024)
    errors.push(
      invalid(
        `${path}.gmsaCredentialSpec`,
        gmsaCredentialSpec,
        'gmsaCredentialSpec size must be under 64 KiB',
      ),
    )
  if (runAsUserName !== undefined)
    errors.push(...invalidFor(`${path}.runAsUserName`, runAsUserName, userNameProblems(runAsUserName)))
  return errors
}

const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`)

function userNameProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const user = parts.at(-1) ?? ''
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined
  const problems: string[] = []
  if (domain !== undefined && domain.length >= 256)
    problems.push("runAsUserName's Domain length must be under 256 characters")
  if (domain !== undefined && !netBiosDomain.test(domain) && !dnsDomain.test(domain))
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  if (user === '') problems.push("runAsUserName's User cannot be empty")
  else if (user.length > 104)
    problems.push("runAsUserName's User length must not be longer than 104 characters")
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces")
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`)
  return problems
}

/** Windows pods run on the host either with all of their containers or with none. */
export function validateHostProcess(spec: View<PodSpec>, path: string): FieldError[] {
  const errors: FieldError[] = []
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  const containers = allContainers(spec, path)
  let count = 0
  for (const { container, path: own } of containers) {
    const hostProcess = container.securityContext?.windowsOptions?.hostProcess
    if (ofPod !== undefined && hostProcess !== undefined && ofPod !== hostProcess)
      errors.push(
        invalid(
          `${own}.securityContext.windowsOptions.hostProcess`,
          hostProcess,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        ),
      )
    if (hostProcess ?? ofPod) count++
  }
  if (count > 0 && count !== containers.length)
    errors.push(
      invalid(
        path,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    )
  if (count > 0 && spec.hostNetwork !== true)
    errors.push(
      invalid(
        `${path}.hostNetwork`,
        false,
        'hostNetwork must be true if pod contains any hostProcess containers',
      ),
    )
  return errors
}

const podFields = [
  ['securityContext', 'appArmorProfile'],
  ['securityContext', 'seLinuxOptions'],
  ['hostUsers'],
  ['hostPID'],
  ['hostIPC'],
  ['securityContext', 'seccompProfile'],
  ['securityContext', 'fsGroup'],
  ['securityContext', 'fsGroupChangePolicy'],
  ['securityContext', 'sysctls'],
  ['shareProcessNamespace'],
  ['securityContext', 'runAsUser'],
  ['securityContext', 'runAsGroup'],
  ['securityContext', 'supplementalGroups'],
  ['securityContext', 'supplementalGroupsPolicy'],
  ['securityContext', 'seLinuxChangePolicy'],
] as const

const containerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const

/** What does not fit to the operating system that a pod says it is for. */
export function validateOs(spec: View<PodSpec>, path: string): FieldError[] {
  if (!spec.os) return []
  const { name = '' } = spec.os
  if (name === '') return [required(`${path}.os.name`)]
  if (name === 'windows') return validateWindows(spec, path)
  if (name !== 'linux') return [notSupported(`${path}.os`, name, ['linux', 'windows'])]
  const why = 'windows options cannot be set for a linux pod'
  return [
    ...(spec.securityContext?.windowsOptions
      ? [forbidden(`${path}.securityContext.windowsOptions`, why)]
      : []),
    ...allContainers(spec, path).flatMap(({ container, path: own }) =>
      container.securityContext?.windowsOptions
        ? [forbidden(`${own}.securityContext.windowsOptions`, why)]
        : [],
    ),
  ]
}

function validateWindows(spec: View<PodSpec>, path: string): FieldError[] {
  const why = 'cannot be set for a windows pod'
  const isSet = (owner: object | undefined, field: string): boolean =>
    owner !== undefined && Object.hasOwn(owner, field)
  return [
    ...podFields.flatMap((names) => {
      const [first, second] = names
      const found = second === undefined ? isSet(spec, first) : isSet(spec.securityContext, second)
      return found ? [forbidden(`${path}.${names.join('.')}`, why)] : []
    }),
    ...allContainers(spec, path).flatMap(({ container, path: own }) =>
      containerFields
        .filter((field) => isSet(container.securityContext, field))
        .map((field) => forbidden(`${own}.securityContext.${field}`, why)),
    ),
  ]
}
