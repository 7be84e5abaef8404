/** Emits the events of rewards (api.md 6.1), in the transaction of the change and in the order of each person. */
import { Reward } from '@kassa/contract/referral/schemas.ts'
import * as z from 'zod/mini'

import type { Context, NewEvent } from '../../../context.ts'
import { countEvents } from '../referrers/store.ts'
import { listFoundByIds } from './list-store.ts'
import { rewardView } from './view.ts'

type RewardEvent = 'referral.reward_earned' | 'referral.reward_reversed'

/** Emits one event for each reward, with its present state, in the order of their ids. */
export async function announceRewards(tx: Context, events: ReadonlyMap<bigint, RewardEvent>): Promise<void> {
  if (events.size === 0) return
  const found = await listFoundByIds(tx, [...events.keys()])
  const people = Map.groupBy(found, ({ referrer_id }) => referrer_id)
  const sequences = await countEvents(tx, new Map([...people].map(([id, own]) => [id, own.length])))
  const nextOf = (id: number) => {
    const sequence = sequences.get(id)
    if (sequence === undefined) throw new Error(`There is no person ${id}`)
    sequences.set(id, sequence + 1)
    return sequence
  }
  await tx.events.emitAll(
    tx,
    found.map((row): NewEvent => {
      const type = events.get(row.id) ?? 'referral.reward_earned'
      return {
        type,
        projectId: row.project_id,
        orderKey: `referrer:${row.referrer_id}`,
        sequence: nextOf(row.referrer_id),
        payload: {
          event_type: type,
          timestamp: Math.floor(tx.now().getTime() / 1000),
          project_id: row.project_id,
          data: z.encode(Reward, rewardView(row)),
        },
      }
    }),
  )
}
