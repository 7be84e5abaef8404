/**
 * Customers: the payers of a project, known by the merchant's own customer id. The first payment that names a customer creates
 * it; several may have the same e-mail address.
 */
import type { ChangeCustomer, CustomerSearch, NewCustomer } from '@kassa/contract/customers/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { FoundCustomer } from '@kassa/contract/search/schemas.ts'
import { keyFor } from '../../config/keys.ts'
import { type Context, inTransaction, type ProjectScope } from '../../context.ts'
import { readPage, toPage } from '../../paging/paging.ts'
import { listByPrefix } from './prefix-store.ts'
import {
  countCustomers,
  type Customer,
  type CustomerTotals,
  type EnsuredCustomer,
  findByMerchantId,
  findCustomer,
  findTotals,
  insertCustomer,
  insertNumberedCustomer,
  listCustomers,
  lockCustomerRows,
  lockOrInsertCustomer,
  updateCustomer,
  updateEmail,
} from './store.ts'

import type { CustomerAddress } from './view.ts'

export type { Customer, CustomerTotals, EnsuredCustomer } from './store.ts'
export { customerView } from './view.ts'

/**
 * Locks these customers until the transaction ends: no other transaction creates payments or moves money of theirs. A transaction locks
 * all of its customers at once, before anything else of theirs.
 */
export function lockCustomers(ctx: Context, ids: readonly number[]): Promise<void> {
  return lockCustomerRows(ctx, [...new Set(ids)])
}

/**
 * Returns the project's customer of this id for a payment, created when it is new, and locked as by `lockCustomers`. A given
 * e-mail address replaces the stored one. Two simultaneous callers get the same customer.
 */
export async function ensureCustomer(
  ctx: Context,
  wanted: { readonly projectId: number; readonly customerId: string; readonly email: string },
): Promise<EnsuredCustomer> {
  const { customerId, email } = wanted
  const customer = (await lockOrInsertCustomer(ctx, wanted)) ?? (await lockOrInsertCustomer(ctx, wanted))
  if (!customer) throw new Error(`Customer ${customerId} was neither made nor found`)
  if (email === '' || email === customer.email) return customer
  return { ...(await updateEmail(ctx, customer.id, email)), is_new: false }
}

/** The customer of this id. @throws CUSTOMER_NOT_FOUND */
export async function getCustomer(ctx: Context, id: number): Promise<Customer> {
  return (await findCustomer(ctx, id)) ?? fail('CUSTOMER_NOT_FOUND')
}

/** The project's customer with the merchant's own id, or undefined. */
export function findCustomerByMerchantId(
  ctx: Context,
  projectId: number,
  customerId: string,
): Promise<Customer | undefined> {
  return findByMerchantId(ctx, projectId, customerId)
}

/** Adds a customer; without an id of the merchant's it gets `c_` and our own. @throws CUSTOMER_EXISTS */
export async function addCustomer(ctx: Context, projectId: number, input: NewCustomer): Promise<Customer> {
  return inTransaction(ctx, async (tx) => {
    const values = { projectId, email: input.email, name: input.name ?? '' }
    const inserted = input.customerID
      ? await insertCustomer(tx, { ...values, customerId: input.customerID })
      : await insertNumberedCustomer(tx, values)
    const customer = inserted ?? fail('CUSTOMER_EXISTS')
    await announceChange(tx, customer)
    return customer
  })
}

/**
 * Changes a customer the caller may see and emits customer.changed; a blocked one gets no new payments, and deposits still
 * count. @throws CUSTOMER_NOT_FOUND
 */
export async function changeCustomer(
  ctx: Context,
  { projectIds }: ProjectScope,
  id: number,
  change: ChangeCustomer,
): Promise<Customer> {
  return inTransaction(ctx, async (tx) => {
    // Payments of the customer in progress are finished before, or see the change.
    await lockCustomers(tx, [id])
    const { project_id: projectId } = await getCustomer(tx, id)
    if (projectIds !== 'every' && !projectIds.includes(projectId)) return fail('CUSTOMER_NOT_FOUND')
    const customer = await updateCustomer(tx, id, change)
    tx.change(null, { id, ...change }, { projectId })
    await announceChange(tx, customer)
    return customer
  })
}

async function announceChange(ctx: Context, { id, project_id: projectId, customer_id }: Customer): Promise<void> {
  await ctx.events.emit(ctx, {
    type: 'customer.changed',
    projectId,
    payload: { project_id: projectId, member_id: id, customer_id },
  })
}

/** Finds the addresses of a customer, each derived again. @throws SERVICE_UNAVAILABLE when one was changed */
export type AddressLookup = (ctx: Context, customerId: number) => Promise<readonly CustomerAddress[]>

/** One customer the caller may see, with its totals. @throws CUSTOMER_NOT_FOUND */
export async function readCustomer(
  ctx: Context,
  { projectIds }: ProjectScope,
  id: number,
): Promise<{ customer: Customer; totals: CustomerTotals }> {
  const customer = await getCustomer(ctx, id)
  if (projectIds !== 'every' && !projectIds.includes(customer.project_id)) return fail('CUSTOMER_NOT_FOUND')
  return { customer, totals: await findTotals(ctx, id) }
}

/** The newest customers whose e-mail, name or id begins with a text. */
export async function findCustomers(
  ctx: Context,
  { query, ...asked }: { projectIds: ProjectScope['projectIds']; query: string; limit: number },
): Promise<FoundCustomer[]> {
  const rows = await listByPrefix(ctx, { ...asked, start: query.toLowerCase() })
  return rows.map(({ id, project_id: externalPlatformID, email, customer_id: customerID, name }) => ({
    id,
    externalPlatformID,
    email,
    customerID,
    name,
  }))
}

/** A page of customers, newest first. @throws SORT_FIELD_UNKNOWN, PAGE_TOO_DEEP, CURSOR_INVALID */
export async function searchCustomers(
  ctx: Context,
  { projectIds }: ProjectScope,
  input: CustomerSearch,
): Promise<{ customers: Customer[]; total: number; nextCursor: string | null }> {
  const filter = {
    projectIds,
    ...(input.query && { query: input.query }),
    ...(input.email && { email: input.email }),
    ...(input.customerID && { customerId: input.customerID }),
  }
  const rules = { list: 'customers', filter, sorts: ['created_at'], signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage(input, rules)
  const { rows, nextCursor } = toPage(await listCustomers(ctx, filter, page), page, rules)
  return { customers: rows, total: await countCustomers(ctx, filter), nextCursor }
}
