import type { DepositReason } from '@kassa/contract/deposits/reasons.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction } from '../../context.ts'
import { lockCustomers } from '../customers/service.ts'
import { post } from '../ledger/service.ts'
import type { Deposit } from './deposit.ts'
import { MANUAL_MOVES, movedEntry } from './postings.ts'
import { findDeposit, moveByPerson, updateValue } from './store.ts'

/** The deposit of this id. @throws DEPOSIT_NOT_FOUND */
export async function getDeposit(ctx: Context, id: bigint): Promise<Deposit> {
  return (await findDeposit(ctx, id)) ?? fail('DEPOSIT_NOT_FOUND')
}

export type ManualApplication<PaymentId> = {
  readonly paymentId: PaymentId
  /** The reason the deposit shows from now on. */
  readonly reason: DepositReason | null
  /** Whether it arrived after the end of that payment. */
  readonly late: boolean
}

/**
 * Applies an unapplied deposit to a payment. The caller recomputes that payment in the same transaction, which also
 * sets what the deposit counts for there.
 * @throws DEPOSIT_NOT_FOUND, DEPOSIT_NOT_UNAPPLIED
 */
export async function assignDeposit(
  ctx: Context,
  id: bigint,
  { paymentId, reason, late }: ManualApplication<bigint>,
): Promise<Deposit> {
  return inTransaction(ctx, async (tx) => {
    await lockOwner(tx, id)
    const moved = await moveByPerson(tx, id, { from: MANUAL_MOVES.assign.from, to: 'applied', paymentId, reason, late })
    if (!moved) return fail('DEPOSIT_NOT_UNAPPLIED')
    await post(tx, [movedEntry(moved, 'assign', 'applied')])
    return moved
  })
}

/**
 * Unassigns a deposit from its payment: it becomes unapplied. The caller recomputes the former payment in the same
 * transaction.
 * @throws DEPOSIT_NOT_FOUND, RESOLUTION_NOT_POSSIBLE when it counts for no payment
 */
export async function unassignDeposit(
  ctx: Context,
  id: bigint,
  { reason }: { reason: DepositReason | null },
): Promise<Deposit> {
  return inTransaction(ctx, async (tx) => {
    await lockOwner(tx, id)
    const moved = await moveByPerson(tx, id, {
      from: MANUAL_MOVES.unassign.from,
      to: 'unapplied',
      paymentId: null,
      reason,
      late: false,
    })
    if (!moved) return fail('RESOLUTION_NOT_POSSIBLE')
    await post(tx, [movedEntry(moved, 'unassign', 'unapplied')])
    return moved
  })
}

/**
 * Releases a quarantined deposit: it counts for a payment, or becomes unapplied when `paymentId` is null. The caller
 * recomputes the payment in the same transaction.
 * @throws DEPOSIT_NOT_FOUND, RESOLUTION_NOT_POSSIBLE when it is not quarantined
 */
export async function releaseDeposit(
  ctx: Context,
  id: bigint,
  { paymentId, reason, late }: ManualApplication<bigint | null>,
): Promise<Deposit> {
  return inTransaction(ctx, async (tx) => {
    await lockOwner(tx, id)
    const to = paymentId === null ? 'unapplied' : 'applied'
    const moved = await moveByPerson(tx, id, { from: MANUAL_MOVES.release.from, to, paymentId, reason, late })
    if (!moved) return fail('RESOLUTION_NOT_POSSIBLE')
    await post(tx, [movedEntry(moved, 'release', to)])
    return moved
  })
}

/** Records the value in USD at arrival, for a deposit that was seen while there was no price. */
export function recordValue(ctx: Context, id: bigint, usd: string): Promise<void> {
  return updateValue(ctx, id, usd)
}

/** Locks the customer first, in the order that crediting uses, so that the two cannot deadlock. */
async function lockOwner(ctx: Context, id: bigint): Promise<void> {
  await lockCustomers(ctx, [(await getDeposit(ctx, id)).customerId])
}
