/** The word of a second source on deposits of weight, without which they are not final (money.md 2.8). */
import { type Context, inTransaction } from '../../context.ts'
import {
  type CrossCheck,
  type Unproven,
  listWithoutOpinion,
  sumInBlock,
  updateOpinion,
  upsertNodeOpinion,
} from './cross-check-store.ts'

/** Lists deposits that would be final if a second source had spoken for them; those to ask about first come first. */
export function depositsWithoutCrossCheck(
  ctx: Context,
  at: { blockchainId: number; tip: number; finalized: number; limit: number },
): Promise<Unproven[]> {
  return listWithoutOpinion(ctx, at)
}

/** What is recorded of an asset that came to the address of a deposit in its block, the deposit included. */
export function broughtInBlock(
  ctx: Context,
  blockchainId: number,
  deposit: Pick<Unproven, 'assetId' | 'to' | 'blockHash'>,
): Promise<bigint> {
  return sumInBlock(ctx, blockchainId, deposit)
}

/**
 * Records what a second source said: from now on the deposit can become final, or is in doubt, or says why it waits.
 * False when the deposit does not wait any more.
 */
export async function recordCrossCheck(ctx: Context, opinion: CrossCheck): Promise<boolean> {
  const { nodeId, verdict } = opinion
  return inTransaction(ctx, async (tx) => {
    if (!(await updateOpinion(tx, opinion))) return false
    if (nodeId !== null && verdict !== 'alone') await upsertNodeOpinion(tx, { ...opinion, nodeId })
    return true
  })
}
