import type { Clock, Random } from '../base/index.js'
import { formatTime } from '../objects/index.js'
import type { Nature } from './cluster-state.js'

/** Time and chance of a server: the same clock and the same seed give the same run. */
export function createNature(clock: Clock, random: Random): Nature {
  const digits = (count: number): string => {
    let text = ''
    for (let digit = 0; digit < count; digit++) text += Math.floor(random() * 16).toString(16)
    return text
  }
  return {
    clock,
    random,
    uid: () =>
      `${digits(8)}-${digits(4)}-4${digits(3)}-${'89ab'[Math.floor(random() * 4)]}${digits(3)}-${digits(12)}`,
    timestamp: () => formatTime(clock.now()),
  }
}
