import { fail } from '@kassa/contract/kit/refusal.ts'
import type { Resolution, ResolutionAction } from '@kassa/contract/payments/resolution.ts'

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
import { acceptBlockedBy, unassignBlockedBy } from './rules.ts'
import { markResolved } from './mark-resolved.ts'
import { emitResolution } from '../funding/payment-events.ts'

/**
 * Decides by a person what the rules leave open. The decision is a fact of its own: the payment stays a function of facts,
 * so that a reorganisation still reopens it.
 * @throws DEPOSIT_NOT_FOUND, RESOLUTION_NOT_POSSIBLE with why, and what to do instead
 */
export async function resolvePayment(ctx: Context, payment: Payment, resolution: Resolution): Promise<Payment> {
  const { action, note } = resolution
  if (action === 'accept_underpaid') return acceptUnderpaid(ctx, payment, note)
  if (action === 'settle') return markResolved(ctx, payment, note)
  const state = STATES[action]
  const deposit = await chosenDeposit(ctx, payment, state, resolution.depositID ?? null)
  const why = unassignBlockedBy(deposit, state)
  if (why) return refuse(why)
  if (state === 'applied') return takeAway(ctx, payment, deposit, note)
  return applyDeposit(ctx, payment, { depositId: deposit.id, from: state, action, note })
}

/** The state a deposit is in before the action. */
const STATES = {
  apply_unapplied: 'unapplied',
  release_quarantine: 'quarantined',
  unassign: 'applied',
} as const satisfies Record<Exclude<ResolutionAction, 'accept_underpaid' | 'settle'>, Deposit['status']>

/** Money that was named, or the only one that can be meant. */
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
  if (another) return refuse('Several deposits can be meant. Name one.')
  return only ?? refuse(NONE[state])
}

const NONE = {
  unapplied: 'No money is kept for this customer.',
  quarantined: 'No money of this customer is held.',
  applied: 'No money counts for this payment.',
} as const

async function acceptUnderpaid(ctx: Context, { id, customer }: Payment, note: string): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    const why = acceptBlockedBy(payment)
    if (why) refuse(why)
    const acceptance = { leastUnits: payment.filledUnits, at: tx.now(), by: actorOf(tx.caller), note }
    await moveAccepted(tx, id, acceptance)
    await emitResolution(tx, payment, { action: 'accept_underpaid', note, deposit: null })
    return recomputePayment(tx, { ...payment, acceptance })
  })
}

/** The way back of every gift: the money is the customer's again, and the payment what is left. */
async function takeAway(ctx: Context, { id, customer }: Payment, known: Deposit, note: string): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    if ((await getDeposit(tx, known.id)).paymentId !== id) refuse('This money counts for another payment.')
    const deposit = await unassignDeposit(tx, known.id, { reason: 'unassigned' })
    await emitResolution(tx, payment, { action: 'unassign', note, deposit })
    return recomputePayment(tx, payment)
  })
}
