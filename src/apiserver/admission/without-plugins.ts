import { KubewrightError } from '../../base/index.js'
import type { AdmissionPlugin } from './admission.js'

/** A plugin is to be left out that there is not. */
export class UnknownAdmissionPluginError extends KubewrightError {
  constructor(name: string, known: readonly string[]) {
    super(`There is no admission plugin ${JSON.stringify(name)}. Name one of ${known.join(', ')}.`, {
      code: 'KW_ADMISSION_PLUGIN_UNKNOWN',
    })
  }
}

/** The plugins but those of these names. Throws {@link UnknownAdmissionPluginError}. */
export function withoutPlugins(
  plugins: readonly AdmissionPlugin[],
  names: readonly string[],
): readonly AdmissionPlugin[] {
  const known = plugins.map(({ name }) => name)
  for (const name of names) if (!known.includes(name)) throw new UnknownAdmissionPluginError(name, known)
  return plugins.filter(({ name }) => !names.includes(name))
}
