import { fail } from '@kassa/contract/kit/refusal.ts'
import { type Context, inTransaction } from '../../context.ts'
import { lockCustomers } from '../customers/service.ts'
import { post } from '../ledger/service.ts'
import type { Deposit } from './deposit.ts'
import { posted } from './postings.ts'
import { findDeposit, moveByPerson, updateValue } from './store.ts'

/** The deposit of this id. @throws DEPOSIT_NOT_FOUND */
export async function getDeposit(ctx: Context, id: bigint): Promise<Deposit> {
  return (await findDeposit(ctx, id)) ?? fail('DEPOSIT_NOT_FOUND')
}

export type ManualApplication<PaymentId> = {
  readonly paymentId: PaymentId
  /** What the deposit shows from now on. */
  readonly reason: string | null
  /** Whether it came after the end of that payment. */
  readonly late: boolean
}

/**
 * Gives money that found no payment to one. The caller recomputes that payment in the same transaction, which also fixes
 * what the money counts for there.
 * @throws DEPOSIT_NOT_FOUND, DEPOSIT_NOT_UNAPPLIED
 */
export async function assignDeposit(
  ctx: Context,
  id: bigint,
  { paymentId, reason, late }: ManualApplication<bigint>,
): Promise<Deposit> {
  return inTransaction(ctx, async (tx) => {
    await lockOwner(tx, id)
    const moved = await moveByPerson(tx, id, { from: 'unapplied', to: 'applied', paymentId, reason, late })
    if (!moved) return fail('DEPOSIT_NOT_UNAPPLIED')
    await post(tx, { posting: 'deposit.assign', deposit: posted(moved) })
    return moved
  })
}

/**
 * Takes money away from its payment and keeps it for the customer. The caller recomputes the payment it was for in the
 * same transaction.
 * @throws DEPOSIT_NOT_FOUND, RESOLUTION_NOT_POSSIBLE when it counts for no payment
 */
export async function unassignDeposit(
  ctx: Context,
  id: bigint,
  { reason }: { reason: string | null },
): Promise<Deposit> {
  return inTransaction(ctx, async (tx) => {
    await lockOwner(tx, id)
    const moved = await moveByPerson(tx, id, {
      from: 'applied',
      to: 'unapplied',
      paymentId: null,
      reason,
      late: false,
    })
    if (!moved) return fail('RESOLUTION_NOT_POSSIBLE')
    await post(tx, { posting: 'deposit.unassign', deposit: posted(moved) })
    return moved
  })
}

/**
 * Ends the review of held money: it counts for a payment, or is kept for the customer when `paymentId` is null. The caller
 * recomputes the payment in the same transaction.
 * @throws DEPOSIT_NOT_FOUND, RESOLUTION_NOT_POSSIBLE when it is not held
 */
export async function releaseDeposit(
  ctx: Context,
  id: bigint,
  { paymentId, reason, late }: ManualApplication<bigint | null>,
): Promise<Deposit> {
  return inTransaction(ctx, async (tx) => {
    await lockOwner(tx, id)
    const to = paymentId === null ? 'unapplied' : 'applied'
    const moved = await moveByPerson(tx, id, { from: 'quarantined', to, paymentId, reason, late })
    if (!moved) return fail('RESOLUTION_NOT_POSSIBLE')
    await post(tx, { posting: 'deposit.release', to, deposit: posted(moved) })
    return moved
  })
}

/** Remembers what money was worth when it came, for a deposit that was seen while there was no price. */
export function recordValue(ctx: Context, id: bigint, usd: string): Promise<void> {
  return updateValue(ctx, id, usd)
}

/** The customer first: the order in which the reader of blocks locks. */
async function lockOwner(ctx: Context, id: bigint): Promise<void> {
  await lockCustomers(ctx, [(await getDeposit(ctx, id)).customerId])
}
