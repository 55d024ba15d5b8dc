const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

/** What is wrong with a key of a ConfigMap or a Secret. */
export function configKeyProblems(key: string): string[] {
  const problems: string[] = []
  if (Buffer.byteLength(key) > 253) problems.push('must be no more than 253 characters')
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(keyRule)
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`)
  else if (key.startsWith('..')) problems.push("must not start with '..'")
  return problems
}

/** What is wrong with the name of an environment variable. */
export function environmentNameProblems(name: string): string[] {
  if (name === '') return ['environment variable name must be non-empty']
  return /^[ -<>-~]*$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}
