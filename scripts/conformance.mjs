// `npm run conformance`: the embedded API server judged by the real one, request by request.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()
const args = ['run', '--project', 'conformance', ...process.argv.slice(2)]
const child = spawn(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, stdio: 'inherit' })
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
