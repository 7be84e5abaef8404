import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'

/** States that money can still be given to. */
export const TAKING = ['OPEN', 'PARTIALLY_FILLED', 'CANCELLED'] as const

export type Candidates = {
  /** Payments that money can be given to, the likeliest first. */
  readonly fitting: readonly PaymentRow[]
  /** How many of the customer's have no currency yet and cannot take any. */
  readonly undecided: number
}

/** Sorts a customer's payments by how well a deposit fits: the nearest amount first, of those the nearest time. */
export function candidatesFor(deposit: Deposit, rows: readonly PaymentRow[]): Candidates {
  const chosen = rows.filter(({ currency }) => currency !== undefined)
  // Only an order: nothing is credited by these numbers.
  const apart = ({ exact }: PaymentRow) =>
    Math.abs(Number(exact.amountDueInUSD) - Number(deposit.amountInUSD ?? exact.amountDueInUSD))
  const away = ({ createdAt }: PaymentRow) => Math.abs(createdAt.getTime() - deposit.createdAt.getTime())
  const fitting = chosen.toSorted((a, b) => apart(a) - apart(b) || away(a) - away(b))
  return { fitting, undecided: rows.length - chosen.length }
}
