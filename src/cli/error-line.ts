/** One line for one error: its sentence and its code. */
export function errorLine(error: { readonly message: string; readonly code: string }): string {
  return `Error: ${error.message} (${error.code})\n`
}
