/** What a path asks for, in the words of authorization. */
export interface RequestInfo {
  /** Of resources: get, list, watch, create, update, patch, delete, deletecollection. Of other paths: the method, in lower case. */
  readonly verb: string
  readonly path: string
  readonly isResource: boolean
  readonly group: string
  readonly version: string
  /** Plural. Empty for other paths. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}
