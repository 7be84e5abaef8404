import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { reason, sentence } from '../kit/reason.ts'

/** Why a delivery is not sent yet (api.md 6.4); `next_retry_at` says when it is tried next. */
export const DELIVERY_WAITS = {
  deposit_on_hold: sentence('A deposit of its payment is on hold. It is sent once somebody has decided about that.'),
  endpoint_off: sentence('The endpoint is switched off. Switch it on, then send this again.'),
  project_archived: sentence('Nothing is sent for an archived project. It is sent once the project is back.'),
  being_sent: sentence('It is being sent now.'),
  earlier_first: reason({
    params: z.object({ event: z.string() }),
    text: ({ event }) => `An earlier event of the same payment, ${event}, goes first.`,
  }),
  next_try: reason({
    params: z.object({ number: int, most: int }),
    text: ({ number, most }) => `The last try failed. Try ${number} of ${most} follows.`,
  }),
  in_line: sentence('It is due. It is sent as soon as the endpoint has answered what was sent before.'),
} as const
