import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { Overdrawn } from '../../ledger/service.ts'
import { rollBackTo } from './apply-blocks.ts'
import type { FollowerState, Follower } from './follower.ts'
import { findBlock, listBlocks } from '../blocks/block-store.ts'
import { findCursor, updateResumed, updateState } from '../blocks/cursor-store.ts'

/** Stops reading until a person has compared the nodes and says how to go on (money.md 2.3). */
export async function halt({ ctx, row }: Follower, { cursor }: FollowerState, reason: string): Promise<void> {
  if (!cursor) return
  const text = `Reading ${row.code} stopped at block ${cursor.height}: ${reason} Nothing was changed. Then let it go on: npm run resume-chain -- --chain ${row.code}, with --to and the newest block that both have when ours is the wrong one.`
  await inTransaction(ctx, async (tx) => {
    await updateState(tx, cursor, { state: 'halted', reason })
    await raiseAlarm(tx, { kind: 'chain_halted', subject: row.code, text })
  })
}

/**
 * Lets a halted blockchain be read on: where it stopped, or from one of our blocks, above which everything is taken back.
 * @throws RangeError when it is not halted, or that block is not kept
 */
export async function requestResume(ctx: Context, { code, to }: { code: string; to: number | null }): Promise<void> {
  const row = await findBlockchain(ctx, code)
  const cursor = row && (await findCursor(ctx, row.id))
  if (!cursor) throw new RangeError(`There is no blockchain ${code}, or it is not read yet.`)
  if (to !== null && (to > cursor.height || !(await findBlock(ctx, cursor.blockchainId, to)))) {
    throw new RangeError(`Block ${to} is not among those that are kept.`)
  }
  await inTransaction(ctx, async (tx) => {
    if (!(await updateResumed(tx, cursor.blockchainId, to))) throw new RangeError(`${row.code} is not halted.`)
    await clearAlarm(tx, { kind: 'chain_halted', subject: row.code })
  })
  ctx.log.warn({ blockchain: row.code, to }, 'a person lets reading go on')
}

/** Goes back to where a person wants reading to go on; false when that cannot be, and reading is halted again. */
export async function resumeByOperator(watch: Follower, progress: FollowerState): Promise<boolean> {
  const { cursor } = progress
  if (cursor?.state === 'halted') return false
  if (!cursor || cursor.resumeTo === null) return true
  const [target] = await listBlocks(watch.ctx, cursor.blockchainId, cursor.resumeTo)
  if (target?.height !== cursor.resumeTo) {
    await halt(watch, progress, `Block ${cursor.resumeTo} is not kept any more.`)
    return false
  }
  try {
    progress.cursor = await rollBackTo(watch.ctx, cursor, target, cursor.height)
    return true
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error
    await halt(
      watch,
      progress,
      `Going back to block ${target.height} would take back money that was spent: ${error.message}.`,
    )
    return false
  }
}
