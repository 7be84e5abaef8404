import type { BlockRef, Transfer } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../../blockchains/chains/service.ts'
import {
  type Deposit,
  type QuarantineReason,
  identityOf,
  type Known,
  knownTransfers,
  type NewDeposit,
  recordTransfers,
} from '../../deposits/service.ts'
import { type AddressRow, addressesByKeys } from '../../wallets/service.ts'
import { countedUnits, isPinned, isUnapplied, usdAtSeen } from '../funding/deposit-rules.ts'
import { depthFor } from './finality-rules.ts'
import { allocate } from './allocation-rules.ts'
import {
  heldPayment,
  type PaymentBatch,
  loadInto,
  recomputeBatch,
  replaceDeposits,
  emitBatch,
} from '../funding/payment-batch.ts'
import { listTips } from '../payment/store.ts'
import { lockAskingPayments } from './store.ts'
import { type CreditingContext, creditingContextOf } from './crediting-context.ts'
import type { Tips } from '../funding/payment-events.ts'

/** A transfer to an address of a customer, of an asset that can be credited. */
export type ReceivedTransfer = {
  readonly transfer: Transfer
  readonly address: AddressRow
  readonly asset: Asset
  /** A second source must agree before it is final (money.md 2.8). */
  readonly quorumRequired?: boolean
  readonly doubt?: QuarantineReason | null
}

export type ReceivedBlock = { readonly block: BlockRef; readonly transfers: readonly ReceivedTransfer[] }

type Owned = ReceivedTransfer & { readonly customerId: number; readonly projectId: number }

const HOUR_MS = 3_600_000

/** The customers to whom transfers of these blocks came. */
export function ownersOf(blocks: readonly ReceivedBlock[]): number[] {
  return blocks.flatMap(({ transfers }) => transfers.flatMap(({ address }) => address.customerId ?? []))
}

/**
 * Takes in the transfers of blocks: each becomes a deposit, once, taken to be for the payment it fits best. Nothing here
 * refuses money: what fits no payment waits for a person. What becomes of the payments is held, not written. The caller holds
 * the locks of the blockchain and of `ownersOf`.
 */
export async function receiveBlocks(
  ctx: Context,
  chain: BlockchainRow,
  { blocks, held }: { blocks: readonly ReceivedBlock[]; held: PaymentBatch },
): Promise<void> {
  const owned = blocks.flatMap(({ transfers }) => inOrder(transfers))
  if (owned.length === 0) return
  const known = await knownTransfers(
    ctx,
    chain.id,
    owned.map(({ transfer }) => transfer),
  )
  const unknown = onlyNew(owned, known)
  if (unknown.length === 0) return
  const tips = await listTips(ctx)
  const ours = await ownSenders(ctx, chain, unknown)
  const around = await creditingContextOf(ctx, unknown)
  const asking = await lockAskingPayments(
    ctx,
    [...new Set(unknown.map(({ customerId }) => customerId))],
    oldest(unknown, around),
  )
  await loadInto(ctx, held, asking.filter(isPinned))
  for (const { asset } of unknown) held.assets.set(asset.id, asset)
  const circumstances = { chain, around, byCustomer: byCustomer(held) }
  const deposits = unknown.map((received) => {
    const isOwn = ours.has(received.transfer.from ?? '')
    const deposit = decide(ctx, received, held, { ...circumstances, isOwn })
    showOnPayment(ctx, held, deposit, { known, tips: withTip(tips, chain.id, received.transfer.block.height) })
    return deposit
  })
  const recorded = await record(ctx, deposits, known)
  const isHere = (before: Deposit) => before.blockchainId === chain.id && before.status === 'seen'
  replaceDeposits(held, recorded, (before, now) => isHere(before) && identityOf(before) === identityOf(now))
}

type Circumstances = {
  readonly chain: BlockchainRow
  readonly around: CreditingContext
  /** Ids of the held payments of each customer. */
  readonly byCustomer: ReadonlyMap<number, readonly bigint[]>
  /** It came from an address of ours: money that moves about, not money that comes (W-6). */
  readonly isOwn: boolean
}

/** What the transfer is for, what it counts for, and when it will be final. */
function decide(ctx: Context, received: Owned, held: PaymentBatch, circumstances: Circumstances): NewDeposit {
  const { asset, transfer, projectId, quorumRequired = false, doubt = null } = received
  const { chain, around, isOwn } = circumstances
  const policy = around.policyOf(projectId)
  const worth = usdAtSeen(transfer.units, around.priceOf(asset, transfer.block), asset.decimals)
  const payments = (circumstances.byCustomer.get(received.customerId) ?? [])
    .map((id) => heldPayment(held, id).now)
    .filter(isPinned)
    .filter(({ status }) => status !== 'FILLED' && status !== 'OVER_FILLED')
  const isAccepted = around.isAccepted(projectId, asset)
  const arrival = {
    asset,
    units: transfer.units,
    blockTime: transfer.block.minedAt,
    isAccepted,
    usd: worth?.usd ?? null,
  }
  const match = allocate(arrival, payments, policy)
  const isDust = transfer.units < asset.minDepositUnits && !match.isExact
  const ignored = isOwn ? 'own' : isDust ? 'below_minimum' : null
  const meant = {
    usdAtSeen: worth?.text ?? null,
    paymentId: ignored ? null : match.paymentId,
    reason: ignored ?? match.reason,
    late: !ignored && match.late,
  }
  const terms = payments.find(({ id }) => id === meant.paymentId)?.terms
  return {
    blockchainId: chain.id,
    transfer,
    address: { id: received.address.id, customerId: received.customerId, projectId },
    ...depthFor(
      worth?.usd ?? null,
      {
        minConfirmations: chain.minConfirmations,
        confirmations: confirmationsIn(ctx.config.network, chain.definition),
      },
      policy.confirmationRules.filter(({ blockchainCode }) => blockchainCode === chain.code),
    ),
    ...meant,
    countedUnits:
      terms && !isUnapplied(meant.reason) ? countedUnits({ ...meant, units: transfer.units }, asset, terms) : null,
    quorumRequired,
    doubt,
  }
}

