import type { TransportResponse } from '../objects/index.js'
import { partsResponse } from './output/parts-response.js'

const textType = 'text/plain; charset=utf-8'

/** A line of text, as the server says what has nothing to do with the API. */
export function textResponse(status: number, text: string): TransportResponse {
  return partsResponse(status, textType, [Buffer.from(`${text}\n`)], { 'x-content-type-options': 'nosniff' })
}

/** There is nothing at this path, and never was. */
export function pageNotFound(): TransportResponse {
  return textResponse(404, '404 page not found')
}
