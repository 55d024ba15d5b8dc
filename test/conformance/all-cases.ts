import type { Case } from './case.js'
import { access } from './cases/access.js'
import { applies } from './cases/apply.js'
import { conversion } from './cases/conversion.js'
import { crds } from './cases/crds.js'
import { createErrors } from './cases/create-errors.js'
import { crud } from './cases/crud.js'
import { defaults } from './cases/defaults.js'
import { deletions } from './cases/deletion.js'
import { discovery } from './cases/discovery.js'
import { dryRun } from './cases/dry-run.js'
import { fieldValidation } from './cases/field-validation.js'
import { garbage } from './cases/garbage.js'
import { malformed } from './cases/malformed.js'
import { namespaces } from './cases/namespaces.js'
import { output } from './cases/output.js'
import { pages } from './cases/pages.js'
import { patches } from './cases/patches.js'
import { policies } from './cases/policies.js'
import { schemas } from './cases/schemas.js'
import { selectorCases } from './cases/selectors.js'
import { subresources } from './cases/subresources.js'
import { updates } from './cases/updates.js'
import { validations } from './cases/validation.js'
import { watches } from './cases/watches.js'
import { webhookCases } from './cases/webhooks.js'

/** Every case of the suite, by area; those that wait longest come first. */
export const allCases: readonly Case[] = [
  ...garbage,
  ...namespaces,
  ...watches,
  ...conversion,
  ...webhookCases,
  ...crds,
  ...schemas,
  ...policies,
  ...access,
  ...crud,
  ...createErrors,
  ...updates,
  ...selectorCases,
  ...pages,
  ...patches,
  ...applies,
  ...subresources,
  ...deletions,
  ...output,
  ...discovery,
  ...fieldValidation,
  ...dryRun,
  ...malformed,
  ...defaults,
  ...validations,
]
