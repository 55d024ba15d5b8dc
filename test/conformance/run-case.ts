import { stringifyJson, toError } from 'kubewright/base'
import type { Case } from './case.js'
import { startConversation } from './conversation.js'
import { at, textAt } from './data.js'
import { maskSteps } from './mask.js'
import type { Rig } from './rig.js'
import type { Step } from './transcript.js'

/** Holds the conversation of a case with a server, and returns its transcript, masked. A case that throws has that as its last step. */
export async function runCase(each: Case, rig: Rig): Promise<readonly Step[]> {
  const tag = rig.newTag()
  const steps: Step[] = []
  const startedMs = Date.now()
  const namespace = each.namespace === 'shared' ? rig.sharedNamespace : await rig.createNamespace(tag)
  const { talk, end } = startConversation({
    server: rig.server,
    webhooks: rig.webhooks,
    tag,
    namespace,
    group: rig.group,
    showBookmarks: each.showBookmarks ?? false,
    record: (step) => void steps.push(step),
  })
  try {
    await each.run(talk)
  } catch (error) {
    steps.push({ what: 'the case itself', seen: { thrown: toError(error).message } })
  } finally {
    end()
  }
  return maskSteps(steps, {
    words: { ...rig.words, [tag]: 'TAG' },
    startedMs,
    endedMs: Date.now(),
    anyOrderOfCauses: each.anyOrderOfCauses ?? false,
  })
}

/** The transcript as people read it, for finding out what a server says. */
export function printSteps(steps: readonly Step[], { isFull }: { readonly isFull: boolean }): string {
  return steps
    .map(({ what, seen }) => `${what}\n    ${isFull ? stringifyJson(seen) : brief(seen)}`)
    .join('\n')
}

function brief(seen: unknown): string {
  const message = textAt(seen, 'body.message')
  const status = at(seen, 'status')
  const rest = message === '' ? stringifyJson(at(seen, 'body') ?? seen) : message
  return `${typeof status === 'number' ? `${status} ` : ''}${rest.slice(0, 260)}`
}
