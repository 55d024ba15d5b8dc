import type { DeleteOptions } from '../request/delete-options.js'

const orphan = 'orphan'
const foreground = 'foregroundDeletion'

type Wishes = Pick<DeleteOptions, 'propagationPolicy' | 'orphanDependents'>

/**
 * The finalizers of an object whose deletion is asked for: those of the garbage collector come and go as the request
 * says, else as the object has them, else as its kind has it.
 */
export function finalizersAfterDeletion(
  finalizers: readonly string[],
  wishes: Wishes,
  orphansByDefault: boolean,
): readonly string[] {
  const given = finalizers.find((finalizer) => finalizer === orphan || finalizer === foreground)
  const wanted = isDecided(wishes)
    ? wishedFinalizer(wishes)
    : (given ?? (orphansByDefault ? orphan : undefined))
  const isRight = (finalizer: string): boolean => finalizers.includes(finalizer) === (finalizer === wanted)
  if (isRight(orphan) && isRight(foreground)) return finalizers
  const others = finalizers.filter((finalizer) => finalizer !== orphan && finalizer !== foreground)
  return wanted === undefined ? others : [...others, wanted]
}

function isDecided({ propagationPolicy, orphanDependents }: Wishes): boolean {
  return orphanDependents !== undefined || propagationPolicy !== undefined
}

function wishedFinalizer({ propagationPolicy, orphanDependents }: Wishes): string | undefined {
  if (orphanDependents === true || propagationPolicy === 'Orphan') return orphan
  return propagationPolicy === 'Foreground' ? foreground : undefined
}
