import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { Overdrawn } from '../../ledger/service.ts'
import { rollBackTo } from './apply-blocks.ts'
import type { FollowerState, Follower } from './follower.ts'
import { findBlock, listBlocks } from '../blocks/block-store.ts'
import { findCursor, updateResumed, updateState } from '../blocks/cursor-store.ts'

/**
 * Stops reading until an operator has compared the nodes and resumes it (money.md 2.3): going on alone might take back
 * money that was spent.
 */
export async function halt({ ctx, row }: Follower, { cursor }: FollowerState, reason: string): Promise<void> {
  if (!cursor) return
  const text = `Reading ${row.code} stopped at block ${cursor.height}: ${reason} Nothing was changed. Compare the nodes, then resume it: npm run resume-chain -- --chain ${row.code}, with --to and the newest block that both have when ours is the wrong one.`
  await inTransaction(ctx, async (tx) => {
    await updateState(tx, cursor, { state: 'halted', reason })
    await raiseAlarm(tx, { kind: 'chain_halted', subject: row.code, text })
  })
}

/**
 * Resumes a halted blockchain: where it stopped, or from one of our blocks, above which everything is reverted.
 * @throws RangeError when it is not halted, or that block is not stored
 */
export async function requestResume(ctx: Context, { code, to }: { code: string; to: number | null }): Promise<void> {
  const row = await findBlockchain(ctx, code)
  const cursor = row && (await findCursor(ctx, row.id))
  if (!cursor) throw new RangeError(`There is no blockchain ${code}, or it is not read yet.`)
  if (to !== null && (to > cursor.height || !(await findBlock(ctx, cursor.blockchainId, to)))) {
    throw new RangeError(`Block ${to} is not among the stored blocks.`)
  }
  await inTransaction(ctx, async (tx) => {
    if (!(await updateResumed(tx, cursor.blockchainId, to))) throw new RangeError(`${row.code} is not halted.`)
    await clearAlarm(tx, { kind: 'chain_halted', subject: row.code })
  })
  ctx.log.warn({ blockchain: row.code, to }, 'an operator resumed reading')
}

/** Rolls back to the block an operator named; false when that is not possible, and reading halts again. */
export async function resumeByOperator(follower: Follower, progress: FollowerState): Promise<boolean> {
  const { cursor } = progress
  if (cursor?.state === 'halted') return false
  if (!cursor || cursor.resumeTo === null) return true
  const [target] = await listBlocks(follower.ctx, cursor.blockchainId, cursor.resumeTo)
  if (target?.height !== cursor.resumeTo) {
    await halt(follower, progress, `Block ${cursor.resumeTo} is not stored any more.`)
    return false
  }
  try {
    progress.cursor = await rollBackTo(follower.ctx, cursor, target, cursor.height)
    return true
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error
    await halt(
      follower,
      progress,
      `Going back to block ${target.height} would revert money that was spent: ${error.message}.`,
    )
    return false
  }
}
