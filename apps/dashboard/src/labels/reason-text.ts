import { type Catalogue, type CodeOf, type ParamsOf, readCause } from '@kassa/contract/kit/reason.ts'

/** What each code of a catalogue is called on screen, filled by its parameters. */
export type Words<C extends Catalogue> = { readonly [K in CodeOf<C>]: (params: ParamsOf<C[K]>) => string }

/** A reason as the server prints it. */
export type Printed = { readonly code: string; readonly params: unknown; readonly text: string }

/** Returns a reason in the words of the screen; one that this version does not know stays as the server wrote it. */
export function reasonText<C extends Catalogue>(
  catalogue: C,
  words: Words<C>,
  { code, params, text }: Printed,
): string {
  const cause = readCause(catalogue, code, params)
  if (cause === null) return text
  const say: (filled: never) => string = words[cause.code]
  return say(cause.params as never)
}
