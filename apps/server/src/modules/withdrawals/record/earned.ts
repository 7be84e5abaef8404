import type { Context } from '../../../context.ts'
import { balancesOf } from '../../ledger/service.ts'
import { setting } from '../../settings/service.ts'
import type { WithdrawalRow } from './tables.ts'

/** What a project may still pay out of its earnings in an asset; null where operators set no such bound (money.md 4.3). */
export async function remainingEarnings(
  ctx: Context,
  { project_id, asset_id }: Pick<WithdrawalRow, 'project_id' | 'asset_id'>,
): Promise<bigint | null> {
  if ((await setting(ctx, 'payouts.from')) !== 'earned') return null
  const account = { kind: 'project:balance', owner: `project:${project_id}`, unitId: asset_id } as const
  return (await balancesOf(ctx, [account]))[0] ?? 0n
}
