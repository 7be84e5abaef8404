import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { hasSecondOperator } from '../../blockchains/nodes/service.ts'
import { countUnproven } from './unproven-store.ts'

/** The chain's clock and ours may differ, and a final block that is younger takes about a minute on TRON. */
const UNPROVEN_AFTER_MINUTES = 15

/**
 * Raises an alarm for each blockchain with transactions of deposit addresses that expired long ago while nodes do not prove
 * what became of them. Their addresses wait (D-4); only an operator can bring the node that the proof needs.
 */
export async function warnOfUnproven(ctx: Context): Promise<void> {
  const expiredBefore = new Date(ctx.now().getTime() - UNPROVEN_AFTER_MINUTES * 60_000)
  for (const { blockchainId, code, count } of await countUnproven(ctx, expiredBefore)) {
    const alarm = { kind: 'permission_unproven', subject: `${code} permissions` } as const
    if (count === 0) {
      await clearAlarm(ctx, alarm)
      continue
    }
    const why = (await hasSecondOperator(ctx, blockchainId)) ? 'disagreement' : 'one_operator'
    const params = { case: why, blockchainCode: code, count, minutes: UNPROVEN_AFTER_MINUTES } as const
    await raiseAlarm(ctx, { ...alarm, params })
  }
}
