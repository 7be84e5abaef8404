import type { Offer } from '@kassa/contract/payments/offers.ts'
import type { ActionBlock } from '@kassa/contract/payments/action-blocks.ts'

import type { Context } from '../../../context.ts'
import type { Deposit } from '../../deposits/service.ts'
import type { Payment } from '../payment/payment.ts'
import { blockView, planApplication } from './apply-deposit.ts'
import { acceptBlockedBy, cancelBlockedBy, extendBlockedBy, resolveBlockedBy } from './rules.ts'

/**
 * Lists what an operator may do now with a payment and with deposits of its customer, by the rules that decide when it is done.
 * The order: the payment's own actions first and last, the deposits between them.
 */
export async function offersOf(
  ctx: Context,
  payment: Payment,
  { deposits, attention }: { deposits: readonly Deposit[]; attention: { isNeeded: boolean; isOnHold: boolean } },
): Promise<Offer[]> {
  const ofDeposits: Offer[] = []
  for (const deposit of deposits) ofDeposits.push(...(await offersOfDeposit(ctx, payment, deposit)))
  return [
    offer('accept_underpaid', null, acceptBlockedBy(payment)),
    ...ofDeposits,
    offer('mark_resolved', null, resolveBlockedBy(payment, attention)),
    offer('extend', null, extendBlockedBy(payment, ctx.now())),
    offer('cancel', null, cancelBlockedBy(payment)),
  ]
}

/** What can be done with a deposit in its state; nothing while it is not final, or once it is reverted or ignored. */
async function offersOfDeposit(ctx: Context, payment: Payment, deposit: Deposit): Promise<Offer[]> {
  const { status } = deposit
  if (status === 'applied') return deposit.paymentId === payment.id ? [offer('unassign', deposit, null)] : []
  if (status !== 'unapplied' && status !== 'quarantined') return []
  const { blockedBy } = await planApplication(ctx, payment, deposit)
  return [offer(status === 'unapplied' ? 'apply_unapplied' : 'release_quarantine', deposit, blockedBy)]
}

function offer(action: Offer['action'], deposit: Deposit | null, block: ActionBlock | null): Offer {
  return { action, depositID: deposit && Number(deposit.id), blockedBy: block && blockView(block) }
}
