import { type Clock, type Random, systemClock } from '../base/index.js'
import type { ApiRequest, Transport, WriteParameters } from '../objects/index.js'
import { type Logger, silentLogger } from '../observe/index.js'
import { createApiCaller } from './api-caller.js'
import type { Client, RawRequest } from './client.js'
import type { ClientContext } from './client-context.js'
import type { ClusterConfig } from './config/cluster-config.js'
import { listAllPages, listPages } from './pages.js'
import { followLogs, readLogs } from './pod-logs.js'
import { evictPod } from './pods.js'
import { createRateLimiter, type RateLimitOptions } from './rate-limit.js'
import { getScaleOf, updateScaleOf } from './scale.js'
import { createServiceAccountToken } from './service-account-token.js'
import { subresourceOf } from './subresources.js'
import { createTransport } from './transport/network-transport.js'
import {
  applyObject,
  createObject,
  deleteObject,
  deleteObjects,
  getObject,
  listObjects,
  patchObject,
  updateObject,
} from './verbs.js'
import { createWarningReader, type ServerWarning } from './warnings.js'
import { watchObjects } from './watch.js'

/** How a client behaves. Everything has a default. */
export interface ClientOptions extends WriteParameters {
  /** Used where neither an object nor a key names a namespace. Lists and watches without one still span them all. */
  readonly namespace?: string | undefined
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Logger
  /** The part before the first `/` becomes the owner of fields that are written without a field manager. */
  readonly userAgent?: string
  /** Limits requests on this side. Absent: the server's own fairness is trusted, as in controller-runtime. */
  readonly rateLimit?: RateLimitOptions | undefined
  /** Ask for gzip. Worth it over slow lines; inside a cluster it costs both sides more time than it saves. */
  readonly compression?: boolean
  /** Told once for each text. Absent: warnings are logged. */
  readonly onWarning?: (warning: ServerWarning) => void
}

/** Where the client's requests go. */
export type ClientTarget = { readonly config: ClusterConfig } | { readonly transport: Transport }

/** Sends nothing by itself. */
export function createClient(options: ClientTarget & ClientOptions): Client {
  const { clock = systemClock, random = Math.random, log = silentLogger } = options
  const { transport, close } =
    'config' in options ? openTransport(options.config, clock, log) : { ...options, close: () => {} }
  const onWarning =
    options.onWarning ??
    ((warning: ServerWarning) =>
      log.warn(`Warning of the server: ${warning.text}`, { request: warning.request }))
  const caller = createApiCaller({
    transport,
    clock,
    random,
    log,
    warnings: createWarningReader(onWarning),
    userAgent: options.userAgent ?? defaultUserAgent(),
    compression: options.compression ?? false,
    rateLimiter: options.rateLimit && createRateLimiter(options.rateLimit, clock),
  })
  const context: ClientContext = {
    caller,
    log,
    clock,
    namespace: options.namespace ?? ('config' in options ? options.config.namespace : undefined),
    write: {
      dryRun: options.dryRun,
      fieldManager: options.fieldManager,
      fieldValidation: options.fieldValidation,
    },
  }
  return assemble(context, close)
}

function openTransport(config: ClusterConfig, clock: Clock, log: Logger) {
  const transport = createTransport(config, { clock, log })
  return { transport, close: () => transport.close() }
}

function assemble(context: ClientContext, close: () => void): Client {
  const status = 'status'
  return {
    get: (kind, key, options) => getObject(context, kind, key, options),
    list: (kind, options) => listObjects(context, kind, options),
    listAll: (kind, options) => listAllPages(context, kind, options),
    pages: (kind, options) => listPages(context, kind, options),
    watch: (kind, options) => watchObjects(context, kind, options),
    create: (kind, object, options) => createObject(context, kind, object, options),
    update: (kind, object, options) => updateObject(context, kind, object, options),
    patch: (kind, key, patch, options) =>
      patchObject(context, kind, key, { patch, ...(options && { options }) }),
    apply: (kind, object, options) => applyObject(context, kind, object, options),
    delete: (kind, key, options) => deleteObject(context, kind, key, options),
    deleteCollection: (kind, options) => deleteObjects(context, kind, options),
    updateStatus: (kind, object, options) =>
      updateObject(context, kind, object, { ...options, subresource: status }),
    patchStatus: (kind, key, patch, options) =>
      patchObject(context, kind, key, { patch, subresource: status, ...(options && { options }) }),
    applyStatus: (kind, object, options) =>
      applyObject(context, kind, object, { ...options, subresource: status }),
    getScale: (kind, key, options) => getScaleOf(context, kind, key, options),
    updateScale: (kind, key, scale, options) => updateScaleOf(context, kind, key, { scale, options }),
    subresource: (kind, key, subresource) => subresourceOf(context, kind, key, subresource),
    evict: (pod, options) => evictPod(context, pod, options),
    createToken: (serviceAccount, options) => createServiceAccountToken(context, serviceAccount, options),
    logs: (pod, options) => readLogs(context, pod, options),
    followLogs: (pod, options) => followLogs(context, pod, options),
    request: (raw) => context.caller.send(rawRequest(raw), raw),
    close,
  }
}

function rawRequest(raw: RawRequest): ApiRequest {
  const { method, path, headers = { accept: 'application/json' }, body } = raw
  const description = raw.description ?? `${method} ${path.split('?')[0]}`
  return { method, path, headers, description, ...(body !== undefined && { body }) }
}

function defaultUserAgent(): string {
  return `kubewright/node-${process.version} (${process.platform}/${process.arch})`
}
