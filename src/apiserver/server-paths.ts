import { arch, platform } from 'node:process'
import type { TransportResponse } from '../objects/index.js'
import { methodNotAllowed, noSuchResource } from './failure.js'
import { partsResponse } from './output/parts-response.js'
import type { PathHandler, PathRequest } from './router.js'
import { textResponse } from './text-response.js'

/** The version of Kubernetes whose behaviour this server has. */
export const kubernetesVersion = 'v1.36.3'

const jsonType = 'application/json'

/** `/version`. */
export const answerVersion: PathHandler = async ({ path, request }) => {
  if (path !== '/version' && path !== '/version/') throw noSuchResource()
  if (request.method !== 'GET') throw methodNotAllowed()
  const [major = '', minor = ''] = kubernetesVersion.slice(1).split('.')
  const document = {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: kubernetesVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'kubewright',
    platform: `${platform}/${arch === 'x64' ? 'amd64' : arch}`,
  }
  return partsResponse(200, jsonType, [Buffer.from(JSON.stringify(document, undefined, 2))])
}

/** `/healthz`, `/livez` and `/readyz`, with the checks of one's own: names, and whether each is well. */
export function createHealthPaths(checks: Readonly<Record<string, () => boolean>>): PathHandler {
  return ({ path, query }) => {
    const [, root = '', check, ...rest] = path.split('/')
    if (rest.length > 0) return Promise.resolve(undefined)
    if (check !== undefined && check !== '') return Promise.resolve(answerCheck(checks[check]))
    const excluded = query.getAll('exclude')
    const results = Object.entries(checks)
      .filter(([name]) => !excluded.includes(name))
      .map(([name, isWell]) => ({ name, isWell: isWell() }))
    const isWell = results.every((result) => result.isWell)
    const lines = results.map((result) =>
      result.isWell ? `[+]${result.name} ok` : `[-]${result.name} failed: reason withheld`,
    )
    if (!isWell) return Promise.resolve(textResponse(500, [...lines, `${root} check failed`].join('\n')))
    const text = query.has('verbose') ? `${[...lines, `${root} check passed`].join('\n')}\n` : 'ok'
    return Promise.resolve(plainText(text))
  }
}

function answerCheck(check: (() => boolean) | undefined): TransportResponse | undefined {
  if (check === undefined) return undefined
  return check() ? plainText('ok') : textResponse(500, 'internal server error: reason withheld')
}

function plainText(text: string): TransportResponse {
  return partsResponse(200, 'text/plain; charset=utf-8', [Buffer.from(text)], {
    'x-content-type-options': 'nosniff',
  })
}

/** `/metrics`, in the text that Prometheus reads. */
export function createMetricsPath(expose: () => string): PathHandler {
  return ({ path }: PathRequest) =>
    Promise.resolve(
      path === '/metrics'
        ? partsResponse(200, 'text/plain; version=0.0.4; charset=utf-8', [Buffer.from(expose())])
        : undefined,
    )
}

/** `/`: the paths that there are. */
export function createRootPath(paths: () => readonly string[]): PathHandler {
  return ({ path }) =>
    Promise.resolve(
      path === '/'
        ? partsResponse(200, jsonType, [Buffer.from(JSON.stringify({ paths: paths() }, undefined, 2))])
        : undefined,
    )
}
