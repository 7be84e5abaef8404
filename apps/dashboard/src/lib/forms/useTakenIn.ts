import { useState } from 'react'

import type { Form } from './form.ts'

/**
 * Takes what somebody else saves into an open form, and keeps what was typed. Says whether both changed something, so that neither
 * saw what results; until the form is saved or changed back.
 */
export function useTakenIn<Values extends Readonly<Record<string, string>>>(
  form: Pick<Form<Values>, 'values' | 'set' | 'sending'>,
  saved: Values,
): boolean {
  const [start, setStart] = useState(saved)
  const [isOvertaken, setOvertaken] = useState(false)
  if (isChanged(start, saved)) {
    const merged = merge(start, saved, form.values)
    setStart(saved)
    form.set(merged)
    if (isChanged(saved, merged) && !form.sending) setOvertaken(true)
  } else if (isOvertaken && !isChanged(saved, form.values)) setOvertaken(false)
  return isOvertaken
}

function merge<Values extends Readonly<Record<string, string>>>(start: Values, saved: Values, typed: Values): Values {
  const own = Object.entries(typed).filter(([name, text]) => differs(start[name], text))
  return { ...saved, ...Object.fromEntries(own) }
}

function isChanged(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): boolean {
  return Object.keys(before).some((name) => differs(before[name], after[name]))
}

/** Spaces around a text are not sent. */
function differs(one: string | undefined, other: string | undefined): boolean {
  return one?.trim() !== other?.trim()
}