/** The payer's page shows the money at once; the status waits until it is final. */
function showOnPayment(
  ctx: Context,
  held: PaymentBatch,
  deposit: NewDeposit,
  { known, tips }: { known: Known; tips: Tips },
): void {
  const { paymentId, transfer, reason } = deposit
  const before = known.takenBack.get(identityOf(transfer))
  const former = before && before.paymentId !== null ? held.payments.get(before.paymentId) : undefined
  if (former) former.deposits = former.deposits.filter(({ id }) => id !== before?.id)
  if (paymentId === null) return
  const one = heldPayment(held, paymentId)
  one.deposits = [...one.deposits, seenDeposit(ctx, deposit, before)].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  recomputeBatch(ctx, held, paymentId, { tips })
  if (!before && !isUnapplied(reason)) emitBatch(ctx, held, paymentId, { type: 'payment.detected', tips })
}

/** Behind every deposit that has a number: the database has not given one yet. */
const UNNUMBERED = 2n ** 63n

/** The deposit as it will stand in the database, to compute with before it does. */
function seenDeposit(
  ctx: Context,
  { transfer, address, ...decided }: NewDeposit,
  before: Deposit | undefined,
): Deposit {
  const { assetId, txId, leg, kind, evidence, from, to, units, block } = transfer
  return {
    id: before?.id ?? UNNUMBERED,
    ...{ assetId, txId, leg, kind, evidence, from, to, units },
    ...{ height: block.height, blockHash: block.hash, blockTime: block.minedAt },
    addressId: address.id,
    customerId: address.customerId ?? 0,
    projectId: address.projectId ?? 0,
    status: 'seen',
    round: (before?.round ?? 0) + 1,
    quorum: 0,
    waitsBecause: null,
    seenAt: ctx.now(),
    finalAt: null,
    revertedAt: null,
    ...decided,
    quorumRequired: decided.quorumRequired ?? false,
    doubt: decided.doubt ?? null,
  }
}

/** @throws Error when somebody recorded one of them meanwhile: the locks were not held, nothing of this may stand */
async function record(ctx: Context, deposits: readonly NewDeposit[], known: Known): Promise<Deposit[]> {
  const recorded = await recordTransfers(ctx, deposits)
  return deposits.map(({ transfer }, at) => {
    const one = recorded[at]
    if (!one || one.isNew === known.takenBack.has(identityOf(transfer))) {
      throw new Error(`The transfer ${identityOf(transfer)} was recorded by somebody else at the same time`)
    }
    return one.deposit
  })
}

/** By customer, within the block. */
function inOrder(transfers: readonly ReceivedTransfer[]): Owned[] {
  return transfers
    .flatMap((received): Owned[] => {
      const { customerId, projectId } = received.address
      return customerId === null || projectId === null ? [] : [{ ...received, customerId, projectId }]
    })
    .toSorted((a, b) => a.customerId - b.customerId)
}

/** Those the database does not hold alive, each the first time it is told. */
function onlyNew(owned: readonly Owned[], { alive }: Known): Owned[] {
  const told = new Set(alive)
  return owned.filter(({ transfer }) => {
    const identity = identityOf(transfer)
    const isTold = told.has(identity)
    told.add(identity)
    return !isTold
  })
}

/** Payments that ended before it get no money of these transfers, late or not. */
function oldest(owned: readonly Owned[], around: CreditingContext): Date {
  const ends = owned.map(
    ({ projectId, transfer }) => transfer.block.minedAt.getTime() - around.policyOf(projectId).lateGraceHours * HOUR_MS,
  )
  return new Date(ends.reduce((least, end) => Math.min(least, end), Number.POSITIVE_INFINITY))
}

function byCustomer({ payments }: PaymentBatch): ReadonlyMap<number, readonly bigint[]> {
  const groups = Map.groupBy(payments, ([, { found }]) => found.customer.id)
  return new Map([...groups].map(([customerId, held]) => [customerId, held.map(([id]) => id)]))
}

function withTip(tips: Tips, blockchainId: number, height: number): Tips {
  return new Map([...tips, [blockchainId, height]])
}

/** The senders that are addresses of ours. */
async function ownSenders(ctx: Context, chain: BlockchainRow, received: readonly Owned[]): Promise<Set<string>> {
  const { family } = chain.definition
  const codec = adapterOf(family)?.addresses
  if (!codec) return new Set()
  const facts = chainIn(ctx.config.network, chain.definition)
  const senders = received.flatMap(({ transfer }) => (transfer.from === null ? [] : [transfer.from]))
  const keys = new Map(senders.map((sender) => [Buffer.from(codec.key(facts, sender)).toString('hex'), sender]))
  const wanted = [...keys.keys()].map((key) => Buffer.from(key, 'hex'))
  const rows = await addressesByKeys(ctx, findFamily(family)?.id ?? 0, wanted)
  return new Set(rows.flatMap(({ key }) => keys.get(key.toString('hex')) ?? []))
}
