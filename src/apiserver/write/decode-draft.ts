import type { ApiObject } from '../api-object.js'
import type { BodyReader, RequestBody } from '../request/body.js'
import { decodeBody, type ExpectedBody, judgeStrictness } from '../request/decode-body.js'
import type { FieldValidation } from '../request/write-options.js'
import type { Strategy } from '../resource.js'
import type { WriteCall } from './write-call.js'

/** What the bodies of a resource's own requests are. */
export function expectedBody({ resource, version }: Pick<WriteCall, 'resource' | 'version'>): ExpectedBody {
  return {
    group: resource.group,
    version: version.name,
    kind: resource.kind,
    schema: version.schema,
    isCustom: resource.isCustom,
  }
}

/** The object of a body, defaulted. Throws ApiFailure for what is not one, and warns of what is strictly wrong. */
export async function decodeDraft(
  body: RequestBody,
  expected: ExpectedBody,
  about: {
    readonly reader: BodyReader
    readonly fieldValidation: FieldValidation
    readonly strategy: Strategy
    warn(text: string): void
  },
): Promise<ApiObject> {
  const decoded = await decodeBody(body, expected, about.reader)
  judgeStrictness(decoded, expected, about.fieldValidation, (text) => about.warn(text))
  shapeDraft(about.strategy, decoded.object)
  return decoded.object
}

/**
 * Brings what was decoded into the form that is worked on: pruned and defaulted. An empty list of managedFields resets
 * them, and must stay.
 */
export function shapeDraft(strategy: Strategy, draft: ApiObject): void {
  const isReset = draft.metadata.managedFields?.length === 0
  strategy.prune?.(draft)
  strategy.applyDefaults(draft)
  if (isReset) draft.metadata.managedFields = []
}
