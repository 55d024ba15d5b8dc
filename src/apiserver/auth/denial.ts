import { quoteText } from '../../schema/index.js'
import { type ApiFailure, forbidden } from '../failure.js'
import type { AuthorizationQuestion } from './authorizer.js'

/** The 403 for somebody who may not do what he asked for. `reason` is what the authorizer said, or empty. */
export function denied({ user, info }: AuthorizationQuestion, reason: string): ApiFailure {
  const who = `User ${quoteText(user.name)} cannot ${info.verb}`
  const what = info.isResource ? resourceText(info) : `path ${quoteText(info.path)}`
  // The server makes sure that nothing in it can be taken for a tag by a browser.
  const text = `${who} ${what}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return forbidden(
    { group: info.isResource ? info.group : '', resource: info.isResource ? info.resource : '' },
    info.isResource ? info.name : '',
    reason === '' ? text : `${text}: ${reason}`,
  )
}

function resourceText(info: AuthorizationQuestion['info']): string {
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`
  const scope =
    info.namespace === '' ? 'at the cluster scope' : `in the namespace ${quoteText(info.namespace)}`
  return `resource ${quoteText(resource)} in API group ${quoteText(info.group)} ${scope}`
}
