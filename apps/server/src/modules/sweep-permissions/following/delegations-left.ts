import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { listDelegationsLeft } from './delegations-left-store.ts'

/** A fifth of what is signed at once (money.md 6.6, S-2): the rest lasts until an operator has fetched the seed. */
const SIGNED_AT_ONCE = 1000
const SHARE = 5

/** Raises an alarm for each wallet and blockchain with few unassigned addresses for which a delegation was signed ahead. */
export async function warnOfFewDelegations(ctx: Context): Promise<void> {
  for (const { wallet_id: walletID, blockchain_code: blockchainCode, signed, unused } of await listDelegationsLeft(
    ctx,
  )) {
    const alarm = { kind: 'delegations_low', subject: `${blockchainCode} wallet ${walletID}` } as const
    const isLow = unused * SHARE <= Math.min(signed, SIGNED_AT_ONCE)
    if (isLow) await raiseAlarm(ctx, { ...alarm, params: { walletID, blockchainCode, left: unused, signed } })
    else await clearAlarm(ctx, alarm)
  }
}
