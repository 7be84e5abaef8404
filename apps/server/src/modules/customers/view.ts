import type { Customer as CustomerShape, CustomerDetail } from '@kassa/contract/customers/schemas.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Customer, CustomerTotals } from './store.ts'

/** The role every payer has (api.md 3.2). */
const CUSTOMER_ROLE = 2

export type CustomerAddress = { readonly familyId: number; readonly address: string }

/** A customer as the contract shows it. */
export function customerView(customer: Customer): CustomerShape {
  return {
    id: customer.id,
    createdAt: customer.created_at,
    updatedAt: customer.updated_at,
    name: customer.name,
    email: customer.email,
    customer_id: customer.customer_id,
    level: 0,
    group: customer.group_name,
    state: customer.state,
    username: null,
    memberType: 'customer',
    resetPasswordRequired: false,
    memberExternalPlatformRoles: [
      {
        createdAt: customer.created_at,
        memberID: customer.id,
        externalPlatformID: customer.project_id,
        roleID: CUSTOMER_ROLE,
      },
    ],
  }
}

/** A customer with its addresses, what it paid and what is still unapplied. */
export function customerDetailView(
  customer: Customer,
  totals: CustomerTotals,
  addresses: readonly CustomerAddress[],
): CustomerDetail {
  return {
    ...customerView(customer),
    addresses: addresses.map(({ familyId, address }) => ({
      family: findFamily(familyId)?.family ?? '',
      address,
    })),
    paymentCount: totals.paymentCount,
    paidInUSD: totals.paidUsd,
    unapplied: totals.unapplied.map(({ currencyCode, blockchainCode, units, decimals }) => ({
      currencyCode,
      blockchainCode,
      amount: formatUnits(units, decimals),
    })),
  }
}
