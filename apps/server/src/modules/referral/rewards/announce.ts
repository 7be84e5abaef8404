/** Tells of rewards: events of api.md 6.1, in the transaction of the change and in the order of each person. */
import { Reward } from '@kassa/contract/referral/schemas.ts'
import * as z from 'zod/mini'

import type { Context, NewEvent } from '../../../context.ts'
import { countEvents } from '../referrers/store.ts'
import { listFoundByIds } from './list-store.ts'
import type { RewardRow } from './store.ts'
import { rewardView } from './view.ts'

/** Emits one event for each reward, as it is now. */
export async function announceRewards(
  tx: Context,
  type: 'referral.reward_earned' | 'referral.reward_reversed',
  rewards: readonly Pick<RewardRow, 'id'>[],
): Promise<void> {
  const found = await listFoundByIds(
    tx,
    rewards.map(({ id }) => id),
  )
  const events: NewEvent[] = []
  for (const row of found) {
    const sequence = await countEvents(tx, row.referrer_id, 1)
    events.push({
      type,
      projectId: row.project_id,
      orderKey: `referrer:${row.referrer_id}`,
      sequence,
      payload: {
        event_type: type,
        timestamp: Math.floor(tx.now().getTime() / 1000),
        project_id: row.project_id,
        data: z.encode(Reward, rewardView(row)),
      },
    })
  }
  await tx.events.emitAll(tx, events)
}
