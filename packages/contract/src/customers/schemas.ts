import * as z from 'zod/mini'

import { dec, id, int, ts, usd } from '../kit/codecs.ts'
import { clearableText, email, oneOf } from '../kit/fields.ts'
import { pageInput } from '../kit/paging.ts'

/** A payer, known to a project by e-mail and the merchant's own customer id. */
export const Customer = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  email: z.string(),
  customer_id: z.string(),
  level: int,
  group: z.string(),
  state: z.enum(['active', 'blocked']),
  username: z.nullable(z.string()),
  memberType: z.literal('customer'),
  resetPasswordRequired: z.literal(false),
  memberExternalPlatformRoles: z.array(
    z.object({ createdAt: ts, memberID: id, externalPlatformID: id, roleID: z.literal(2) }),
  ),
})

export type Customer = z.output<typeof Customer>

/** A customer with its addresses, payments and unapplied deposits. */
export const CustomerDetail = z.object({
  ...Customer.shape,
  addresses: z.array(z.object({ family: z.string(), address: z.string() })),
  paymentCount: int,
  paidInUSD: usd,
  unapplied: z.array(z.object({ currencyCode: z.string(), blockchainCode: z.string(), amount: dec })),
})

export type CustomerDetail = z.output<typeof CustomerDetail>

export const CustomerSearch = z.object({
  ...pageInput,
  query: z.optional(z.string()),
  email: z.optional(z.string()),
  customerID: z.optional(z.string()),
})

export type CustomerSearch = z.output<typeof CustomerSearch>

export const CustomerPage = z.object({
  members: z.array(Customer),
  totalCount: int,
  nextCursor: z.nullable(z.string()),
})

export const NewCustomer = z.object({
  email: email(),
  customerID: clearableText('Customer ID'),
  name: clearableText('Name', { max: 100 }),
})

export type NewCustomer = z.output<typeof NewCustomer>

/** What may be changed of a customer; absent keeps. A blocked one gets no new payments, and deposits still count. */
export const ChangeCustomer = z.object({
  name: clearableText('Name', { max: 100 }),
  email: z.optional(email()),
  group: clearableText('Group', { max: 50 }),
  state: z.optional(oneOf('State', ['active', 'blocked'])),
})

export type ChangeCustomer = z.output<typeof ChangeCustomer>
