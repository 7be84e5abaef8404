import type { WaitingTransfer } from '@kassa/chains/adapter.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'
import { type Context, inTransaction } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { identityOf } from '../../deposits/service.ts'
import { paymentPolicy } from '../../projects/service.ts'
import type { AddressRow } from '../../wallets/service.ts'
import { isPinned } from '../funding/deposit-rules.ts'
import { recomputePayments } from '../funding/recompute-payment.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayments } from '../payment/store.ts'
import { listFormerPayments, listMined, listWaiting, markGone, markMined, upsertSightings } from '../sightings/store.ts'
import { allocate } from './allocation-rules.ts'
import { lockOwners } from './lock-owners.ts'
import { lockCandidatePayments, NOTHING } from './store.ts'

/** A transfer that waits to be mined, to an address of a customer. */
export type SightedTransfer = {
  readonly transfer: WaitingTransfer
  readonly address: AddressRow & { readonly customerId: number; readonly projectId: number }
  readonly asset: Asset
}

/**
 * Records transfers that wait to be mined, so that their payments show that money is on its way. Nothing is credited. A
 * transfer that would not simply pay an open payment is recorded without a payment. Repeating it changes nothing.
 */
export async function recordSightings(
  ctx: Context,
  chain: Blockchain,
  sighted: readonly SightedTransfer[],
): Promise<void> {
  if (sighted.length === 0) return
  const shown = await inTransaction(ctx, async (tx) => {
    const customers = [...new Set(sighted.map(({ address }) => address.customerId))]
    await lockOwners(tx, chain.id, { receivers: customers, moving: NOTHING })
    const txIds = [...new Set(sighted.map(({ transfer }) => transfer.txId))]
    // What returns from a block that left the chain waits for the payment that had it: its deposit may still be live here.
    const known = await listFormerPayments(tx, chain.id, txIds)
    const former = new Map(known.map((one) => [identityOf(one), one.paymentId]))
    const candidates = await lockCandidatePayments(tx, {
      customerIds: customers,
      endedAfter: ctx.now(),
      formerIds: known.map(({ paymentId }) => paymentId),
    })
    const rows = []
    for (const one of sighted) {
      const paymentId = former.get(identityOf(one.transfer)) ?? (await paymentFor(tx, one, candidates))
      rows.push({ ...rowOf(one), paymentId })
    }
    await upsertSightings(tx, chain.id, rows)
    const ids = new Set([...known, ...rows].map(({ paymentId }) => paymentId))
    const changed = candidates.filter(({ id }) => ids.has(id))
    await recomputePayments(tx, changed)
    return changed
  })
  announce(ctx, shown)
}

/** A transaction that waited and no longer does. */
type Ended = { readonly txId: string; readonly replacedBy: string | null }

/** Records that transactions were replaced or dropped. Nothing was credited for them, so nothing is reverted. */
export async function endSightings(ctx: Context, chain: Blockchain, ended: readonly Ended[]): Promise<void> {
  if (ended.length === 0) return
  const shown = await inTransaction(ctx, async (tx) => {
    const gone = new Set(ended.map(({ txId }) => txId))
    const ids = (await listWaiting(tx, chain.id)).flatMap(({ txId, paymentId }) =>
      paymentId !== null && gone.has(txId) ? [paymentId] : [],
    )
    const payments = await lockPayments(tx, [...new Set(ids)])
    for (const one of ended) await markGone(tx, chain.id, one)
    await recomputePayments(tx, payments)
    return payments
  })
  announce(ctx, shown)
}

/**
 * Lists the ids of transactions that wait on a blockchain, after marking those that have become deposits meanwhile. One that the
 * node lists is not marked: it has left its block, and waits again once we have left that block too.
 */
export async function waitingTransactions(
  ctx: Context,
  blockchainId: number,
  listed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  await endMined(ctx, blockchainId, listed)
  return new Set((await listWaiting(ctx, blockchainId)).map(({ txId }) => txId))
}

/** Marks what has become a deposit. Its payment waits for it no more, also where the deposit is of another one or of none. */
async function endMined(ctx: Context, blockchainId: number, listed: ReadonlySet<string>): Promise<void> {
  const mined = (await listMined(ctx, blockchainId)).filter(({ txId }) => !listed.has(txId))
  if (mined.length === 0) return
  const shown = await inTransaction(ctx, async (tx) => {
    const ids = mined.flatMap(({ paymentId }) => paymentId ?? [])
    const payments = await lockPayments(tx, [...new Set(ids)])
    await markMined(tx, blockchainId, mined)
    await recomputePayments(tx, payments)
    return payments
  })
  announce(ctx, shown)
}

function rowOf({ transfer: { txId, leg, units }, address, asset }: SightedTransfer) {
  return { txId, leg, units, addressId: address.id, assetId: asset.id }
}

/** The payment that the transfer would pay if it were mined now. */
async function paymentFor(
  tx: Context,
  { transfer, address, asset }: SightedTransfer,
  candidates: readonly Payment[],
): Promise<bigint | null> {
  const own = candidates.filter(({ customer }) => customer.id === address.customerId).filter(isPinned)
  const policy = await paymentPolicy(tx, address.projectId)
  const arrival = { asset, units: transfer.units, blockTime: tx.now(), isAccepted: true, usd: null }
  const { paymentId, reason, late, isExact } = allocate(arrival, own, policy)
  const isPlain = reason === null && !late && (isExact || transfer.units >= asset.minDepositUnits)
  return isPlain ? paymentId : null
}

function announce(ctx: Context, payments: readonly Payment[]): void {
  ctx.events.announceAll(
    ctx,
    payments.map(({ reference, project }) => ({
      name: 'payment.progress',
      projectId: project.id,
      referenceId: reference,
      data: { reference_id: reference },
    })),
  )
}
