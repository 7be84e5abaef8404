import type { DepositReason, QuarantineReason } from '@kassa/contract/deposits/reasons.ts'
import type { BlockRef, Transfer } from '@kassa/chains/adapter.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'
import type { Context } from '../../../context.ts'
import { adapterOf, type Asset } from '../../blockchains/chains/service.ts'
import {
  type Deposit,
  identityOf,
  type Known,
  knownTransfers,
  type NewDeposit,
  recordTransfers,
} from '../../deposits/service.ts'
import type { AddressRow } from '../../wallets/service.ts'
import { countedUnits, isPinned, isUnapplied, usdAtSeen } from '../funding/deposit-rules.ts'
import { depthFor } from './finality-rules.ts'
import { allocate } from './allocation-rules.ts'
import {
  paymentIn,
  type PaymentBatch,
  loadInto,
  recomputeBatch,
  replaceDeposits,
  emitBatch,
  tipsOf,
} from '../funding/payment-batch.ts'
import { listFirstSeen } from '../sightings/store.ts'
import { lockCandidatePayments } from './store.ts'
import { blockedSenders } from './blocked-senders.ts'
import { type CreditingContext, creditingContextOf } from './crediting-context.ts'
import type { Tips } from '../funding/payment-events.ts'

/** A transfer to an address of a customer, of an asset that can be credited. */
export type ReceivedTransfer = {
  readonly transfer: Transfer
  readonly address: AddressRow
  readonly asset: Asset
  /** A node of another operator must confirm it before it is final, because its value is high (money.md 2.8). */
  readonly quorumRequired?: boolean
  readonly quarantineReason?: QuarantineReason | null
}

export type ReceivedBlock = { readonly block: BlockRef; readonly transfers: readonly ReceivedTransfer[] }

type Owned = ReceivedTransfer & { readonly customerId: number; readonly projectId: number }

const HOUR_MS = 3_600_000

/** The customers to whom transfers of these blocks came. */
export function ownersOf(blocks: readonly ReceivedBlock[]): number[] {
  return blocks.flatMap(({ transfers }) => transfers.flatMap(({ address }) => address.customerId ?? []))
}

/**
 * Credits the transfers of blocks: each becomes one deposit, allocated to the payment it fits best. No transfer is
 * refused: one that fits no payment waits for an operator. Returns the new deposits. Payments change in the batch, which
 * the caller saves. The caller has locked the blockchain and `ownersOf`.
 */
export async function receiveBlocks(
  ctx: Context,
  chain: Blockchain,
  { blocks, batch }: { blocks: readonly ReceivedBlock[]; batch: PaymentBatch },
): Promise<readonly Deposit[]> {
  const owned = blocks.flatMap(({ transfers }) => inOrder(transfers))
  if (owned.length === 0) return []
  const known = await knownTransfers(
    ctx,
    chain.id,
    owned.map(({ transfer }) => transfer),
  )
  const unknown = onlyNew(owned, known)
  if (unknown.length === 0) return []
  const around = await creditingContextOf(ctx, unknown)
  const candidates = await lockCandidatePayments(ctx, {
    customerIds: [...new Set(unknown.map(({ customerId }) => customerId))],
    endedAfter: oldest(unknown, around),
    formerIds: [...known.revertedHere.values(), ...[...known.revertedElsewhere.values()].flat()].flatMap(
      (one) => one.paymentId ?? [],
    ),
  })
  for (const { projectId } of unknown) batch.policies.set(projectId, around.policyOf(projectId))
  await loadInto(ctx, batch, candidates.filter(isPinned))
  const tips = await tipsOf(ctx, batch, { blockchainId: chain.id, tip: 0 })
  for (const { asset } of unknown) batch.assets.set(asset.id, asset)
  const circumstances = {
    chain,
    around,
    byCustomer: byCustomer(batch),
    firstSeen: await firstSeenOf(ctx, chain, unknown),
    isBlocked: await blockedSenders(ctx, chain, unknown),
  }
  const deposits = unknown.map((received) => {
    const deposit = decide(ctx, received, batch, circumstances)
    showOnPayment(ctx, batch, deposit, { known, tips: withTip(tips, chain.id, received.transfer.block.height) })
    return deposit
  })
  const recorded = await record(ctx, deposits, known)
  const isHere = (before: Deposit) => before.blockchainId === chain.id && before.status === 'seen'
  replaceDeposits(batch, recorded, (before, now) => isHere(before) && identityOf(before) === identityOf(now))
  return recorded
}

