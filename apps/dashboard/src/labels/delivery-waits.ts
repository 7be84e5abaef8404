/** Why a webhook delivery has not been sent yet. */
import { DELIVERY_WAITS } from '@kassa/contract/webhooks/delivery-waits.ts'
import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { clockTime, waitText } from '../lib/time/time.ts'
import { reasonText, type Words } from './reason-text.ts'

/** Returns what a delivery waits for, and until when; empty where it waits for nothing. */
export function deliveryWaitText(
  { waits, next_retry_at: retryAt }: Pick<Delivery, 'waits' | 'next_retry_at'>,
  now: Date,
): string {
  if (waits === null) return ''
  const words: Words<typeof DELIVERY_WAITS> = {
    deposit_on_hold: () => t`A deposit of its payment is on hold.`,
    endpoint_off: () => t`The endpoint is off.`,
    project_archived: () => t`The project is archived.`,
    being_sent: () => t`It is being sent.`,
    earlier_first: ({ event }) => t`${event} of the same payment goes first.`,
    next_try: ({ number, most }) => {
      if (retryAt === null || retryAt <= now) return t`Try ${number} of ${most} is due now.`
      const [wait, clock] = [waitText(retryAt, now), clockTime(retryAt, now)]
      return t`Try ${number} of ${most} in ${wait}, at ${clock}.`
    },
    in_line: () => t`It is due: it goes out once the endpoint has answered what was sent before.`,
  }
  return reasonText(DELIVERY_WAITS, words, waits)
}
