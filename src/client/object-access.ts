import { getOwn, isPlainObject } from '../base/index.js'
import {
  type AnyKind,
  apiVersionOf,
  IncompleteTargetError,
  type KeyOf,
  type KubeList,
  type KubeObject,
  type ListMeta,
  resourceNameOf,
} from '../objects/index.js'
import { UnexpectedResponseError } from './call-errors.js'

/** The metadata of an object as the server shows it when nothing else was asked for. */
export interface PartialObjectMetadata<TObject extends KubeObject = KubeObject> extends KubeObject {
  apiVersion: 'meta.k8s.io/v1'
  kind: 'PartialObjectMetadata'
  metadata: TObject['metadata']
}

/** What a read brings: the object, or its metadata alone. */
export type Shown<TObject extends KubeObject, M extends boolean> = M extends true
  ? PartialObjectMetadata<TObject>
  : TObject

/** What names one object, whatever its kind. */
export type AnyKey = KeyOf<KubeObject>

/** What a client needs to know of an object that it sends. */
export interface SentObject {
  readonly name: string | undefined
  readonly namespace: string | undefined
  /** How to speak of it before it has a name: `web-*`. */
  readonly newName: string | undefined
  /** The object with its apiVersion and kind filled in. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Reads name and namespace from an object to be sent. Throws {@link IncompleteTargetError} when it has no metadata. */
export function readSentObject(kind: AnyKind, object: unknown): SentObject {
  const metadata = isPlainObject(object) ? getOwn(object, 'metadata') : undefined
  if (!isPlainObject(object) || !isPlainObject(metadata))
    throw new IncompleteTargetError(
      `Cannot send an object of ${resourceNameOf(kind)} without metadata. Give it at least metadata.name.`,
    )
  const name = getOwn(metadata, 'name')
  const namespace = getOwn(metadata, 'namespace')
  const generateName = getOwn(metadata, 'generateName')
  return {
    newName:
      typeof name === 'string' ? name : typeof generateName === 'string' ? `${generateName}*` : undefined,
    name: typeof name === 'string' ? name : undefined,
    namespace: typeof namespace === 'string' ? namespace : undefined,
    body:
      object['apiVersion'] !== undefined && object['kind'] !== undefined
        ? object
        : { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind },
  }
}

/** Checks that an answer is an object with metadata: the least that every caller relies on. */
export function readObject<TObject extends KubeObject>(request: string, answer: unknown): TObject {
  if (!isPlainObject(answer) || !isPlainObject(answer['metadata']))
    throw new UnexpectedResponseError(request, 'something that is not an object of the Kubernetes API')
  // The server's schema of this kind is what TObject was made from. Checking every field here would cost more than
  // parsing it, and would refuse fields that a newer server has.
  return answer as unknown as TObject
}

/** Checks that an answer is a list, and gives its items the apiVersion and kind that the server leaves out in lists. */
export function readList<TObject extends KubeObject>(
  request: string,
  kind: AnyKind,
  answer: unknown,
): KubeList<TObject> {
  const items = isPlainObject(answer) ? answer['items'] : undefined
  const metadata = isPlainObject(answer) ? answer['metadata'] : undefined
  // Go writes an empty list of some kinds as null.
  if (!isPlainObject(answer) || !isPlainObject(metadata) || !(Array.isArray(items) || items === null))
    throw new UnexpectedResponseError(request, 'something that is not a list of the Kubernetes API')
  const apiVersion = apiVersionOf(kind)
  const objects: unknown[] = items ?? []
  for (const item of objects) {
    if (!isPlainObject(item)) throw new UnexpectedResponseError(request, 'a list that holds no objects')
    item['apiVersion'] ??= apiVersion
    item['kind'] ??= kind.kind
  }
  return {
    apiVersion: typeof answer['apiVersion'] === 'string' ? answer['apiVersion'] : apiVersion,
    kind: typeof answer['kind'] === 'string' ? answer['kind'] : kind.listKind,
    metadata: readListMeta(metadata),
    // As in readObject.
    items: objects as TObject[],
  }
}

function readListMeta({
  resourceVersion,
  continue: next,
  remainingItemCount,
}: Record<string, unknown>): ListMeta {
  return {
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
    ...(typeof next === 'string' && next !== '' && { continue: next }),
    ...(typeof remainingItemCount === 'number' && { remainingItemCount }),
  }
}

/** The media type to ask for. */
export function acceptFor(shape: 'object' | 'list', metadataOnly: boolean | undefined): string {
  if (metadataOnly !== true) return 'application/json'
  const as = shape === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata'
  return `application/json;as=${as};g=meta.k8s.io;v=v1`
}
