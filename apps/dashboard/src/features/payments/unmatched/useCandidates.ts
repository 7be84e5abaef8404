import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { useQuery } from '@tanstack/react-query'
import { customerQuery } from '../../../api/customers.ts'
import { paymentsQuery } from '../../../api/payments.ts'

/** Returns the payments of a deposit's customer that can take it, as they are loaded; without a customer there are none. */
export function useCandidates(deposit: Deposit) {
  const { externalPlatformID, memberID, referenceID: own } = deposit
  const hasCustomer = memberID !== null && externalPlatformID !== null
  const customer = useQuery({
    ...customerQuery(externalPlatformID ?? 0, memberID ?? 0),
    enabled: hasCustomer,
  })
  const customerID = customer.data?.customer_id
  const payments = useQuery({
    ...paymentsQuery(String(externalPlatformID), { customerID, paymentStatus: [...TAKING] }),
    enabled: customerID !== undefined,
  })
  const found = payments.data && candidatesFor(deposit, payments.data.data)
  const isOwnListed = own === null || found?.fitting.some(({ referenceId }) => referenceId === own)
  return {
    hasCustomer,
    /** Unknown while it is loaded. */
    customerName: customer.data?.email || customerID || undefined,
    failure: payments.data === undefined ? (customer.error ?? payments.error) : null,
    retry: () => void (customer.error === null ? payments.refetch() : customer.refetch()),
    found,
    /** The payment it came for, where the list does not hold it. */
    unlistedOwn: isOwnListed ? null : own,
    hasNone: !hasCustomer || (found !== undefined && found.fitting.length === 0 && isOwnListed === true),
  }
}

/** States that money can still be given to. */
const TAKING = ['OPEN', 'PARTIALLY_FILLED', 'CANCELLED'] as const

export type Candidates = {
  /** Payments that money can be given to, the likeliest first. */
  readonly fitting: readonly PaymentRow[]
  /** How many of the customer's have no currency yet and cannot take any. */
  readonly undecided: number
}

/** Sorts a customer's payments by how well a deposit fits: the nearest amount first, of those the nearest time. */
function candidatesFor(deposit: Deposit, rows: readonly PaymentRow[]): Candidates {
  const chosen = rows.filter(({ currency }) => currency !== undefined)
  // Only an order: nothing is credited by these numbers.
  const apart = ({ exact }: PaymentRow) =>
    Math.abs(Number(exact.amountDueInUSD) - Number(deposit.amountInUSD ?? exact.amountDueInUSD))
  const away = ({ createdAt }: PaymentRow) => Math.abs(createdAt.getTime() - deposit.createdAt.getTime())
  const fitting = chosen.toSorted((a, b) => apart(a) - apart(b) || away(a) - away(b))
  return { fitting, undecided: rows.length - chosen.length }
}
