const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const domain = `(?:${domainPart}(?:[.]${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const component = '[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*'
const pattern = new RegExp(
  `^(?:${domain}/)?${component}(?:/${component})*(?::([\\w][\\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
)
const longest = 4096
/** What only names an image by its id. */
const idPattern = /^[a-f0-9]{64}$/

/**
 * Whether the image is pulled for every start unless the pod says otherwise: it has the tag `latest`, or neither tag nor
 * digest. False for what is no image reference, as the server has it.
 */
export function isLatestImage(image: string): boolean {
  // Images come from users; the length bounds the time of the match.
  const match = image.length > longest || idPattern.test(image) ? null : pattern.exec(image)
  if (match === null) return false
  const [, tag, digest] = match
  return tag === 'latest' || (tag === undefined && digest === undefined)
}
