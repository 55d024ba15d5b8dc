import type { ApiObject } from '../api-object.js'
import type { BodyReader, RequestBody } from '../request/body.js'
import { decodeBody, type ExpectedBody, judgeStrictness } from '../request/decode-body.js'
import type { TypeMeta } from '../request/parse-body.js'
import type { FieldValidation } from '../request/write-options.js'
import type { Strategy } from '../resource.js'
import type { WriteCall } from './write-call.js'

/** What the bodies of a resource's own requests are. */
export function expectedBody(
  { resource, version }: Pick<WriteCall, 'resource' | 'version'>,
  knowsKind: (meta: TypeMeta) => boolean,
): ExpectedBody {
  return {
    group: resource.group,
    version: version.name,
    kind: resource.kind,
    schema: version.schema,
    isCustom: resource.isCustom,
    knowsKind,
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
  applyDefaults(about.strategy, decoded.object)
  return decoded.object
}

/** Brings a draft into the form that is worked on. An empty list of managedFields resets them, and must stay. */
export function applyDefaults(strategy: Strategy, draft: ApiObject): void {
  const isReset = draft.metadata.managedFields?.length === 0
  strategy.applyDefaults(draft)
  if (isReset) draft.metadata.managedFields = []
}
