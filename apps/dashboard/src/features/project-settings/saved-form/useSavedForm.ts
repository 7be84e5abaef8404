import { useRef, useState } from 'react'
import type { RefObject } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { useForm } from '../../../lib/forms/form.ts'
import type { FieldErrors, Form } from '../../../lib/forms/form.ts'
import { toast } from '../../../ui/feedback/toast.ts'

export type SaveFailure = {
  readonly failure: string
  /** Why, where the text itself does not say it. */
  readonly reason?: string
}

/** What a save came to. `isConflict`: somebody else saved in between, and nothing was written. */
export type SaveOutcome<Saved> =
  | { readonly saved: Saved }
  | { readonly errors: Readonly<Record<string, string>> }
  | SaveFailure
  | { readonly isConflict: true }

export type SavedFormOptions<Saved, Values extends object> = {
  readonly start: Saved
  readonly valuesOf: (saved: Saved) => Values
  /** The names of the values that differ from the saved ones. */
  readonly changed: (saved: Saved, values: Values) => readonly (keyof Values & string)[]
  readonly validate: (saved: Saved, values: Values) => FieldErrors<Values>
  readonly save: (saved: Saved, values: Values) => Promise<SaveOutcome<Saved>>
  /** Reads what is saved now. @throws when it cannot be read */
  readonly reload: () => Promise<Saved>
  /** What is said after a save. */
  readonly done: string
}

type Shape<Saved, Values extends object> = Pick<SavedFormOptions<Saved, Values>, 'valuesOf' | 'changed'>

/** A field that another operator has changed since, with both values. */
export type Clash<Values> = { readonly name: keyof Values & string; readonly theirs: Values; readonly yours: Values }

export type SavedForm<Values> = {
  readonly form: Form<Values>
  readonly changes: number
  readonly failure: SaveFailure | undefined
  /** Empty unless the last save met another operator's. The next save overwrites them. */
  readonly clashes: readonly Clash<Values>[]
  readonly discard: () => void
  readonly frame: RefObject<HTMLFormElement | null>
}

/**
 * A form over something that others may change meanwhile: only what was changed is sent, and never over a newer value
 * that the person has not seen. What others changed elsewhere is taken in; what was typed is kept.
 */
export function useSavedForm<Saved, Values extends object>(
  options: SavedFormOptions<Saved, Values>,
): SavedForm<Values> {
  const { start, valuesOf, changed, validate, save, reload, done } = options
  // What the changes are counted from: what was last saved, not what another screen's refresh brings in.
  const [saved, setSaved] = useState(start)
  const [failure, setFailure] = useState<SaveFailure>()
  const [clashes, setClashes] = useState<readonly Clash<Values>[]>([])
  const frame = useRef<HTMLFormElement>(null)

  const settle = (now: Saved, values = valuesOf(now)) => {
    setSaved(now)
    form.set(values)
  }
  const attempt = async (from: Saved, values: Values): Promise<FieldErrors<Values> | undefined> => {
    const outcome = await save(from, values)
    if ('errors' in outcome) return outcome.errors
    if ('failure' in outcome) setFailure(outcome)
    if ('isConflict' in outcome) return meet(from, values)
    if ('saved' in outcome) {
      settle(outcome.saved)
      keepFocus(frame.current)
      toast.success(done)
    }
    return undefined
  }
  /** Another operator has saved: takes their changes in, and saves again unless they changed the same fields. */
  const meet = async (from: Saved, values: Values): Promise<FieldErrors<Values> | undefined> => {
    const now = await reload()
    const met = merge({ valuesOf, changed }, { from, values, now })
    settle(now, met.values)
    setClashes(met.clashes)
    return met.clashes.length > 0 ? undefined : attempt(now, met.values)
  }

  const form = useForm<Values>({
    initial: valuesOf(saved),
    validate: (values) => validate(saved, values),
    submit: async (values) => {
      setFailure(undefined)
      setClashes([])
      return attempt(saved, values).catch((thrown: unknown) => setFailure({ failure: asRequestError(thrown).message }))
    },
  })
  const discard = () => {
    setFailure(undefined)
    setClashes([])
    form.set(valuesOf(saved))
    keepFocus(frame.current)
  }
  return { form, changes: changed(saved, form.values).length, failure, clashes, discard, frame }
}

/** Puts the typed values over those another operator has saved meanwhile, and names the fields that both changed. */
function merge<Saved, Values extends object>(
  { valuesOf, changed }: Shape<Saved, Values>,
  { from, values, now }: { readonly from: Saved; readonly values: Values; readonly now: Saved },
): { readonly values: Values; readonly clashes: readonly Clash<Values>[] } {
  const theirs = valuesOf(now)
  const mine = Object.fromEntries(changed(from, values).map((name) => [name, values[name]]))
  const merged = { ...theirs, ...mine }
  const touched = new Set(changed(from, theirs))
  const both = changed(now, merged).filter((name) => touched.has(name))
  return { values: merged, clashes: both.map((name) => ({ name, theirs, yours: merged })) }
}

/** The bar disappears with its last change; the focus must not jump from its button to the top of the page. */
function keepFocus(frame: HTMLFormElement | null): void {
  if (document.activeElement instanceof HTMLButtonElement) frame?.focus({ preventScroll: true })
}
