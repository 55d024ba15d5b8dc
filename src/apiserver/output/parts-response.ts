import type { TransportResponse } from '../../objects/index.js'

/** As much of an answer as is handed out at once. */
const batchBytes = 256 * 1024

/** A response whose body is there already, in parts that are not copied before somebody reads them. */
export function partsResponse(
  status: number,
  contentType: string,
  parts: readonly Uint8Array[],
  headers: Readonly<Record<string, string>> = {},
): TransportResponse {
  let length = 0
  for (const part of parts) length += part.length
  return {
    status,
    headers: { ...headers, 'content-type': contentType, 'content-length': String(length) },
    body: { [Symbol.asyncIterator]: () => iterateParts(parts) },
  }
}

function iterateParts(parts: readonly Uint8Array[]): AsyncIterator<Uint8Array> {
  let next = 0
  const end = { done: true, value: undefined } as const
  return {
    next: () => {
      if (next >= parts.length) return Promise.resolve(end)
      const from = next
      for (let bytes = 0; next < parts.length && bytes < batchBytes; next++) bytes += parts[next]?.length ?? 0
      const [only, ...others] = parts.slice(from, next)
      const value = only !== undefined && others.length === 0 ? only : Buffer.concat(parts.slice(from, next))
      return Promise.resolve({ done: false, value })
    },
    return: () => {
      next = parts.length
      return Promise.resolve(end)
    },
  }
}
