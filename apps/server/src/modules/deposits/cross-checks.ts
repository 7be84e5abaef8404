/** Cross-checks of high-value deposits: they are not final without one (money.md 2.8). */
import { type Context, inTransaction } from '../../context.ts'
import {
  type CrossCheck,
  type Unproven,
  listWithoutCrossCheck,
  sumInBlock,
  updateCrossCheck,
  upsertCrossCheck,
} from './cross-check-store.ts'

/** Lists deposits that only lack a cross-check to be final; those to check first come first. */
export function depositsWithoutCrossCheck(
  ctx: Context,
  at: { blockchainId: number; tip: number; finalized: number; limit: number },
): Promise<Unproven[]> {
  return listWithoutCrossCheck(ctx, at)
}

/** The recorded units of an asset that the block of a deposit brought to its address, including the deposit. */
export function broughtInBlock(
  ctx: Context,
  blockchainId: number,
  deposit: Pick<Unproven, 'assetId' | 'to' | 'blockHash'>,
): Promise<bigint> {
  return sumInBlock(ctx, blockchainId, deposit)
}

/**
 * Records the result of a cross-check: the deposit can become final, or gets a quarantine reason, or states why it
 * waits. False when the deposit does not wait any more.
 */
export async function recordCrossCheck(ctx: Context, check: CrossCheck): Promise<boolean> {
  const { nodeId, verdict } = check
  return inTransaction(ctx, async (tx) => {
    if (!(await updateCrossCheck(tx, check))) return false
    if (nodeId !== null && verdict !== 'alone') await upsertCrossCheck(tx, { ...check, nodeId })
    return true
  })
}
