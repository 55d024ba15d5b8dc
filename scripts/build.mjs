// Builds what is published: dist/ with JavaScript, declarations and source maps.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()
rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript7/bin/tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
chmodSync(join(root, 'dist/cli/main.js'), 0o755)
