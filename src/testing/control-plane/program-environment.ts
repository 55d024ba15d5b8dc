import type { Environment } from '../../client/index.js'

const kept = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'LOCALAPPDATA',
  'SystemRoot',
  'TZ',
  'LANG',
]

/**
 * What a program of the control plane sees of the user's environment. Variables such as ETCD_NAME, KUBECONFIG or
 * HTTPS_PROXY would configure it behind our back, and NODE_OPTIONS would load the test runner into the supervisor.
 */
export function programEnvironment(env: Environment): Environment {
  return Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
