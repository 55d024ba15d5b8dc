import type { AdmissionChain, AdmissionContext, AdmissionPlugin, AdmissionRequest } from './admission.js'

/**
 * Plugins in their order: those that mutate, once more from the beginning if one of them asks for it, and then, after the
 * strategy's validation, those that validate.
 */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  context: AdmissionContext,
): AdmissionChain {
  const mutating = plugins.filter((plugin) => plugin.mutate !== undefined)
  const validating = plugins.filter((plugin) => plugin.validate !== undefined)
  const asking = plugins.filter((plugin) => plugin.wantsAnotherRound !== undefined)
  const mutateAll = async (request: AdmissionRequest): Promise<void> => {
    for (const plugin of mutating) {
      if (!plugin.handles(request)) continue
      const pending = plugin.mutate?.(request, context)
      // Most plugins decide at once: a turn of the event loop for each would be felt.
      if (pending !== undefined) await pending
    }
  }
  return {
    async mutate(request) {
      await mutateAll(request)
      if (asking.some((plugin) => plugin.wantsAnotherRound?.(request) === true)) await mutateAll(request)
    },
    async validate(request) {
      for (const plugin of validating) {
        if (!plugin.handles(request)) continue
        const pending = plugin.validate?.(request, context)
        if (pending !== undefined) await pending
      }
    },
  }
}
