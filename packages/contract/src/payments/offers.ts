/** What an operator may do now with a payment and its deposits; the handlers decide by the same rules (api.md Y22). */
import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { reasonShape } from '../kit/reason.ts'
import type { ACTION_BLOCKS } from './action-blocks.ts'

export const RESOLUTION_ACTIONS = [
  /** The missing rest is waived: the payment counts as paid while its deposits stay. */
  'accept_underpaid',
  /** An unapplied deposit of the customer counts for this payment; another currency at its value when received. */
  'apply_unapplied',
  /** A quarantined deposit counts for this payment. */
  'release_quarantine',
  /** The reverse: a deposit of this payment becomes unapplied again. */
  'unassign',
  /** Nothing more is to be done: the payment needs no attention until its money changes. No money moves. */
  'mark_resolved',
] as const

export type ResolutionAction = (typeof RESOLUTION_ACTIONS)[number]

export const BlockedBy = reasonShape<typeof ACTION_BLOCKS>({
  already_paid: true,
  not_final: true,
  nothing_counts: true,
  on_hold: true,
  needs_no_attention: true,
  still_payable: true,
  not_pinned: true,
  paid_takes_no_more: true,
  deposit_not_final: true,
  deposit_reverted: true,
  deposit_ignored: true,
  deposit_applied: true,
  deposit_unapplied: true,
  deposit_quarantined: true,
  other_payment: true,
  other_customer: true,
  no_price_known: true,
  several_deposits: true,
  no_unmatched_deposit: true,
  no_quarantined_deposit: true,
  no_applied_deposit: true,
})

export const Offer = z.object({
  action: z.enum(RESOLUTION_ACTIONS),
  /** The deposit it is about; null when it is about the payment alone. */
  depositID: z.nullable(id),
  /** Why it is refused now, and what to do instead; null while it can be done. */
  blockedBy: z.nullable(BlockedBy),
})

export type Offer = z.output<typeof Offer>
