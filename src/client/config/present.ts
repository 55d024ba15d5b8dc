/** The type of an object whose undefined members were left out. */
export type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The same object without its undefined members: what `exactOptionalPropertyTypes` asks for. */
export function present<T extends object>(fields: T): Present<T> {
  // Proof: only undefined members are left out, and Present<T> lets exactly those be absent.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}
