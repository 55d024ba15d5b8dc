#!/usr/bin/env node
import { main } from './commands.js'

// As in `kubewright get pods | head`: whoever reads has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await main(process.argv.slice(2))
