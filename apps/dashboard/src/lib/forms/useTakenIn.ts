import { useState } from 'react'

import type { Form } from './form.ts'

type Texts = Readonly<Record<string, string>>

/** What an open form sent, and what the server answered. */
type Own<Values> = { readonly sent: Values; readonly answered: Values }

export type TakenIn<Values> = {
  /** Both somebody else and the operator changed something, so that neither saw what results; until it is saved or changed back. */
  readonly isOvertaken: boolean
  /** Takes in what the server answered to a save; what was typed since it was sent stays. */
  readonly absorbAnswer: (sent: Values, answered: Values) => void
}

/** Takes what somebody else saves into an open form, and keeps what was typed. */
export function useTakenIn<Values extends Texts>(
  form: Pick<Form<Values>, 'values' | 'set' | 'sending'>,
  saved: Values,
): TakenIn<Values> {
  const [start, setStart] = useState(saved)
  const [isOvertaken, setOvertaken] = useState(false)
  const [own, setOwn] = useState<Own<Values> | null>(null)
  const absorb = (isOvertakenBy: (merged: Values) => boolean) => {
    const merged = merge({ start, saved, typed: form.values, sent: own?.sent })
    setStart(saved)
    setOwn(null)
    setOvertaken(isOvertakenBy(merged))
    // A field that stays as it is keeps its error.
    const changed = Object.entries(merged).filter(([name, text]) => form.values[name] !== text)
    if (changed.length > 0) form.set(Object.fromEntries(changed) as Partial<Values>)
  }
  if (own !== null && !isChanged(own.answered, saved)) absorb(() => false)
  else if (isChanged(start, saved)) absorb((merged) => isChanged(saved, merged))
  else if (isOvertaken && !isChanged(saved, form.values)) setOvertaken(false)
  return {
    // While the form is sent its own change may come back before the answer does.
    isOvertaken: isOvertaken && !form.sending,
    absorbAnswer: (sent, answered) => setOwn({ sent, answered }),
  }
}

type Merged<Values> = {
  readonly start: Values
  readonly saved: Values
  readonly typed: Values
  /** What the form has sent since `start`: a text that is still the same is answered by what is saved. */
  readonly sent: Values | undefined
}

function merge<Values extends Texts>({ start, saved, typed, sent }: Merged<Values>): Values {
  const own = Object.entries(typed).filter(([name, text]) => differs(start[name], text) && text !== sent?.[name])
  return { ...saved, ...Object.fromEntries(own) }
}

function isChanged(before: Texts, after: Texts): boolean {
  return Object.keys(before).some((name) => differs(before[name], after[name]))
}

/** Spaces around a text are not sent. */
function differs(one: string | undefined, other: string | undefined): boolean {
  return one?.trim() !== other?.trim()
}
