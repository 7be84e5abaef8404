import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { useQuery } from '@tanstack/react-query'

import { customerQuery } from '../../../api/customers.ts'
import { paymentsQuery } from '../../../api/payments.ts'
import { candidatesFor, TAKING } from './candidates.ts'

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