type Circumstances = {
  readonly chain: Blockchain
  readonly around: CreditingContext
  /** Ids of each customer's payments in the batch. */
  readonly byCustomer: ReadonlyMap<number, readonly bigint[]>
  /** When each transaction was first seen, before a block held it. */
  readonly firstSeen: ReadonlyMap<string, Date>
  readonly isBlocked: (received: Owned) => boolean
}

/** Decides which payment the transfer pays, what it counts for, and when it will be final. */
function decide(ctx: Context, received: Owned, batch: PaymentBatch, circumstances: Circumstances): NewDeposit {
  const { asset, transfer, projectId, quorumRequired = false } = received
  const { chain, around, firstSeen, isBlocked } = circumstances
  const quarantineReason = received.quarantineReason ?? (isBlocked(received) ? 'SENDER_BLOCKED' : null)
  const policy = around.policyOf(projectId)
  const value = usdAtSeen(transfer.units, around.priceOf(asset, transfer.block), asset.decimals)
  const payments = (circumstances.byCustomer.get(received.customerId) ?? [])
    .map((id) => paymentIn(batch, id).now)
    .filter(isPinned)
    .filter(({ status }) => status !== 'FILLED' && status !== 'OVER_FILLED')
  const isAccepted = around.isAccepted(projectId, asset)
  const arrival = {
    asset,
    units: transfer.units,
    ...timesOf(transfer.block.minedAt, firstSeen.get(transfer.txId)),
    isAccepted,
    usd: value?.usd ?? null,
  }
  const allocation = allocate(arrival, payments, policy)
  const isDust = transfer.units < asset.minDepositUnits && !allocation.isExact
  const reason: DepositReason | null = isDust ? 'below_minimum' : allocation.reason
  const meant = {
    usdAtSeen: value?.text ?? null,
    paymentId: isDust ? null : allocation.paymentId,
    reason,
    late: !isDust && allocation.late,
  }
  const quote = payments.find(({ id }) => id === meant.paymentId)?.quote
  const counted =
    quote && !isUnapplied(meant.reason) ? countedUnits({ ...meant, units: transfer.units }, asset, quote) : null
  return {
    blockchainId: chain.id,
    transfer,
    address: { id: received.address.id, customerId: received.customerId, projectId },
    ...depthFor(
      value?.usd ?? null,
      {
        minConfirmations: Math.max(asset.minConfirmations, transfer.minConfirmations ?? 0),
        confirmations: confirmationsIn(ctx.config.network, chain),
      },
      policy.confirmationRules.filter(({ blockchainCode }) => blockchainCode === chain.code),
    ),
    ...meant,
    countedUnits: counted,
    countedUsd:
      quote && counted !== null
        ? usdForUnits({ units: counted, price: quote.price, decimals: quote.asset.decimals, rounding: 'half-even' })
        : null,
    quorumRequired,
    quarantineReason,
  }
}

/**
 * When each transaction was first seen: a payer whose transaction was seen in time is on time, however long the next block
 * takes (P-3).
 */
async function firstSeenOf(
  ctx: Context,
  chain: Blockchain,
  owned: readonly Owned[],
): Promise<ReadonlyMap<string, Date>> {
  if (!adapterOf(chain.family)?.mempool) return new Map()
  return listFirstSeen(
    ctx,
    chain.id,
    owned.map(({ transfer }) => transfer.txId),
  )
}

/**
 * A sighting holds the rate as long as a first deposit does (P-4). A transaction that waits longer gets the rate of its block,
 * because its payer could raise its fee or replace it and so choose between two rates.
 */
const SIGHT_HOLDS_RATE_MS = HOUR_MS

function timesOf(minedAt: Date, seenAt: Date | undefined): { readonly blockTime: Date; readonly rateTime: Date } {
  const blockTime = seenAt && seenAt < minedAt ? seenAt : minedAt
  const hasWaited = minedAt.getTime() - blockTime.getTime() > SIGHT_HOLDS_RATE_MS
  return { blockTime, rateTime: hasWaited ? minedAt : blockTime }
}

