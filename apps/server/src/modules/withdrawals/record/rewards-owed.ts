import type { Context } from '../../../context.ts'
import { balancesOf } from '../../ledger/service.ts'

/**
 * What a promoter owes back in one currency of rewards, because sales were reversed whose rewards were paid or are under way
 * (money.md 4.4). A withdrawal that is not signed yet makes up for it when it ends without paying.
 */
export async function rewardsOwedBack(
  ctx: Context,
  { referrerId, unitId }: { readonly referrerId: number; readonly unitId: number },
): Promise<bigint> {
  const [owed = 0n] = await balancesOf(ctx, [{ kind: 'referral:receivable', owner: `referrer:${referrerId}`, unitId }])
  return owed
}
