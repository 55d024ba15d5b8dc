const component = /^[A-Za-z.\-_0-9+]{1,14}$/

/** What is wrong with a time zone of the IANA database, in the server's words; nothing when it is right. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return undefined
  const unknown = `unknown time zone ${name}`
  // Names are those of files on the server, capitals matter; to JavaScript they do not, and offsets are zones, too.
  const isWellCased = name.split('/').every((part) => /^[A-Z]/.test(part))
  if (!isWellCased) return unknown
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions()
    return timeZone !== name && timeZone.toLowerCase() === name.toLowerCase() ? unknown : undefined
  } catch {
    return unknown
  }
}

/** As {@link timeZoneProblem}, for the field of a CronJob, which is stricter. All that is wrong with it. */
export function timeZoneFieldProblems(name: string): readonly string[] {
  if (name === '') return ['timeZone must be nil or non-empty string']
  const isPlausible = name
    .split('/')
    .every((part) => part !== '.' && part !== '..' && !part.startsWith('-') && component.test(part))
  if (!isPlausible) return [`unknown time zone ${name}`]
  const problems: string[] = []
  if (name.toLowerCase() === 'local')
    problems.push('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')
  const problem = timeZoneProblem(name)
  return problem === undefined ? problems : [...problems, problem]
}
