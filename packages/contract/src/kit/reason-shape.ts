import * as z from 'zod/mini'

import type { Catalogue, Reason } from './reason.ts'

/** The wire shape of every reason; docs/generated/reasons.md lists its codes and parameters. */
export const AnyReason = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()), text: z.string() })

/**
 * The wire shape of the reasons of a catalogue. It names neither codes nor parameters, so that a page that only decodes
 * answers loads no catalogue; a screen shows `text` for a code that it does not know.
 */
export function reasonShape<C extends Catalogue>() {
  return AnyReason as unknown as z.ZodMiniType<Reason<C>, Reason<C>>
}

/** The wire shape of a code without parameters: a text, for the same reason. */
export function codeShape<Code extends string>() {
  return z.string() as unknown as z.ZodMiniType<Code, Code>
}
