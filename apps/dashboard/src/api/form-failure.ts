import { t } from '@lingui/core/macro'

import { asRequestError } from './request-error.ts'

export type FormFailure = {
  /** The server's texts for fields this form has. */
  readonly fields: Readonly<Record<string, string>>
  /** What to say above the form; absent when every text has found its field. */
  readonly text?: string
}

/** Sorts what went wrong with a form's call: texts for its own fields, and one sentence for the rest. */
export function formFailure(thrown: unknown, names: readonly string[]): FormFailure {
  const { fields, message, details, isLost } = asRequestError(thrown)
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
  if (Object.keys(own).length > 0) return { fields: own }
  if (isLost) return { fields: {}, text: t`${message} Try again. It is safe: nothing is created twice.` }
  return { fields: {}, text: details === undefined || details === message ? message : `${message} ${details}` }
}

/** Runs a call and returns what went wrong as a sentence; undefined when it worked. */
export async function failureOf(send: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await send()
    return undefined
  } catch (thrown) {
    return formFailure(thrown, []).text
  }
}
