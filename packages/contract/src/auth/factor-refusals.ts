/** Why a code is not taken, where it is safe to say (api.md 2.6). */
import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { type Catalogue, type Cause, reason, sentence } from '../kit/reason.ts'

export const CODE_REFUSALS = {
  unknown: sentence(
    'Codes change every 30 seconds. If none is taken, let the phone set its time by itself: its clock may be off.',
  ),
  used: sentence('This code was used already. Wait for the next one.'),
  clock_behind: reason({
    params: z.object({ minutes: int }),
    text: ({ minutes }) =>
      `This code was right ${minutes} min ago: the clock of the phone is behind. Let the phone set its time by itself, then try the next code.`,
  }),
  clock_ahead: reason({
    params: z.object({ minutes: int }),
    text: ({ minutes }) =>
      `This code will be right in ${minutes} min: the clock of the phone is ahead. Let the phone set its time by itself, then try the next code.`,
  }),
  backup_unknown: sentence('Each backup code works once. Use another one of your list.'),
  passkey: sentence('This passkey is not known here or could not be verified.'),
} as const satisfies Catalogue

export type CodeRefusal = Cause<typeof CODE_REFUSALS>
