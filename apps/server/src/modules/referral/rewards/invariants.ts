import type { Invariant } from '../../../module.ts'

/** What must hold between the referral programme and the ledger. */
export const referralInvariants: readonly Invariant[] = [
  {
    name: 'rewards-owed',
    rule: 'What is ready and under way for a person is what their rewards say, and they owe back only what reversals took of paid ones.',
    sql: () => `
      SELECT coalesce(owed.owner_key, booked.owner_key) AS subject
      FROM (
        SELECT 'referrer:' || referrer_id AS owner_key, unit_id,
          sum(units - reversed_units - held_units - paid_units) AS free, sum(held_units) AS held, sum(reversed_units) AS reversed
        FROM rewards GROUP BY 1, 2
      ) AS owed
      FULL JOIN (
        SELECT owner_key, unit_id,
          sum(credits - debits) FILTER (WHERE kind = 'referral:payable') AS payable,
          sum(credits - debits) FILTER (WHERE kind = 'referral:held') AS held,
          sum(debits - credits) FILTER (WHERE kind = 'referral:receivable') AS receivable
        FROM accounts WHERE kind IN ('referral:payable', 'referral:held', 'referral:receivable') GROUP BY 1, 2
      ) AS booked USING (owner_key, unit_id)
      WHERE coalesce(booked.payable, 0) <> greatest(coalesce(owed.free, 0), 0)
        OR coalesce(booked.receivable, 0) <> greatest(-coalesce(owed.free, 0), 0)
        OR coalesce(booked.held, 0) <> coalesce(owed.held, 0)
        OR (coalesce(booked.receivable, 0) > 0 AND coalesce(owed.reversed, 0) = 0)`,
  },
  {
    name: 'reward-settlements',
    rule: 'What withdrawals take of a reward is what the reward says, and never more than it was.',
    sql: () => `
      SELECT 'reward ' || reward.id AS subject
      FROM rewards AS reward
      LEFT JOIN (
        SELECT reward_id, sum(units) FILTER (WHERE status = 'held') AS held, sum(units) FILTER (WHERE status = 'paid') AS paid
        FROM reward_settlements GROUP BY 1
      ) AS taken ON taken.reward_id = reward.id
      WHERE reward.held_units <> coalesce(taken.held, 0) OR reward.paid_units <> coalesce(taken.paid, 0)
        OR coalesce(taken.held, 0) + coalesce(taken.paid, 0) > reward.units`,
  },
  {
    name: 'reward-totals',
    rule: 'What is kept of a person to be read at once is the sum of their rewards and the number of those they brought.',
    sql: () => `
      SELECT 'rewards of person ' || coalesce(total.referrer_id, reward.referrer_id) AS subject
      FROM reward_totals AS total
      FULL JOIN (
        SELECT referrer_id, unit_id, side, sum(units - reversed_units) AS earned, sum(paid_units) AS paid
        FROM rewards GROUP BY 1, 2, 3
      ) AS reward USING (referrer_id, unit_id, side)
      WHERE total.earned IS DISTINCT FROM reward.earned OR total.paid IS DISTINCT FROM reward.paid
      UNION ALL
      SELECT 'person ' || person.id
      FROM referrers AS person
      LEFT JOIN (SELECT referrer_id, sum(units - reversed_units) AS earned FROM rewards GROUP BY 1) AS reward
        ON reward.referrer_id = person.id
      LEFT JOIN (SELECT referred_by, count(*) AS n FROM referrers GROUP BY 1) AS brought ON brought.referred_by = person.id
      WHERE person.earned <> coalesce(reward.earned, 0) OR person.referee_count <> coalesce(brought.n, 0)`,
  },
  {
    name: 'campaigns-given',
    rule: 'A campaign has given what reversals left of its rewards, never more than its budget, and so says the journal.',
    sql: () => `
      SELECT 'campaign ' || campaign.id AS subject
      FROM campaigns AS campaign
      LEFT JOIN (
        SELECT campaign_id, sum(units - reversed_units) AS units, count(*) FILTER (WHERE reversed_units < units) AS rewards,
          sum(units - reversed_units) FILTER (WHERE side = 'referee') AS to_referees
        FROM rewards GROUP BY 1
      ) AS given ON given.campaign_id = campaign.id
      WHERE campaign.given <> coalesce(given.units, 0) OR campaign.reward_count <> coalesce(given.rewards, 0)
        OR campaign.given > campaign.budget OR campaign.given_to_referees <> coalesce(given.to_referees, 0)
      UNION ALL
      SELECT 'expense of project ' || coalesce(owed.project_id::text, booked.owner_key)
      FROM (
        SELECT project_id, 'project:' || project_id AS owner_key, unit_id, sum(units - reversed_units) AS units
        FROM rewards GROUP BY 1, 2, 3
      ) AS owed
      FULL JOIN (
        SELECT owner_key, unit_id, debits - credits AS units FROM accounts WHERE kind = 'referral:expense'
      ) AS booked USING (owner_key, unit_id)
      WHERE coalesce(owed.units, 0) <> coalesce(booked.units, 0)`,
  },
]
