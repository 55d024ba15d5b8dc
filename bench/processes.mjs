// What other processes have used, as the kernel counts it (Linux only).
import { readdirSync, readFileSync } from 'node:fs'

// USER_HZ, which Linux shows to programs as 100 on every architecture that Node runs on.
const ticksPerSecond = 100

function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const end = text.lastIndexOf(')')
  // From the third field of proc(5) on: a name may hold anything, blanks and brackets included.
  const fields = text.slice(end + 2).split(' ')
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
  }
}

function statusMiB(pid, field) {
  const [, kiB] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kiB) / 1024
}

const sum = (values) => values.reduce((total, value) => total + value, 0)

/** User and system time of all threads. */
export const cpuSecondsOf = (pids) => sum(pids.map((pid) => statOf(pid).cpuSeconds))
export const rssMiBOf = (pids) => sum(pids.map((pid) => statusMiB(pid, 'VmRSS')))
export const peakMiBOf = (pids) => sum(pids.map((pid) => statusMiB(pid, 'VmHWM')))

/** Processes of these names that this process has started, also through others. */
export function descendantsNamed(names) {
  const stats = new Map()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      stats.set(Number(entry), statOf(entry))
    } catch {
      // It has ended since the folder was read.
    }
  }
  const isOurs = (pid) => pid === process.pid || (stats.has(pid) && isOurs(stats.get(pid).parent))
  return [...stats].filter(([pid, { name }]) => names.includes(name) && isOurs(pid)).map(([pid]) => pid)
}
