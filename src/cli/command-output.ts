/** Where a command writes: results to one, what goes on to the other. */
export interface CommandOutput {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
}
