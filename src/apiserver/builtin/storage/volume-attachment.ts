import { deepEqual } from '../../../base/index.js'
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentStatus,
  VolumeError,
} from '../../../kinds/storage.k8s.io/v1.js'
import { goJson } from '../../../schema/internal.js'
import { type View, viewOf } from '../draft.js'
import {
  type FieldError,
  forbidden,
  invalid,
  invalidAs,
  invalidFor,
  required,
  tooLong,
} from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { subdomainName } from '../name-rules.js'
import { isAbsent } from '../value-rules.js'
import { validateDriverName } from './csi.js'

export const volumeAttachmentRules: KindRules = {
  allowsUnconditionalUpdate: false,
  validateCreate: (object) => validateAttachment(viewOf<VolumeAttachment>(object)),
  validateUpdate(object, old) {
    const attachment = viewOf<VolumeAttachment>(object)
    const errors = validateAttachment(attachment)
    if (deepEqual(attachment.spec, viewOf<VolumeAttachment>(old).spec)) return errors
    return [...errors, invalidAs('spec', shownSpec(attachment), 'field is immutable')]
  },
  validateStatusUpdate: (object) => validateStatus(viewOf<VolumeAttachment>(object).status ?? {}),
}

/** As the server's own type has it. */
function shownSpec({ spec = {} }: View<VolumeAttachment>): string {
  const { attacher = '', source = {}, nodeName = '' } = spec
  const { persistentVolumeName = null, inlineVolumeSpec = null } = source
  return `{"Attacher":${goJson(attacher)},"Source":{"PersistentVolumeName":${goJson(persistentVolumeName)},"InlineVolumeSpec":${goJson(inlineVolumeSpec)}},"NodeName":${goJson(nodeName)}}`
}

function validateAttachment({ spec = {}, status = {} }: View<VolumeAttachment>): FieldError[] {
  const { attacher, source = {}, nodeName = '' } = spec
  const { persistentVolumeName: volume } = source
  return [
    ...validateDriverName(attacher, 'spec.attacher'),
    ...validateSource(source, 'spec.source'),
    ...invalidFor('spec.nodeName', nodeName, subdomainName(nodeName, false)),
    ...validateStatus(status),
    ...(isAbsent(volume)
      ? []
      : invalidFor('spec.source.persistentVolumeName', volume, subdomainName(volume, false))),
  ]
}

function validateSource(source: View<VolumeAttachmentSource>, path: string): FieldError[] {
  const { inlineVolumeSpec, persistentVolumeName } = source
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (isAbsent(inlineVolumeSpec) && isAbsent(persistentVolumeName)) return [required(path, exactlyOne)]
  if (!isAbsent(inlineVolumeSpec) && !isAbsent(persistentVolumeName)) return [forbidden(path, exactlyOne)]
  return persistentVolumeName === ''
    ? [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : []
}

const largestMetadata = 256 * 1024
const longestMessage = 1024

function validateStatus(status: View<VolumeAttachmentStatus>): FieldError[] {
  const size = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value ?? ''),
    0,
  )
  return [
    ...(size > largestMetadata ? [tooLong('status.attachmentMetadata', largestMetadata)] : []),
    ...validateVolumeError(status.attachError, 'status.attachError'),
    ...validateVolumeError(status.detachError, 'status.detachError'),
  ]
}

function validateVolumeError(error: View<VolumeError> | undefined, path: string): FieldError[] {
  if (isAbsent(error)) return []
  const { message = '', errorCode } = error
  return [
    // The number in the message is that of the metadata: so the server has it.
    ...(message.length > longestMessage ? [tooLong(`${path}.message`, largestMetadata)] : []),
    ...(!isAbsent(errorCode) && errorCode < 0
      ? [invalid(`${path}.errorCode`, errorCode, 'must be between 0 and 2147483647, inclusive')]
      : []),
  ]
}
