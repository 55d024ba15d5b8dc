import type { Clock, Random } from '../base/index.js'
import { formatTime } from '../objects/index.js'
import type { Nature } from './cluster-state.js'

/** Time and chance of a server: the same clock and the same seed give the same run. */
export function createNature(clock: Clock, random: Random): Nature {
  // By 32 bits: a server makes a uid for every object and for every request.
  const eightDigits = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return {
    clock,
    random,
    uid() {
      const [first, second, third, fourth] = [eightDigits(), eightDigits(), eightDigits(), eightDigits()]
      // Of version 4 and of the variant of RFC 9562, whose first digit is 8, 9, a or b.
      const variant = '89ab'[third.charCodeAt(0) & 3]
      return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}-${third.slice(4)}${fourth}`
    },
    timestamp: () => formatTime(clock.now()),
  }
}
