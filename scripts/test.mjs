// `npm test`: everything that must hold, on a fresh clone, with nothing installed but Node.
// Ends in one line, `N passed, N failed`; a step that is not a test suite counts as one.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()

const scratch = mkdtempSync(join(tmpdir(), 'kubewright-test-'))
const totals = { passed: 0, failed: 0, skipped: 0 }
const leftOut = []
const failures = []

/** Runs a command; its output is shown as it comes unless `quiet`, and always when it fails. */
function run(command, args, { quiet = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    })
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

// A person wants to see it move; a log wants the failures alone.
const reporter = process.stdout.isTTY ? 'dot' : 'minimal'

const bin = (name) => join(root, 'node_modules', '.bin', name)
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

async function check(name, command, args) {
  const since = performance.now()
  const { code, output } = await run(command, args, { quiet: true })
  totals[code === 0 ? 'passed' : 'failed']++
  if (code !== 0) failures.push(name)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(since)})`)
  if (code !== 0) console.log(output)
}

async function suite(name, env = {}) {
  const since = performance.now()
  const report = join(scratch, `${name}.json`)
  const { code } = await run(
    bin('vitest'),
    ['run', '--project', name, `--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${report}`],
    { env },
  )
  let counted = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 }
  try {
    counted = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    // The runner died before it could report: that is a failure, counted below.
  }
  totals.passed += counted.numPassedTests
  totals.skipped += counted.numPendingTests
  // A suite that fails outside its tests (a hook, an import, an unhandled rejection) has failed, whatever it counted.
  totals.failed += code === 0 ? 0 : Math.max(1, counted.numFailedTests)
  if (code !== 0) failures.push(...failedTests(counted, name))
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}: ${counted.numPassedTests} tests (${seconds(since)})`)
}

/** What failed, each with its file: long runs are read from their end. */
function failedTests({ testResults = [] }, suiteName) {
  const named = testResults.flatMap(({ name: file, status, assertionResults }) => {
    const inFile = assertionResults.filter((one) => one.status === 'failed').map((one) => one.fullName)
    const whats = inFile.length === 0 && status === 'failed' ? ['the file itself'] : inFile
    return whats.map((what) => `${relative(root, file)}: ${what}`)
  })
  return named.length === 0 ? [`${suiteName}: outside its tests`] : named
}

// The real control plane is fetched or built while everything that does not need it runs.
const controlPlane = run(
  process.execPath,
  ['scripts/run.mjs', 'src/cli/main.ts', 'control-plane', 'assets'],
  { quiet: true },
)

await check('lint', 'npm', ['run', '--silent', 'lint'])
await check('types', 'npm', ['run', '--silent', 'types'])
await check('rooms', 'npm', ['run', '--silent', 'rooms'])
await check('unused exports and files', bin('knip'), [])
await suite('unit')
await suite('faults')
await suite('embedded')
await suite('docs')
await check('build', process.execPath, ['scripts/build.mjs'])
await suite('package')

const waitingSince = performance.now()
const { code, output } = await controlPlane
if (performance.now() - waitingSince > 1000)
  console.log(`     waited ${seconds(waitingSince)} for the control plane`)
if (code === 0) {
  await suite('conformance')
  await suite('scenarios-embedded')
  await suite('scenarios')
} else {
  console.log(output)
  leftOut.push('what needs a real API server: the control plane could not be had (see above)')
  // On a build machine a suite that did not run is not a pass.
  if (process.env.CI === 'true') totals.failed++
}

rmSync(scratch, { recursive: true, force: true })
for (const what of leftOut)
  console.log(`Left out: ${what}. To run it, set KUBEBUILDER_ASSETS or install Go 1.26.`)
for (const what of failures) console.log(`Failed: ${what}`)
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`)
process.exitCode = totals.failed === 0 ? 0 : 1
