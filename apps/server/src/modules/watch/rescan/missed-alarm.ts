import type { ChainSession } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import type { Rescan } from './store.ts'

type Missed = {
  /** How many deposits, and in which blocks. */
  readonly found: number
  readonly from: number
  readonly to: number
  readonly rescan: Pick<Rescan, 'isAudit' | 'reason'>
}

/** Raises an alarm for missed deposits: an operator must find out why the follower did not see them. */
export async function raiseMissed(
  ctx: Context,
  { chain, node }: ChainSession,
  { found: count, from, to, rescan: { isAudit, reason } }: Missed,
): Promise<void> {
  const { code: blockchainCode } = chain.blockchain
  const where = { blockchainCode, count, from, to }
  const params = { case: 'deposits', ...where, node: node.label, rescan: isAudit ? null : reason } as const
  await raiseAlarm(ctx, { kind: 'watch_missed', subject: blockchainCode, params })
}
