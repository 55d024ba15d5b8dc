import type { Case } from './case.js'
import { applies } from './cases/apply.js'
import { createErrors } from './cases/create-errors.js'
import { crud } from './cases/crud.js'
import { deletions } from './cases/deletion.js'
import { garbage } from './cases/garbage.js'
import { namespaces } from './cases/namespaces.js'
import { pages } from './cases/pages.js'
import { patches } from './cases/patches.js'
import { selectorCases } from './cases/selectors.js'
import { subresources } from './cases/subresources.js'
import { updates } from './cases/updates.js'
import { watches } from './cases/watches.js'

/** Every case of the suite, by area; those that wait longest come first. */
export const allCases: readonly Case[] = [
  ...garbage,
  ...namespaces,
  ...watches,
  ...crud,
  ...createErrors,
  ...updates,
  ...selectorCases,
  ...pages,
  ...patches,
  ...applies,
  ...subresources,
  ...deletions,
]
