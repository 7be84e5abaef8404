import type { Context } from '../../../context.ts'
import type { ChainPosition } from '../../deposits/service.ts'
import {
  finalizeMovements,
  lockForMovements,
  lockForReverting,
  type ObservedMove,
  recordMovements,
  revertMovements,
} from '../../movements/service.ts'
import { creditBlocks, lockForCrediting, type ReceivedBlock, revertDeposits } from '../../payments/crediting/service.ts'
import { adoptSweeps, noteForeignSweeps, settleSweeps, unsettleSweeps } from '../../sweeps/settlement/service.ts'

/**
 * Credits what blocks brought, records what they moved, and finalizes what is final at this position: deposits before the
 * movements that may have spent them. Repeating it changes nothing. Returns how many movements are new.
 */
export async function settle(
  tx: Context,
  {
    blocks,
    moves,
    ...position
  }: ChainPosition & {
    readonly blocks: readonly ReceivedBlock[]
    readonly moves: readonly ObservedMove[]
  },
): Promise<number> {
  const { recorded, isDue } = await recordMovements(tx, { ...position, moves })
  await creditBlocks(tx, { ...position, blocks })
  if (recorded > 0) await adoptSweeps(tx, position.blockchainId)
  if (isDue) {
    const final = await finalizeMovements(tx, position, settleSweeps)
    await noteForeignSweeps(
      tx,
      final.filter(({ kind }) => kind === 'foreign-sweep'),
    )
  }
  return recorded
}

/**
 * Takes the locks of `settle` early, for a caller that changes deposits first: like `lockForCrediting`, it avoids waiting for a
 * wallet or a customer while holding a deposit.
 */
export async function lockForSettling(
  tx: Context,
  { moves, ...credited }: Parameters<typeof settle>[1],
): Promise<void> {
  await lockForMovements(tx, { ...credited, moves })
  await lockForCrediting(tx, credited)
}

/** Finalizes what is final at this position. */
export async function settleDue(tx: Context, position: ChainPosition): Promise<void> {
  await settle(tx, { ...position, blocks: [], moves: [] })
}

/**
 * Reverts what happened above a height, newest first: settled sweeps, and sweeps that wait for money that disappears; then
 * movements; then the deposits that they may have spent (money.md 2.3).
 */
export async function unsettle(
  tx: Context,
  above: { readonly blockchainId: number; readonly toHeight: number },
): Promise<void> {
  await lockForReverting(tx, above)
  await unsettleSweeps(tx, above)
  await revertMovements(tx, above)
  await revertDeposits(tx, above)
}
