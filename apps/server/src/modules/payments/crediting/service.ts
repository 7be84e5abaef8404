/** Crediting: transfers of blocks become deposits, count for payments, and are taken back when a chain leaves their block. */
import { type Context, inTransaction } from '../../../context.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { ownersOfFinal, type ChainPosition, ownersAbove, revertAbove } from '../../deposits/service.ts'
import { emptyBatch, saveBatch } from '../funding/payment-batch.ts'
import { lockOwners } from './lock-owners.ts'
import { ownersOf, receiveBlocks, type ReceivedBlock } from './receive-transfers.ts'
import { finalizeDeposits, recomputeAll } from './finalize-deposits.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { listConfirming, moveConfirming } from './store.ts'
import { listTips } from '../payment/store.ts'

export type { ReceivedTransfer } from './receive-transfers.ts'
export type { ReceivedBlock } from './receive-transfers.ts'

/**
 * Takes in the transfers of blocks, and settles whatever is final where the blockchain stands then. The same blocks again
 * change nothing.
 */
export async function creditBlocks(
  ctx: Context,
  { blocks, ...standing }: ChainPosition & { readonly blocks: readonly ReceivedBlock[] },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const chain = await findBlockchain(tx, standing.blockchainId)
    if (!chain) throw new Error(`There is no blockchain ${standing.blockchainId}`)
    const owners = await lockOwners(tx, chain.id, async () => [
      ...ownersOf(blocks),
      ...(await ownersOfFinal(tx, standing)),
    ])
    if (owners.length === 0) return
    const held = emptyBatch()
    await receiveBlocks(tx, chain, { blocks, held })
    await finalizeDeposits(tx, standing, { owners, held })
    await saveBatch(tx, held)
  })
}

/** Settles whatever is final where the blockchain stands. */
export function finalizeDue(ctx: Context, standing: ChainPosition): Promise<void> {
  return creditBlocks(ctx, { ...standing, blocks: [] })
}

/** Open screens hear of confirmations at most this often per blockchain. */
const PROGRESS_SECONDS = 5

/** Takes back every deposit above a height, newest block first, and makes their payments what is left. */
export async function revertDeposits(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockOwners(tx, blockchainId, () => ownersAbove(tx, { blockchainId, toHeight }))
    const reverted = await revertAbove(tx, { blockchainId, toHeight })
    if (reverted.length === 0) return
    const tips = new Map([...(await listTips(tx)), [blockchainId, toHeight]])
    const held = emptyBatch()
    await recomputeAll(tx, held, reverted, { tips, isReopened: true })
    await saveBatch(tx, held)
  })
}

/** Tells open screens that confirmations went on; nothing is delivered (money.md 2.6). */
export async function refreshConfirmations(
  ctx: Context,
  { blockchainId, tip }: { blockchainId: number; tip: number },
): Promise<void> {
  await moveConfirming(ctx, blockchainId, tip)
  const blockSeconds = findDefinition(blockchainId)?.blockSeconds ?? PROGRESS_SECONDS
  if (tip % Math.ceil(PROGRESS_SECONDS / blockSeconds) !== 0) return
  const confirming = await listConfirming(ctx, blockchainId)
  await ctx.events.announceAll(
    ctx,
    confirming.map(({ reference, projectId }) => ({
      name: 'payment.progress',
      projectId,
      referenceId: reference,
      data: { reference_id: reference },
    })),
  )
}
