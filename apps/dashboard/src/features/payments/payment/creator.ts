import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'

/** Who made a payment, as its screens tell the operator who looks. */
export type Creator = 'you' | 'operator' | 'key'

/** Returns who made a payment; `operatorId` is the one who looks, unknown for a moment. */
export function creatorOf({ createdBy, timeline }: PaymentDetail, operatorId: number | undefined): Creator {
  const actor = timeline.find(({ event }) => event === 'payment.created')?.actor
  if (operatorId !== undefined && actor === `operator:${operatorId}`) return 'you'
  return createdBy === 'user' ? 'operator' : 'key'
}
