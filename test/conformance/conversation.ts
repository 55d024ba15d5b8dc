import { type Answer, exchange, exchangeUntil, type Request } from './exchange.js'
import { resourcePath } from './paths.js'
import type { Server } from './server.js'
import type { Step } from './transcript.js'
import { openWatch, type Watch } from './watch.js'
import type { Webhook, WebhookHandler, Webhooks } from './webhooks.js'

type Headers = Readonly<Record<string, string | readonly string[]>>

export const patchType = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

export interface UntilOptions {
  /** How long to try; then what came last is what is recorded. Default: 2 minutes. */
  readonly timeoutMs?: number
  /** The answer may differ from server to server; only that it came is recorded. */
  readonly quiet?: boolean
}

/** What a case does with a server. All that is sent and answered goes into its transcript, in order. */
export interface Conversation {
  /** A short text of this run alone, part of all names that others could see; masked. */
  readonly tag: string
  /** The namespace of the case. */
  readonly namespace: string
  /** The group of the custom resources that all cases share. */
  readonly group: string
  /** `/api/v1/namespaces/<own>/configmaps/a`; the rest may hold a subresource and a query. */
  url(resource: string, rest?: string): string
  /** Of another namespace; `undefined`: of all. */
  urlIn(namespace: string | undefined, resource: string, rest?: string): string

  send(request: Request): Promise<Answer>
  get(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body: unknown, headers?: Headers): Promise<Answer>
  put(path: string, body: unknown, headers?: Headers): Promise<Answer>
  patch(path: string, type: keyof typeof patchType, body: unknown, headers?: Headers): Promise<Answer>
  /** Server-side apply under a manager's name. */
  apply(path: string, manager: string, body: unknown, headers?: Headers): Promise<Answer>
  delete(path: string, options?: object, headers?: Headers): Promise<Answer>
  /** As `send`, but nothing is recorded: preparation, not subject. */
  quietly(request: Request): Promise<Answer>
  /** Asks again until the answer is as wanted, and records that one alone. */
  until(path: string, isWanted: (answer: Answer) => boolean, options?: UntilOptions): Promise<Answer>
  /** The same with any request. */
  untilSent(request: Request, isWanted: (answer: Answer) => boolean, options?: UntilOptions): Promise<Answer>
  /** Opens a watch; the path says what is watched and from where, `watch=1` is added. */
  watch(path: string, headers?: Headers): Promise<Watch>
  /** An HTTPS endpoint that the server can call; its calls are recorded by {@link Webhook.record}. */
  webhook(handler: WebhookHandler): Webhook
  /** Puts something of the case's own into the transcript. */
  note(what: string, seen: unknown): void
}

interface ConversationOptions {
  readonly server: Server
  readonly webhooks: Webhooks
  readonly tag: string
  readonly namespace: string
  readonly group: string
  readonly showBookmarks: boolean
  readonly record: (step: Step) => void
}

/** A conversation and what must be called at its end. */
export function startConversation(options: ConversationOptions): { talk: Conversation; end: () => void } {
  const { server, record, namespace, group, tag } = options
  const open = new Set<{ close(): void }>()
  let webhookCount = 0

  const quietly: Conversation['quietly'] = (request) => exchange(server, request)

  const send: Conversation['send'] = async (request) => {
    const answer = await quietly(request)
    record({ what: describe(request), seen: shownPart(answer) })
    return answer
  }

  const untilSent: Conversation['untilSent'] = async (
    request,
    isWanted,
    { timeoutMs = 120_000, quiet } = {},
  ) => {
    const answer = await exchangeUntil(server, request, isWanted, { timeoutMs })
    const isMet = isWanted(answer)
    const seen = { isMet, ...(quiet === true && isMet ? {} : shownPart(answer)) }
    record({ what: `until ${describe(request)}`, seen })
    return answer
  }

  const withBody = (method: string, path: string, body: unknown, headers: Headers = {}): Promise<Answer> =>
    send({ method, path, body, headers: { 'content-type': 'application/json', ...headers } })

  const urlIn: Conversation['urlIn'] = (inNamespace, resource, rest = '') =>
    resourcePath(resource, { namespace: inNamespace, group }, rest)

  const talk: Conversation = {
    tag,
    namespace,
    group,
    url: (resource, rest) => urlIn(namespace, resource, rest),
    urlIn,
    quietly,
    send,
    untilSent,
    until: (path, isWanted, untilOptions) => untilSent({ method: 'GET', path }, isWanted, untilOptions),
    get: (path, headers = {}) => send({ method: 'GET', path, headers }),
    post: (path, body, headers) => withBody('POST', path, body, headers),
    put: (path, body, headers) => withBody('PUT', path, body, headers),
    patch: (path, type, body, headers) =>
      withBody('PATCH', path, body, { 'content-type': patchType[type], ...headers }),
    apply: (path, manager, body, headers) =>
      withBody('PATCH', `${path}${path.includes('?') ? '&' : '?'}fieldManager=${manager}`, body, {
        'content-type': patchType.apply,
        ...headers,
      }),
    delete: (path, body, headers) =>
      body === undefined
        ? send({ method: 'DELETE', path, headers: headers ?? {} })
        : withBody('DELETE', path, body, headers),
    async watch(path, headers = {}) {
      const full = `${path}${path.includes('?') ? '&' : '?'}watch=1`
      const response = await server.open({ method: 'GET', path: full, headers })
      const watch = await openWatch({ response, path: full, record, showBookmarks: options.showBookmarks })
      open.add(watch)
      return watch
    },
    webhook(handler) {
      const webhook = options.webhooks.add(`${tag}-${++webhookCount}`, handler, record)
      open.add(webhook)
      return webhook
    },
    note: (what, seen) => record({ what, seen }),
  }
  return { talk, end: () => open.forEach((each) => each.close()) }
}

const describe = ({ method, path, as }: Request): string =>
  `${method} ${path}${as === 'nobody' ? ' as nobody' : ''}`

const shownPart = ({ status, headers, body }: Answer): object => ({ status, headers, body })
