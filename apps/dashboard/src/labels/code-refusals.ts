import { CODE_REFUSALS } from '@kassa/contract/auth/factor-refusals.ts'
import { t } from '@lingui/core/macro'

import type { RequestError } from '../api/request-error.ts'
import { worded, type Words } from './worded.ts'

const WORDS: Words<typeof CODE_REFUSALS> = {
  unknown: () =>
    t`This code is not valid. Codes change every 30 seconds; if none is taken, let the phone set its time by itself.`,
  used: () => t`This code was used already. Wait for the next one.`,
  clock_behind: ({ minutes }) =>
    t`This code was right ${minutes} min ago: the clock of the phone is behind. Let the phone set its time by itself.`,
  clock_ahead: ({ minutes }) =>
    t`This code will be right in ${minutes} min: the clock of the phone is ahead. Let the phone set its time by itself.`,
  backup_unknown: () => t`Each backup code works once. Use another one of your list.`,
  passkey: () => t`This passkey is not known here or could not be verified.`,
}

/** Returns why a second factor was not taken. */
export function factorFailure({ code, message, details, data }: RequestError): string {
  const { reason, ...params } = data
  if (code !== 'SECOND_FACTOR_INVALID' || typeof reason !== 'string') return message
  return worded(CODE_REFUSALS, WORDS, { code: reason, params, text: details ?? message })
}
