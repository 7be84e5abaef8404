/** Reasons as data: a code for programs, parameters that a screen puts into its own language, and an English sentence. */
import * as z from 'zod/mini'

/** A code of a reason: its parameters, and the English sentence made of them. */
export type ReasonKind<P> = {
  readonly params: z.ZodMiniType<P>
  readonly text: (params: P) => string
  /** How it ends without an operator; absent where only an operator can end it. */
  readonly ends?: string
}

/** Reasons of one subject, by code. */
export type Catalogue = Readonly<
  Record<string, { readonly params: z.ZodMiniType; readonly text: (params: never) => string; readonly ends?: string }>
>

export type CodeOf<C extends Catalogue> = keyof C & string

export type ParamsOf<Kind> = Kind extends ReasonKind<infer P> ? P : never

/** What a rule returns: the code and its parameters, without a sentence. */
export type Cause<C extends Catalogue> = {
  [K in CodeOf<C>]: { readonly code: K; readonly params: ParamsOf<C[K]> }
}[CodeOf<C>]

/** What the wire carries: the same with its English sentence, for clients that print it. */
export type Reason<C extends Catalogue> = Cause<C> & { readonly text: string }

/** Declares a reason; the parameters of its sentence have the types of its schema. */
export function reason<P>(kind: ReasonKind<P>): ReasonKind<P> {
  return kind
}

const NO_PARAMS = z.object({})

/** Declares a reason that is one sentence. */
export function sentence(text: string): ReasonKind<Record<string, never>> {
  return { params: NO_PARAMS, text: () => text }
}

/** Prints the English sentence of a cause. */
export function textOf<C extends Catalogue>(catalogue: C, { code, params }: Cause<C>): string {
  const kind = catalogue[code]
  if (kind === undefined) throw new Error(`There is no reason ${code}`)
  return kind.text(params as never)
}

/** Adds the English sentence to a cause. */
export function withText<C extends Catalogue>(catalogue: C, cause: Cause<C>): Reason<C> {
  return { ...cause, text: textOf(catalogue, cause) }
}

/** Reads a stored cause, possibly of another version; null when the catalogue does not know its code or its parameters. */
export function readCause<C extends Catalogue>(catalogue: C, code: string, params: unknown): Cause<C> | null {
  const parsed = Object.hasOwn(catalogue, code) ? catalogue[code]?.params.safeParse(params) : undefined
  return parsed?.success === true ? ({ code, params: parsed.data } as Cause<C>) : null
}
