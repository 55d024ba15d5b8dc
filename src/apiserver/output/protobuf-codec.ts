/** An object, a list or a Status: whatever has a kind. */
export interface ProtobufSource {
  readonly apiVersion: string
  readonly kind: string
  readonly [field: string]: unknown
}

/** The protobuf form of objects, for the kinds that have one. Given to the server where it is wanted. */
export interface ProtobufCodec {
  /** Whether objects of this kind have a protobuf form. Lists and `Status` are kinds, too. */
  knows(apiVersion: string, kind: string): boolean
  /**
   * The object in its envelope: the four bytes `k8s\0`, then a `runtime.Unknown`. Only for kinds that it knows. Items of
   * a list have their kind and apiVersion, which their protobuf form leaves out.
   */
  encode(object: ProtobufSource): Uint8Array
}