/** Shows the deposit on its payment at once; the payment's status changes only when it is final. */
function showOnPayment(
  ctx: Context,
  batch: PaymentBatch,
  deposit: NewDeposit,
  { known, tips }: { known: Known; tips: Tips },
): void {
  const { paymentId, transfer, reason } = deposit
  const before = known.revertedHere.get(identityOf(transfer))
  const lost = [...(before ? [before] : []), ...(known.revertedElsewhere.get(identityOf(transfer)) ?? [])]
  for (const { id, paymentId: formerId } of lost) {
    const former = formerId === null ? undefined : batch.payments.get(formerId)
    if (!former) continue
    former.deposits = former.deposits.filter((one) => one.id !== id)
    if (former.now.id !== paymentId) recomputeBatch(ctx, batch, former.now.id, { tips })
  }
  if (paymentId === null) return
  const one = paymentIn(batch, paymentId)
  one.sighted.delete(identityOf(transfer))
  one.deposits = [...one.deposits, seenDeposit(ctx, deposit, before)].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  recomputeBatch(ctx, batch, paymentId, { tips })
  const isNewHere = before?.paymentId !== paymentId
  if (isNewHere && !isUnapplied(reason)) emitBatch(ctx, batch, paymentId, { type: 'payment.detected', tips })
}

/** The id of a deposit that is not stored yet: it sorts after every stored one. */
const UNNUMBERED = 2n ** 63n

/** The deposit as it will be stored, for computing with it before the database has it. */
function seenDeposit(
  ctx: Context,
  { transfer, address, ...decided }: NewDeposit,
  before: Deposit | undefined,
): Deposit {
  const { assetId, txId, leg, kind, evidence, senders, to, units, block } = transfer
  return {
    id: before?.id ?? UNNUMBERED,
    ...{ assetId, txId, leg, kind, evidence, from: senders[0] ?? null, to, units },
    ...{ height: block.height, blockHash: block.hash, blockTime: block.minedAt },
    addressId: address.id,
    customerId: address.customerId ?? 0,
    projectId: address.projectId ?? 0,
    status: 'seen',
    revision: (before?.revision ?? 0) + 1,
    quorum: 0,
    waits: null,
    seenAt: ctx.now(),
    finalAt: null,
    revertedAt: null,
    ...decided,
    quorumRequired: decided.quorumRequired ?? false,
    quarantineReason: decided.quarantineReason ?? null,
  }
}

/** @throws Error when another transaction recorded one of them meanwhile: the locks were missing, so everything rolls back */
async function record(ctx: Context, deposits: readonly NewDeposit[], known: Known): Promise<Deposit[]> {
  const recorded = await recordTransfers(ctx, deposits)
  return deposits.map(({ transfer }, at) => {
    const one = recorded[at]
    if (!one || one.isNew === known.revertedHere.has(identityOf(transfer))) {
      throw new Error(`The transfer ${identityOf(transfer)} was recorded by another transaction at the same time`)
    }
    return one.deposit
  })
}

/** Sorted by customer, within the block. */
function inOrder(transfers: readonly ReceivedTransfer[]): Owned[] {
  return transfers
    .flatMap((received): Owned[] => {
      const { customerId, projectId } = received.address
      return customerId === null || projectId === null ? [] : [{ ...received, customerId, projectId }]
    })
    .toSorted((a, b) => a.customerId - b.customerId)
}

/** The transfers without a live deposit, each once. */
function onlyNew(owned: readonly Owned[], { alive }: Known): Owned[] {
  const known = new Set(alive)
  return owned.filter(({ transfer }) => {
    const identity = identityOf(transfer)
    const isKnown = known.has(identity)
    known.add(identity)
    return !isKnown
  })
}

/** Payments that ended before this time receive none of these transfers, late or not. */
function oldest(owned: readonly Owned[], around: CreditingContext): Date {
  const ends = owned.map(
    ({ projectId, transfer }) => transfer.block.minedAt.getTime() - around.policyOf(projectId).lateGraceHours * HOUR_MS,
  )
  return new Date(ends.reduce((least, end) => Math.min(least, end), Number.POSITIVE_INFINITY))
}

function byCustomer({ payments }: PaymentBatch): ReadonlyMap<number, readonly bigint[]> {
  const groups = Map.groupBy(payments, ([, { found }]) => found.customer.id)
  return new Map([...groups].map(([customerId, batch]) => [customerId, batch.map(([id]) => id)]))
}

function withTip(tips: Tips, blockchainId: number, height: number): Tips {
  return new Map([...tips, [blockchainId, height]])
}
