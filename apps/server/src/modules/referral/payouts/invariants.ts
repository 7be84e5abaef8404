import type { Invariant } from '../../../module.ts'

/** What must hold between withdrawals of rewards and what they take (money.md 4.5). */
export const rewardPayoutsInvariants: readonly Invariant[] = [
  {
    name: 'reward-payouts',
    rule: 'A withdrawal of rewards takes exactly what it pays for: held while it is under way, paid when it is final, given back when it ended without paying.',
    sql: () => `
      SELECT 'withdrawal ' || payout.id AS subject FROM withdrawals AS payout
      LEFT JOIN reward_settlements AS part ON part.withdrawal_id = payout.id
      WHERE payout.type = 'withdrawal'
      GROUP BY payout.id
      HAVING coalesce(sum(part.units), 0) <> payout.reward_units
        OR bool_or(part.status <> CASE WHEN payout.status = 'processed' THEN 'paid'
          WHEN payout.status IN ('rejected', 'cancelled', 'failed') THEN 'released' ELSE 'held' END)`,
  },
]
