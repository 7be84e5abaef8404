import * as z from 'zod/mini'

import { type Cause, reason, sentence } from '../kit/reason.ts'

const text = z.string()

/** Why a signed transaction ended without moving money (money.md 7.3). */
export const SEND_FAILURES = {
  reverted: sentence('The chain executed the transaction and undid it: nothing was moved, the network fee is spent.'),
  no_transfer: sentence('The transaction was executed, but its token moved nothing: the network fee is spent.'),
  expired: sentence('No block took the transaction before it lapsed. It can never be mined.'),
  replaced: reason({
    params: z.object({ txHash: text }),
    text: ({ txHash }) => `Another transaction of the same wallet took its place: ${txHash}. It can never be mined.`,
  }),
} as const

export type SendFailure = Cause<typeof SEND_FAILURES>
