// Runs dependency-cruiser over the house and fails when a room reaches past its border.
// The module count is asserted too: with a wrong compiler the tool reports "no violations" on nothing.
import { readdirSync } from 'node:fs'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import config from '../.dependency-cruiser.mjs'

const roots = ['src', 'examples']
const files = roots.flatMap((root) =>
  readdirSync(root, { recursive: true }).filter((file) => String(file).endsWith('.ts')),
)
const { output } = await cruise(
  roots,
  { ruleSet: { forbidden: config.forbidden }, validate: true, ...config.options },
  undefined,
  { tsConfig: extractTSConfig('./tsconfig.json') },
)
for (const { rule, from, to } of output.summary.violations) {
  console.error(`${rule.severity} ${rule.name}: ${from} -> ${to}`)
}
const seen = output.modules.filter((module) =>
  roots.some((root) => module.source.startsWith(`${root}/`)),
).length
if (seen < files.length) {
  console.error(`rooms: only ${seen} of ${files.length} modules were read; is typescript 5.9 installed?`)
  process.exit(1)
}
if (output.summary.error > 0) process.exit(1)
console.log(`rooms: ${seen} modules, no border crossed`)
