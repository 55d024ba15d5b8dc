// `npm run example -- <name> [flags]` runs examples/<name>/main.ts against the cluster of --kubeconfig.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { runSource } from './run.mjs'

const [name, ...flags] = process.argv.slice(2)
const examples = readdirSync(join(root, 'examples')).filter((entry) =>
  existsSync(join(root, 'examples', entry, 'main.ts')),
)

if (name === undefined || !examples.includes(name)) {
  console.error(`Usage: npm run example -- <name> [flags]\nExamples: ${examples.join(', ')}`)
  process.exit(name === undefined ? 0 : 2)
}
await runSource(`examples/${name}/main.ts`, flags)
