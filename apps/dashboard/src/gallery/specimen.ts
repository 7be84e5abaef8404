import type { ReactNode } from 'react'

/** One part in one state. */
export type Specimen = { readonly state: string; readonly shown: ReactNode }

/** A part of `ui/` by the name of its file, with its states. */
export type Part = { readonly name: string; readonly wide?: boolean; readonly specimens: readonly Specimen[] }

/** Nothing happens in the gallery. */
export const nothing = (): void => undefined
