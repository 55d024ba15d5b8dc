import { deepEqual } from '../../base/index.js'
import type { FieldError } from '../../schema/index.js'
import {
  dnsSubdomainProblems,
  loadSchemaEngines,
  type SchemaEngines,
  unknownFormats,
} from '../../schema/internal.js'
import { internalError } from '../failure.js'
import type { Resource, ServedVersion, Strategy, Subresource, WriteContext } from '../resource.js'
import { type Crd, cleanupFinalizer, crdOf } from './definition.js'
import { internalSpec } from './internal-spec.js'
import { normalizeDefinition, storageVersionOf } from './normalize-definition.js'
import { withCondition } from './status.js'
import { definitionErrors, statusErrors } from './validate-definition.js'

/** The engines, loaded with the first CRD. Shared by all that judge schemas in one server. */
export interface LoadedEngines {
  load(): Promise<SchemaEngines>
  /** Undefined before the first load has ended. */
  readonly current: SchemaEngines | undefined
}

export function lazyEngines(): LoadedEngines {
  let loading: Promise<SchemaEngines> | undefined
  let current: SchemaEngines | undefined
  return {
    async load() {
      loading ??= loadSchemaEngines()
      current = await loading
      return current
    },
    get current() {
      return current
    },
  }
}

/** How CustomResourceDefinitions themselves are written. */
export function crdStrategy(engines: LoadedEngines): Strategy {
  const check = (crd: Crd, old: Crd | undefined): FieldError[] => {
    const { current } = engines
    if (current === undefined) throw internalError('the engines for patterns and rules are not loaded')
    return definitionErrors(crd, old, current)
  }
  return {
    nameProblems: subdomainProblems,
    applyDefaults: normalizeDefinition,
    prepareForCreate(draft) {
      draft.metadata.generation = 1
      const { spec } = crdOf(draft)
      const stored = storageVersionOf({ ...spec })
      draft['status'] = {
        conditions: null,
        acceptedNames: { plural: '', kind: '' },
        storedVersions: stored === undefined ? null : [stored],
      }
    },
    prepareForUpdate(draft, old) {
      const crd = crdOf(draft)
      const before = crdOf(old)
      const stored = storageVersionOf({ ...crd.spec })
      const versions = before.status.storedVersions ?? []
      draft['status'] = {
        ...before.status,
        storedVersions:
          stored === undefined || versions.includes(stored)
            ? before.status.storedVersions
            : [...versions, stored],
      }
      if (!deepEqual(crd.spec, before.spec))
        draft.metadata.generation = Number(before.metadata.generation ?? 0) + 1
    },
    validateCreate(object, context) {
      const crd = crdOf(object)
      const errors = check(crd, undefined)
      if (errors.length === 0) warnOfFormats(crd, undefined, context)
      return errors
    },
    validateUpdate(object, old, context) {
      const crd = crdOf(object)
      const errors = check(crd, crdOf(old))
      if (errors.length === 0) warnOfFormats(crd, crdOf(old), context)
      return errors
    },
    beginDeletion(draft, { nature }) {
      const finalizers = draft.metadata.finalizers ?? []
      if (!finalizers.includes(cleanupFinalizer))
        draft.metadata.finalizers = [...finalizers, cleanupFinalizer]
      draft['status'] = withCondition(crdOf(draft).status, deletionPending, nature.timestamp())
    },
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    resetFields: [['status']],
  }
}

const deletionPending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const

/** How their status is written. */
export function crdStatusStrategy(): Strategy {
  return {
    nameProblems: subdomainProblems,
    applyDefaults: normalizeDefinition,
    prepareForCreate() {},
    prepareForUpdate(draft, old) {
      draft['spec'] = old['spec']
    },
    validateCreate: () => [],
    validateUpdate: (object) => statusErrors(crdOf(object)),
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    resetFields: [['spec']],
  }
}

function subdomainProblems(name: string, isPrefix: boolean): readonly string[] {
  const masked = isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
  return dnsSubdomainProblems(masked)
}

function warnOfFormats(crd: Crd, old: Crd | undefined, context: WriteContext): void {
  const known = new Set(old === undefined ? [] : formatsOf(old))
  for (const format of formatsOf(crd)) {
    if (!known.has(format)) context.warn(`unrecognized format ${JSON.stringify(format)}`)
  }
}

/** A schema that all versions have is looked at once. */
function formatsOf({ spec }: Crd): string[] {
  const { validation, versions } = internalSpec(spec)
  return [validation, ...versions.map(({ schema }) => schema)].flatMap((schema) =>
    schema?.openAPIV3Schema === undefined ? [] : unknownFormats(schema.openAPIV3Schema),
  )
}

/**
 * The resource of CustomResourceDefinitions as the registry of built-in kinds has it, with what is particular to it:
 * their validation and their status.
 */
export function withCrdStrategies(resource: Resource, engines: LoadedEngines): Resource {
  const status: Subresource = { type: 'part', strategy: crdStatusStrategy() }
  return {
    ...resource,
    versions: resource.versions.map((version) =>
      withParts(version, {
        strategy: crdStrategy(engines),
        subresources: new Map([...version.subresources, ['status', status]]),
      }),
    ),
  }
}

/** A spread would read its schema and its table, which are made on the first look. */
function withParts(version: ServedVersion, parts: Partial<ServedVersion>): ServedVersion {
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(version),
    ...Object.getOwnPropertyDescriptors(parts),
  })
}
