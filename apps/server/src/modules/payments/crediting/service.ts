/** Crediting: transfers of blocks become deposits, count for payments, and are reverted when a chain leaves their block. */
import { type Context, inTransaction } from '../../../context.ts'
import { type ChainPosition, isAbove, isFinal, revertAbove } from '../../deposits/service.ts'
import { emptyBatch, saveBatch } from '../funding/payment-batch.ts'
import { lockOwners } from './lock-owners.ts'
import { isDeepEnough } from './finality-rules.ts'
import { ownersOf, receiveBlocks, type ReceivedBlock } from './receive-transfers.ts'
import { finalizeDeposits, recomputeAll } from './finalize-deposits.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { listConfirming, moveConfirming } from './store.ts'

export type { ReceivedTransfer } from './receive-transfers.ts'
export { endSightings, type SightedTransfer, recordSightings, waitingTransactions } from './record-sightings.ts'
export type { ReceivedBlock } from './receive-transfers.ts'

/**
 * Takes the locks of `creditBlocks` early, for a caller that changes deposits of these customers first. Without it the caller
 * would hold a deposit and wait for its customer, while another transaction holds the customer and waits for the deposit.
 */
export async function lockForCrediting(
  tx: Context,
  { blocks, ...position }: ChainPosition & { readonly blocks: readonly ReceivedBlock[] },
): Promise<void> {
  await lockOwners(tx, position.blockchainId, { receivers: ownersOf(blocks), moving: isFinal(position) })
}

/**
 * Credits the transfers of blocks and finalizes every deposit that is final at this chain position. Crediting the same
 * blocks again changes nothing.
 */
export async function creditBlocks(
  ctx: Context,
  { blocks, ...position }: ChainPosition & { readonly blocks: readonly ReceivedBlock[] },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const chain = findBlockchain(position.blockchainId)
    if (!chain) throw new Error(`There is no blockchain ${position.blockchainId}`)
    const { owners, isMoving } = await lockOwners(tx, chain.id, {
      receivers: ownersOf(blocks),
      moving: isFinal(position),
    })
    if (owners.length === 0) return
    const batch = emptyBatch()
    const received = await receiveBlocks(tx, chain, { blocks, batch })
    const isDue = isMoving || received.some((deposit) => isDeepEnough(deposit, position))
    if (isDue) await finalizeDeposits(tx, position, { owners, batch })
    await saveBatch(tx, batch)
  })
}

/** Open screens are notified of confirmations at most this often per blockchain. */
const PROGRESS_SECONDS = 5

/** Reverts every deposit above a height, newest block first, and recomputes their payments. */
export async function revertDeposits(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockOwners(tx, blockchainId, { receivers: [], moving: isAbove(blockchainId, toHeight) })
    const reverted = await revertAbove(tx, { blockchainId, toHeight })
    if (reverted.length === 0) return
    const batch = emptyBatch()
    await recomputeAll(tx, batch, reverted, { blockchainId, tip: toHeight, isReopened: true })
    await saveBatch(tx, batch)
  })
}

/** Notifies open screens of further confirmations; webhooks are not sent for them (money.md 2.6). */
export async function refreshConfirmations(
  ctx: Context,
  { blockchainId, tip }: { blockchainId: number; tip: number },
): Promise<void> {
  await moveConfirming(ctx, blockchainId, tip)
  const blockSeconds = findBlockchain(blockchainId)?.blockSeconds ?? PROGRESS_SECONDS
  if (tip % Math.ceil(PROGRESS_SECONDS / blockSeconds) !== 0) return
  const confirming = await listConfirming(ctx, blockchainId)
  ctx.events.announceAll(
    ctx,
    confirming.map(({ reference, projectId }) => ({
      name: 'payment.progress',
      projectId,
      referenceId: reference,
      data: { reference_id: reference },
    })),
  )
}
