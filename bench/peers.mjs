// Who takes part, and how to build those that are not JavaScript. What cannot be built here is left out, with a line that
// says so.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const built = here('../.cache/bench')

const nodePeer = (name, file) => [{ name, command: process.execPath, args: ['--expose-gc', here(file)] }]

const controllers = {
  kubewright: () => nodePeer('kubewright', 'peer.mjs'),
  'client-node': () => nodePeer('client-node', 'peers/client-node.mjs'),
  'client-go': () => goPeer('client-go'),
  'controller-runtime': () => goPeer('controller-runtime'),
  'kube-rs': rustPeer,
}

const clients = {
  kubewright: () => nodePeer('kubewright', 'peers/decode-kubewright.mjs'),
  'client-node': () => nodePeer('client-node', 'peers/decode-client-node.mjs'),
  'client-go': () => goPeer('client-go'),
}

export const peerNames = Object.keys(controllers)

/** The peers that follow the protocol of README.md, of those with these names: kubewright first. */
export const controllerPeers = (names) => chosen(controllers, names)

/** Those that list and watch with their bare clients. */
export const clientPeers = (names) => chosen(clients, names)

const chosen = (table, names) =>
  Object.entries(table)
    .filter(([name]) => names.includes(name))
    .flatMap(([, peer]) => peer())

function goPeer(name) {
  const command = join(built, name)
  return build(name, command, ['go', 'build', '-o', command, `./${name}`], {
    cwd: here('peers'),
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' },
  })
}

function rustPeer() {
  const target = join(built, 'kube-rs')
  return build(
    'kube-rs',
    join(target, 'release/bench-kube-rs'),
    ['cargo', 'build', '--release', '--locked'],
    {
      cwd: here('peers/kube-rs'),
      env: { ...process.env, CARGO_TARGET_DIR: target },
    },
  )
}

const known = new Map()

/** Once for a run. Cargo and Go know themselves whether there is something to do. */
function build(name, command, [tool, ...args], options) {
  if (!known.has(name)) {
    console.error(`Building ${name} with ${tool} (the first time takes minutes)`)
    known.set(name, [])
    try {
      mkdirSync(built, { recursive: true })
      execFileSync(tool, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
      known.set(name, [{ name, command, args: [] }])
    } catch (error) {
      const why = error.code === 'ENOENT' ? `there is no ${tool} here` : lastLine(error)
      console.log(`Left out: ${name}, because ${why}.`)
    }
  }
  return known.get(name)
}

const lastLine = (error) =>
  String(error.stderr || error.message)
    .trim()
    .split('\n')
    .at(-1)
