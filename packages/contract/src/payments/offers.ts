/** What an operator may do now with a payment and its deposits; the handlers decide by the same rules (api.md Y21, Y22, Y34). */
import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { reasonShape } from '../kit/reason-shape.ts'
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
  /** Nothing more has to be done: the payment needs no attention until its money changes. No money moves. */
  'mark_resolved',
] as const

export type ResolutionAction = (typeof RESOLUTION_ACTIONS)[number]

/** What can be done with a payment: resolve something about it (api.md Y22), extend its link (Y34) or cancel it (Y21). */
const OFFERED_ACTIONS = [...RESOLUTION_ACTIONS, 'extend', 'cancel'] as const

export const Offer = z.object({
  action: z.enum(OFFERED_ACTIONS),
  /** The deposit it is about; null when it is about the payment alone. */
  depositID: z.nullable(id),
  /** Why it is refused now, and what to do instead; null while it can be done. */
  blockedBy: z.nullable(reasonShape<typeof ACTION_BLOCKS>()),
})

export type Offer = z.output<typeof Offer>
