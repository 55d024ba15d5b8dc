import { seededRandom } from 'kubewright/base'
import {
  createCluster,
  createFakeClock,
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  type FakeClock,
} from 'kubewright/testing'
import { onTestFinished } from 'vitest'

/** A cluster in this process, in virtual time, that repeats itself exactly. */
export interface EmbeddedRig {
  readonly cluster: EmbeddedCluster
  readonly clock: FakeClock
  /** Resolves when nothing changes any more without time passing. */
  settle(): Promise<void>
  /** Lets time pass, and everything happen that follows. */
  pass(ms: number): Promise<void>
}

const quietTurns = 10

export async function createEmbeddedRig(
  options: Omit<EmbeddedClusterOptions, 'kind' | 'https' | 'clock' | 'random'> & {
    readonly seed?: number
  } = {},
): Promise<EmbeddedRig> {
  const { seed = 1, ...rest } = options
  const clock = createFakeClock()
  const cluster = await createCluster({
    kind: 'embedded',
    https: false,
    clock,
    random: seededRandom(seed),
    ...rest,
  })
  onTestFinished(() => cluster.stop())
  const { store } = cluster.server
  const settle = async (): Promise<void> => {
    for (let quiet = 0, last = store.revision; quiet < quietTurns; quiet++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (store.revision !== last) quiet = 0
      last = store.revision
    }
  }
  await settle()
  return {
    cluster,
    clock,
    settle,
    async pass(ms) {
      await clock.advance(ms)
      await settle()
    },
  }
}
