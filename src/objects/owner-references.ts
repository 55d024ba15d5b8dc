import { KubewrightError } from '../base/index.js'
import { parseApiVersion } from './kind.js'
import type { OwnerReference } from './metadata.js'
import { formatKey } from './object-key.js'

/** An object that exists, as an owner: without a `uid` the garbage collector has nothing to hold on to. */
export interface Owner {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly uid: string; readonly namespace?: string | undefined }
}

/** An object that is to be owned: a draft, or an object that does not exist yet. */
export interface Dependent {
  readonly kind?: string | undefined
  readonly metadata: {
    readonly name?: string | undefined
    readonly namespace?: string | undefined
    ownerReferences?: OwnerReference[]
  }
}

export interface OwnerReferenceOptions {
  /** The owner is the one controller of the dependent. An object has at most one. */
  readonly controller?: boolean
  /** The owner stays until the dependent is gone when it is deleted in the foreground. */
  readonly blockOwnerDeletion?: boolean
}

/** The reference would be refused by the server, or would make the garbage collector delete the dependent. */
export class InvalidOwnerError extends KubewrightError {
  readonly reason: 'incomplete-owner' | 'event-owner' | 'cross-namespace' | 'cluster-scoped-dependent'

  constructor(reason: InvalidOwnerError['reason'], message: string) {
    super(message, { code: 'KW_OWNER_INVALID' })
    this.reason = reason
  }
}

/** The dependent has another controller already. */
export class AlreadyControlledError extends KubewrightError {
  readonly controller: OwnerReference

  constructor(message: string, controller: OwnerReference) {
    super(message, { code: 'KW_ALREADY_CONTROLLED' })
    this.controller = controller
  }
}

/** A reference to the owner. Throws {@link InvalidOwnerError} when the owner is not one that exists on the server. */
export function ownerReferenceTo(owner: Owner, options: OwnerReferenceOptions = {}): OwnerReference {
  const { apiVersion, kind } = owner
  const { name, uid } = owner.metadata
  for (const [field, value] of Object.entries({
    apiVersion,
    kind,
    'metadata.name': name,
    'metadata.uid': uid,
  })) {
    // Objects of users and of tests have holes that their types deny.
    if (typeof value !== 'string' || value === '') {
      throw new InvalidOwnerError(
        'incomplete-owner',
        `${describe(owner)} cannot be an owner: it has no ${field}. Use the object that the server returned.`,
      )
    }
  }
  if (apiVersion === 'v1' && kind === 'Event')
    throw new InvalidOwnerError('event-owner', 'An Event cannot be an owner: own by what the Event is about.')
  const { controller, blockOwnerDeletion } = options
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  }
}

/**
 * Makes the owner the controller of the dependent: its changes wake the owner, and it is deleted with it. Changes
 * `metadata.ownerReferences` of the dependent; a reference to the same owner is replaced.
 * Throws {@link InvalidOwnerError} or {@link AlreadyControlledError} before anything is changed.
 */
export function setControllerReference(
  owner: Owner,
  dependent: Dependent,
  options: { readonly blockOwnerDeletion?: boolean } = {},
): void {
  const { blockOwnerDeletion = true } = options
  setOwnerReference(owner, dependent, { controller: true, blockOwnerDeletion })
}

/**
 * Adds the owner to the owners of the dependent, which is deleted when the last of them is. Otherwise as
 * {@link setControllerReference}.
 */
export function setOwnerReference(
  owner: Owner,
  dependent: Dependent,
  options: OwnerReferenceOptions = {},
): void {
  const reference = ownerReferenceTo(owner, options)
  checkNamespaces(owner, dependent)
  const current = controllerOf(dependent)
  if (reference.controller === true && current !== undefined && current.uid !== reference.uid)
    throw alreadyControlled(dependent, current, reference)
  const references = dependent.metadata.ownerReferences ?? []
  const index = references.findIndex(({ uid }) => uid === reference.uid)
  dependent.metadata.ownerReferences =
    index === -1 ? [...references, reference] : references.with(index, reference)
}

function checkNamespaces(owner: Owner, dependent: Dependent): void {
  const ownerNamespace = owner.metadata.namespace ?? ''
  const namespace = dependent.metadata.namespace ?? ''
  // A cluster-scoped owner may own anything.
  if (ownerNamespace === '' || ownerNamespace === namespace) return
  if (namespace === '') {
    throw new InvalidOwnerError(
      'cluster-scoped-dependent',
      `${describe(dependent)} has no namespace and cannot be owned by ${describe(owner)}, which has one: the garbage collector would delete it. ` +
        `Set metadata.namespace to ${JSON.stringify(ownerNamespace)}; or, if it is cluster-scoped, clean it up with a finalizer.`,
    )
  }
  throw new InvalidOwnerError(
    'cross-namespace',
    `${describe(dependent)} cannot be owned by ${describe(owner)} in another namespace: the garbage collector would delete it. ` +
      'Put both into one namespace, or clean it up with a finalizer.',
  )
}

function alreadyControlled(
  dependent: Dependent,
  current: OwnerReference,
  wanted: OwnerReference,
): AlreadyControlledError {
  const isFormerSelf =
    current.kind === wanted.kind &&
    current.name === wanted.name &&
    parseApiVersion(current.apiVersion).group === parseApiVersion(wanted.apiVersion).group
  return new AlreadyControlledError(
    isFormerSelf
      ? `${describe(dependent)} is controlled by an earlier ${current.kind} ${current.name} (uid ${current.uid}) that is gone: wait until the garbage collector has deleted it, then create it anew.`
      : `${describe(dependent)} is controlled by ${current.kind} ${current.name} (uid ${current.uid}) already: choose another name for it, or let its controller release it.`,
    current,
  )
}

/** The reference to the controller of an object. */
export function controllerOf(object: {
  readonly metadata: { readonly ownerReferences?: readonly Readonly<OwnerReference>[] | undefined }
}): Readonly<OwnerReference> | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true)
}

/** True when the object has a reference to this very owner: by `uid`, since names are used again. */
export function isOwnedBy(
  object: {
    readonly metadata: { readonly ownerReferences?: readonly Readonly<OwnerReference>[] | undefined }
  },
  owner: { readonly metadata: { readonly uid: string } },
): boolean {
  const { uid } = owner.metadata
  return uid !== '' && object.metadata.ownerReferences?.some((reference) => reference.uid === uid) === true
}

function describe(object: Dependent): string {
  const { name = '(no name yet)', namespace } = object.metadata
  return `${object.kind ?? 'The object'} ${formatKey({ namespace, name })}`
}
