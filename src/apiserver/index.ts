/**
 * A Kubernetes API server in this process: storage, validation, admission, watches, garbage collection and a simulation
 * of workloads. Its behaviour is that of kube-apiserver 1.36; where it differs, docs/reference/embedded-differences.md
 * says so.
 *
 * @module
 */
export type { WebhookService } from './admission/webhook-caller.js'
export { UnknownAdmissionPluginError } from './admission/without-plugins.js'
export { type ApiServer, type ApiServerOptions, createApiServer, type ListenerOptions } from './api-server.js'
export type { DecideFate, PodFate } from './controllers/workloads/pod-fate.js'
export type { SimulationOptions } from './controllers/workloads/simulation.js'
export { openServerData, type ServerData, ServerKeysError } from './data-directory.js'
export { ExposedServerError, ListenError, type Listener } from './listener/listener.js'
export { type DurableStoreOptions, openDurableStore } from './store/durable-store.js'
export { createMemoryStore, type MemoryStoreOptions } from './store/memory-store.js'
export type { Store } from './store/store.js'
export { mastersGroup, type User } from './user.js'
