const unknownMethod =
  'A method that HTTP does not know is refused with a bare 400: Node reads requests, and lets nobody answer such a one.'

/**
 * Where the embedded server is known to answer otherwise than the real one, by the id of the case, and why: for people
 * who wonder whether it matters to them. A case that stands here must differ, or the suite fails: the list cannot rot.
 */
export const knownDifferences: Readonly<Record<string, string>> = {
  'discovery: the descriptions that there are':
    'There are OpenAPI documents of resources. Those of the paths that lead to them (`api`, `apis`, `version` and the like) are left out: no client reads them.',
  'malformed requests: FOO /api/v1/namespaces/N/configmaps': unknownMethod,
  'malformed requests: FOO /apis/G/v1/namespaces/N/widgets': unknownMethod,
  'validation: a device class with a wrong rule': devices('Expressions about devices are not compiled.'),
  'validation: a resource claim without a class': devices('Requests are taken as they come.'),
  'validation: a job with a selector by hand':
    'Only the text differs: an empty map of labels is quoted as null. Empty values are dropped when a body is read.',
}

function devices(what: string): string {
  return `Nothing in the embedded server allocates devices, and what is said of them is not checked. ${what}`
}
