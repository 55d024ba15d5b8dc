import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe } from '../../../kinds/core/v1.js'
import { portNameProblems, portNumberProblems } from '../address-rules.js'
import type { View } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidFor, notSupported, required } from '../field-errors.js'
import { validateNonNegative } from '../value-rules.js'

/** What is wrong with the probes of a container that runs on. */
export function validateProbes(
  probes: {
    readonly livenessProbe?: View<Probe> | undefined
    readonly readinessProbe?: View<Probe> | undefined
    readonly startupProbe?: View<Probe> | undefined
  },
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = probes
  const once = (probe: View<Probe>, own: string): FieldError[] =>
    (probe.successThreshold ?? 0) === 1
      ? []
      : [invalid(`${own}.successThreshold`, probe.successThreshold ?? 0, 'must be 1')]
  const errors: FieldError[] = []
  if (livenessProbe) {
    const own = `${path}.livenessProbe`
    errors.push(...validateProbe(livenessProbe, gracePeriod, own), ...once(livenessProbe, own))
  }
  if (readinessProbe) {
    const own = `${path}.readinessProbe`
    errors.push(...validateProbe(readinessProbe, gracePeriod, own))
    const { terminationGracePeriodSeconds: period } = readinessProbe
    if (period !== undefined)
      errors.push(
        invalid(`${own}.terminationGracePeriodSeconds`, period, 'must not be set for readinessProbes'),
      )
  }
  if (startupProbe) {
    const own = `${path}.startupProbe`
    errors.push(...validateProbe(startupProbe, gracePeriod, own), ...once(startupProbe, own))
  }
  return errors
}

function validateProbe(probe: View<Probe>, gracePeriod: number | undefined, path: string): FieldError[] {
  const { terminationGracePeriodSeconds: period } = probe
  return [
    ...validateHandler(probe, gracePeriod, path),
    ...validateNonNegative(probe.initialDelaySeconds, `${path}.initialDelaySeconds`),
    ...validateNonNegative(probe.timeoutSeconds, `${path}.timeoutSeconds`),
    ...validateNonNegative(probe.periodSeconds, `${path}.periodSeconds`),
    ...validateNonNegative(probe.successThreshold, `${path}.successThreshold`),
    ...validateNonNegative(probe.failureThreshold, `${path}.failureThreshold`),
    ...(period !== undefined && period <= 0
      ? [invalid(`${path}.terminationGracePeriodSeconds`, period, 'must be greater than 0')]
      : []),
  ]
}

/** What is wrong with what a container does at its start and its end. */
export function validateLifecycle(
  { postStart, preStop }: View<Lifecycle>,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  return [
    ...(postStart ? validateHandler(postStart, gracePeriod, `${path}.postStart`) : []),
    ...(preStop ? validateHandler(preStop, gracePeriod, `${path}.preStop`) : []),
  ]
}

type AnyHandler = View<LifecycleHandler> & Pick<View<Probe>, 'grpc'>

function validateHandler(handler: AnyHandler, gracePeriod: number | undefined, path: string): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler
  const checks: [name: string, present: unknown, check: (own: string) => FieldError[]][] = [
    ['exec', exec, (own) => ((exec?.command ?? []).length > 0 ? [] : [required(`${own}.command`)])],
    ['httpGet', httpGet, (own) => validateHttpGet(httpGet ?? {}, own)],
    ['tcpSocket', tcpSocket, (own) => validatePort(tcpSocket?.port, `${own}.port`)],
    ['grpc', grpc, (own) => validatePort(grpc?.port, `${own}.port`)],
    ['sleep', sleep, (own) => validateSleep(sleep?.seconds ?? 0, gracePeriod, own)],
  ]
  const present = checks.filter(([, part]) => part !== undefined && part !== null)
  if (present.length === 0) return [required(path, 'must specify a handler type')]
  return present.flatMap(([name, , check], index) =>
    index === 0
      ? check(`${path}.${name}`)
      : [forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')],
  )
}

function validateSleep(seconds: number, gracePeriod: number | undefined, path: string): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return []
  return [
    invalid(
      path,
      seconds,
      `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`,
    ),
  ]
}

const headerRule =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"

function validateHttpGet(action: View<HTTPGetAction>, path: string): FieldError[] {
  const { path: target = '', port, scheme = '', httpHeaders } = action
  return [
    ...(target === '' ? [required(`${path}.path`)] : []),
    ...validatePort(port, `${path}.port`),
    ...(scheme === 'HTTP' || scheme === 'HTTPS'
      ? []
      : [notSupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS'])]),
    ...(httpHeaders ?? []).flatMap(({ name = '' }) =>
      /^[-A-Za-z0-9]+$/.test(name) ? [] : [invalid(`${path}.httpHeaders`, name, headerRule)],
    ),
  ]
}

/** What is wrong with a port that is given by its number or its name. */
export function validatePort(port: number | string | undefined, path: string): FieldError[] {
  return typeof port === 'string'
    ? invalidFor(path, port, portNameProblems(port))
    : invalidFor(path, port ?? 0, portNumberProblems(port ?? 0))
}
