import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ResolutionAction } from '@kassa/contract/payments/offers.ts'
import type { Resolution } from '@kassa/contract/payments/resolution.ts'

import { actorOf, type Context, inTransaction } from '../../../context.ts'
import { lockCustomers } from '../../customers/service.ts'
import {
  type Deposit,
  depositsOfPayment,
  getDeposit,
  unappliedOfCustomer,
  unassignDeposit,
} from '../../deposits/service.ts'
import { applyDeposit, refuse } from './apply-deposit.ts'
import { moveAccepted } from './store.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayment } from '../payment/store.ts'
import { recomputePayment } from '../funding/recompute-payment.ts'
import { acceptBlockedBy, depositBlockedBy } from './rules.ts'
import { markResolved } from './mark-resolved.ts'
import { emitResolution } from '../funding/payment-events.ts'

/**
 * Stores an operator's decision about a payment. The decision is stored beside the deposits: the payment is still computed
 * from both, so that a reorganisation reopens it.
 * @throws DEPOSIT_NOT_FOUND, RESOLUTION_NOT_POSSIBLE with why, and what to do instead
 */
export async function resolvePayment(ctx: Context, payment: Payment, resolution: Resolution): Promise<Payment> {
  const { action, note } = resolution
  if (action === 'accept_underpaid') return acceptUnderpaid(ctx, payment, note)
  if (action === 'mark_resolved') return markResolved(ctx, payment, note)
  const state = STATES[action]
  const deposit = await chosenDeposit(ctx, payment, state, resolution.depositID ?? null)
  const block = depositBlockedBy(deposit, state)
  if (block) return refuse(block)
  if (state === 'applied') return unassign(ctx, payment, deposit, note)
  return applyDeposit(ctx, payment, { depositId: deposit.id, from: state, action, note })
}

/** The state a deposit is in before the action. */
const STATES = {
  apply_unapplied: 'unapplied',
  release_quarantine: 'quarantined',
  unassign: 'applied',
} as const satisfies Record<Exclude<ResolutionAction, 'accept_underpaid' | 'mark_resolved'>, Deposit['status']>

/** The named deposit, or the only one in that state. */
async function chosenDeposit(
  ctx: Context,
  payment: Payment,
  state: 'unapplied' | 'quarantined' | 'applied',
  depositId: number | null,
): Promise<Deposit> {
  if (depositId !== null) {
    const deposit = await getDeposit(ctx, BigInt(depositId))
    return deposit.projectId === payment.project.id ? deposit : fail('DEPOSIT_NOT_FOUND')
  }
  const all =
    state === 'applied' ? await depositsOfPayment(ctx, payment.id) : await unappliedOfCustomer(ctx, payment.customer.id)
  const [only, another] = all.filter(({ status }) => status === state)
  if (another) return refuse('several_deposits')
  return only ?? refuse(NONE[state])
}

const NONE = {
  unapplied: 'no_unmatched_deposit',
  quarantined: 'no_quarantined_deposit',
  applied: 'no_applied_deposit',
} as const

async function acceptUnderpaid(ctx: Context, { id, customer }: Payment, note: string): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    const block = acceptBlockedBy(payment)
    if (block) refuse(block)
    const acceptance = { leastUnits: payment.filledUnits, at: tx.now(), by: actorOf(tx.caller), note }
    await moveAccepted(tx, id, acceptance)
    await emitResolution(tx, payment, { action: 'accept_underpaid', note, deposit: null })
    return recomputePayment(tx, { ...payment, acceptance })
  })
}

/** Unassigns an applied deposit: it is unapplied again, and the payment is recomputed without it. */
async function unassign(ctx: Context, { id, customer }: Payment, known: Deposit, note: string): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    if ((await getDeposit(tx, known.id)).paymentId !== id) refuse('other_payment')
    const deposit = await unassignDeposit(tx, known.id, { reason: 'unassigned' })
    await emitResolution(tx, payment, { action: 'unassign', note, deposit })
    return recomputePayment(tx, payment)
  })
}
