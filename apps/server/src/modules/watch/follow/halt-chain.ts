import type { Halt } from '@kassa/contract/blockchains/halts.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { Overdrawn } from '../../ledger/service.ts'
import { rollBackTo } from './apply-blocks.ts'
import type { FollowerState, Follower } from './follower.ts'
import { findBlock, listBlocks } from '../blocks/block-store.ts'
import { findCursor, updateResumed, updateState } from '../blocks/cursor-store.ts'

/**
 * Stops reading until an operator has compared the nodes and resumes it (money.md 2.3): to continue automatically might revert
 * money that was already spent.
 */
export async function halt({ ctx, row }: Follower, { cursor }: FollowerState, why: Halt): Promise<void> {
  if (!cursor) return
  const params = { blockchainCode: row.code, height: cursor.height, halt: why }
  await inTransaction(ctx, async (tx) => {
    await updateState(tx, cursor, { state: 'halted', cause: { code: 'halted', params: { halt: why } } })
    await raiseAlarm(tx, { kind: 'chain_halted', subject: row.code, params })
  })
}

/**
 * Resumes a halted blockchain where it stopped, or from one of our blocks, above which everything is reverted.
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
    await halt(follower, progress, { case: 'resume_block_gone', height: cursor.resumeTo })
    return false
  }
  try {
    progress.cursor = await rollBackTo(follower.ctx, cursor, target, cursor.height)
    return true
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error
    await halt(follower, progress, { case: 'resume_spent', height: target.height, detail: error.message })
    return false
  }
}
