import type { BlockRef, Transfer } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../context.ts'
import { acceptedAssets, adapterOf, type Asset, type BlockchainRow, findBlockchain } from '../blockchains/service.ts'
import { type Deposit, type Doubt, recordTransfer } from '../deposits/service.ts'
import { currentPrice } from '../prices/service.ts'
import { type PaymentPolicy, paymentPolicy } from '../projects/service.ts'
import { type AddressRow, addressesByKeys } from '../wallets/service.ts'
import { depthFor, isKept, type Match, matchPayment, usdAtSeen } from './deposit-rules.ts'
import { isAsking, recomputePayment } from './recompute-payment.ts'
import { listTips, lockAskingPayments, lockPayment } from './read-store.ts'
import { lockCustomer } from './store.ts'
import { tellEvent, type Tips } from './tell-event.ts'

/** A transfer to an address of a customer, of an asset that can be credited. */
export type ReceivedTransfer = {
  readonly transfer: Transfer
  readonly address: AddressRow
  readonly asset: Asset
  /** A second source must agree before it is final (money.md 2.8). */
  readonly quorumRequired?: boolean
  readonly doubt?: Doubt | null
}

export type ReceivedBlock = {
  readonly blockchainId: number
  readonly block: BlockRef
  readonly transfers: readonly ReceivedTransfer[]
}

type Owned = ReceivedTransfer & { readonly customerId: number; readonly projectId: number }

/**
 * Takes in the transfers of one block: each becomes a deposit, once, taken to be for the payment it fits best. Nothing
 * here refuses money: what fits no payment waits for a person.
 */
export async function receiveTransfers(ctx: Context, { blockchainId, block, transfers }: ReceivedBlock): Promise<void> {
  const owned = transfers.flatMap(withOwner).toSorted((a, b) => a.customerId - b.customerId)
  if (owned.length === 0) return
  await inTransaction(ctx, async (tx) => {
    const chain = await findBlockchain(tx, blockchainId)
    if (!chain) throw new Error(`There is no blockchain ${blockchainId}`)
    const tips = new Map([...(await listTips(tx)), [blockchainId, block.height]])
    const ours = await ownSenders(tx, chain, owned)
    for (const customerId of new Set(owned.map((one) => one.customerId))) await lockCustomer(tx, customerId)
    const known = knowledge(tx, block.minedAt)
    for (const received of owned) {
      await receive(tx, received, { chain, tips, known, isOwn: ours.has(received.transfer.from ?? '') })
    }
  })
}

type Circumstances = {
  readonly chain: BlockchainRow
  readonly tips: Tips
  readonly known: Knowledge
  /** It came from an address of ours: money that moves about, not money that comes (W-6). */
  readonly isOwn: boolean
}

async function receive(ctx: Context, received: Owned, { chain, tips, known, isOwn }: Circumstances): Promise<void> {
  const { asset, transfer, projectId, quorumRequired = false, doubt = null } = received
  const policy = await known.policy.of(projectId)
  const worth = usdAtSeen(transfer.units, await known.price.of(asset), asset.decimals)
  const match = await matchOf(received, known, policy, worth?.usd ?? null)
  const isDust = transfer.units < asset.minDepositUnits && !match.isExact
  const ignored = isOwn ? 'own' : isDust ? 'below_minimum' : null
  const recorded = await recordTransfer(ctx, {
    blockchainId: chain.id,
    transfer,
    address: { id: received.address.id, customerId: received.customerId, projectId },
    usdAtSeen: worth?.text ?? null,
    ...depthFor(
      worth?.usd ?? null,
      {
        minConfirmations: chain.minConfirmations,
        confirmations: confirmationsIn(ctx.config.network, chain.definition),
      },
      policy.confirmationRules.filter(({ blockchainCode }) => blockchainCode === chain.code),
    ),
    paymentId: ignored ? null : match.paymentId,
    countedUnits: null,
    reason: ignored ?? match.reason,
    late: !ignored && match.late,
    quorumRequired,
    doubt,
  })
  if (recorded && (await showOnPayment(ctx, recorded, tips))) known.asking.forget(received)
}

async function matchOf(received: Owned, known: Knowledge, policy: PaymentPolicy, usd: bigint | null): Promise<Match> {
  const { asset, transfer, projectId } = received
  const payments = await known.asking.of(received)
  const isAccepted = (await known.accepted.of(projectId)).some(({ id }) => id === asset.id)
  return matchPayment(
    { asset, units: transfer.units, blockTime: transfer.block.minedAt, isAccepted, usd },
    payments,
    policy,
  )
}

/**
 * What the transfers of one block have in common is asked for once: anybody can send a thousand tiny ones at little cost.
 * Payments of a customer are asked for again after one of them got money; all are locked until the transaction ends.
 */
function knowledge(ctx: Context, blockTime: Date) {
  const policy = once((projectId: number) => paymentPolicy(ctx, projectId))
  return {
    policy,
    price: once(
      async (asset: Asset) => (await currentPrice(ctx, asset))?.price ?? null,
      ({ id }) => id,
    ),
    accepted: once((projectId: number) => acceptedAssets(ctx, projectId)),
    asking: once(
      async ({ customerId, projectId }: Owned) => {
        const graceMs = (await policy.of(projectId)).lateGraceHours * 3_600_000
        const payments = await lockAskingPayments(ctx, customerId, new Date(blockTime.getTime() - graceMs))
        return payments.filter(isAsking)
      },
      ({ customerId }) => customerId,
    ),
  }
}

type Knowledge = ReturnType<typeof knowledge>

/** The payer's page shows the money at once; the status waits until it is final. False when it is for no payment. */
async function showOnPayment(
  ctx: Context,
  { deposit, isNew }: { deposit: Deposit; isNew: boolean },
  tips: Tips,
): Promise<boolean> {
  const payment = deposit.paymentId === null ? undefined : await lockPayment(ctx, deposit.paymentId)
  if (!payment) return false
  const after = await recomputePayment(ctx, payment, { tips })
  if (isNew && !isKept(deposit.reason)) await tellEvent(ctx, after, 'payment.detected', { tips })
  return true
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

/** Asks once per key, until it is told to forget. */
function once<Ask, Answer>(load: (ask: Ask) => Promise<Answer>, keyOf: (ask: Ask) => unknown = (ask) => ask) {
  const known = new Map<unknown, Promise<Answer>>()
  return {
    of: (ask: Ask): Promise<Answer> => {
      const answer = known.get(keyOf(ask)) ?? load(ask)
      known.set(keyOf(ask), answer)
      return answer
    },
    forget: (ask: Ask): void => void known.delete(keyOf(ask)),
  }
}

function withOwner(received: ReceivedTransfer): Owned[] {
  const { customerId, projectId } = received.address
  return customerId === null || projectId === null ? [] : [{ ...received, customerId, projectId }]
}
