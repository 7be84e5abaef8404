import type { PaymentState } from '@kassa/contract/payments/machine.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import type { Context, NewEvent } from '../../../context.ts'
import { type Deposit, depositsOfPayment } from '../../deposits/service.ts'
import { leastConfirmed } from './deposit-rules.ts'
import { paymentPayload } from './webhook-payload.ts'
import type { Payment } from '../payment/payment.ts'
import { listTips } from '../payment/store.ts'
import { nextSequence } from './store.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { getAsset } from '../../blockchains/chains/service.ts'

/** The height of the newest block read, by blockchain; it includes the blocks that the open transaction credits. */
export type Tips = ReadonlyMap<number, number>

/** Emits an event of a payment with its next sequence number, or with one that was counted already, in the open transaction. */
export async function emitPaymentEvent(
  ctx: Context,
  payment: Payment,
  type: EventType,
  known: { deposits?: readonly Deposit[]; tips?: Tips; previousStatus?: PaymentState; sequence?: number } = {},
): Promise<void> {
  const deposits = known.deposits ?? (await depositsOfPayment(ctx, payment.id))
  const tips = known.tips ?? (deposits.length > 0 ? await listTips(ctx) : new Map<number, number>())
  const previousStatus = known.previousStatus ?? payment.status
  const event = eventOf(ctx, payment, type, { deposits, tips, previousStatus })
  await ctx.events.emit(ctx, { ...event, sequence: known.sequence ?? (await nextSequence(ctx, payment.id)) })
}

/** An event of a payment without its sequence number. */
export function eventOf(
  ctx: Context,
  payment: Omit<Payment, 'id'>,
  type: EventType,
  known: { readonly deposits: readonly Deposit[]; readonly tips: Tips; readonly previousStatus: PaymentState },
): NewEvent {
  return {
    type,
    projectId: payment.project.id,
    orderKey: payment.reference,
    referenceId: payment.reference,
    payload: {
      event_type: type,
      ...paymentPayload(payment, {
        deposits: known.deposits,
        confirmations: leastConfirmed(known.deposits, known.tips),
        previousStatus: known.previousStatus,
        at: ctx.now(),
        isTest: ctx.config.network !== 'mainnet',
      }),
    },
  }
}

type Decision<D> = { readonly action: string; readonly note: string; readonly deposit: D }

/** Emits an operator's decision about a payment for its timeline; the event stores who decided. */
export async function emitResolution(
  ctx: Context,
  { reference, project }: Payment,
  decision: Decision<Deposit | null>,
): Promise<void> {
  await emitDecision(ctx, { projectId: project.id, reference }, decision)
}

/** Emits an operator's decision about a deposit without a payment; it has no timeline, so only the event stores it. */
export async function emitRelease(ctx: Context, decision: Decision<Deposit>): Promise<void> {
  await emitDecision(ctx, { projectId: decision.deposit.projectId, reference: null }, decision)
}

async function emitDecision(
  ctx: Context,
  { projectId, reference }: { projectId: number; reference: string | null },
  { action, note, deposit }: Decision<Deposit | null>,
): Promise<void> {
  const asset = deposit && (await getAsset(ctx, deposit.assetId))
  await ctx.events.emit(ctx, {
    type: 'payment.resolved',
    projectId,
    ...(reference !== null && { referenceId: reference }),
    payload: {
      reference_id: reference,
      action,
      note,
      deposit_id: deposit && Number(deposit.id),
      amount: deposit && asset && formatUnits(deposit.units, asset.decimals),
      currency: asset?.currencyCode ?? null,
      network: asset?.blockchainCode ?? null,
      transaction_hash: deposit?.txId ?? null,
    },
  })
}
