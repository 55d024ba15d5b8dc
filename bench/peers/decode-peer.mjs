// What every Node peer does: read its task from the environment, measure its own CPU time, report one line of JSON.
export const server = process.env.BENCH_SERVER
export const events = Number(process.env.BENCH_EXPECT)

/** Runs the work; resolves to what it counted and the CPU seconds (user and system, all threads) that it took. */
export async function cpuSeconds(work) {
  const before = process.cpuUsage()
  const objects = await work()
  const { user, system } = process.cpuUsage(before)
  return { objects, cpuSeconds: (user + system) / 1e6 }
}

export function report({ listed, watched }) {
  console.log(JSON.stringify({ list: listed, watch: watched, rssMiB: process.memoryUsage.rss() / 2 ** 20 }))
}
