import type { Invariant } from '../../module.ts'

/** What must hold between payouts and the ledger (money.md 4.5). */
export const withdrawalsInvariants: readonly Invariant[] = [
  {
    name: 'payouts-held',
    rule: 'What is held of a project is its payouts that are decided and not final.',
    sql: () => `
      SELECT owner_key || ' ' || unit_id AS subject
      FROM (
        SELECT asset_id AS unit_id, 'project:' || project_id AS owner_key, sum(units) AS units
        FROM withdrawals WHERE status IN ('pending', 'initiated', 'sent') AND type <> 'withdrawal' GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT unit_id, owner_key, credits - debits AS units FROM accounts WHERE kind = 'project:held'
      ) AS booked USING (unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'payout-approvals',
    rule: 'A payout that people had to decide about has as many approvals of exactly its bytes.',
    sql: () => `
      SELECT 'withdrawal ' || payout.id AS subject FROM withdrawals AS payout
      WHERE payout.status IN ('initiated', 'sent', 'processed')
        AND (SELECT count(*) FROM withdrawal_approvals AS given
          WHERE given.withdrawal_id = payout.id AND given.digest = payout.digest
            AND NOT (payout.four_eyes AND given.operator_id IS NOT DISTINCT FROM payout.created_by_operator))
          < payout.approvals_needed`,
  },
  {
    name: 'payout-approval-lists',
    rule: 'An approval that was given with a list is of the same person and of bytes in that list, whose digest is the one over it.',
    sql: () => `
      SELECT 'approval ' || given.id AS subject
      FROM withdrawal_approvals AS given JOIN withdrawal_approval_lists AS list ON list.id = given.list_id
      WHERE given.operator_id <> list.operator_id OR given.digest <> ALL (list.items)
        OR list.digest <> sha256(convert_to('kassa payouts' || chr(10), 'UTF8') ||
          (SELECT string_agg(item, ''::bytea ORDER BY item) FROM unnest(list.items) AS item))`,
  },
  {
    name: 'refund-parts',
    rule: 'What deposits promise back is the parts of refunds that have not ended without paying, and each refund has all its parts.',
    sql: () => `
      SELECT 'deposit ' || deposit.id AS subject FROM deposits AS deposit
      LEFT JOIN refund_parts AS part ON part.deposit_id = deposit.id
      LEFT JOIN withdrawals AS payout ON payout.id = part.withdrawal_id
        AND payout.status NOT IN ('failed', 'rejected', 'cancelled')
      WHERE deposit.refund_committed_units > 0 OR part.deposit_id IS NOT NULL
      GROUP BY deposit.id
      HAVING deposit.refund_committed_units <> coalesce(sum(part.units) FILTER (WHERE payout.id IS NOT NULL), 0)
      UNION ALL
      SELECT 'withdrawal ' || payout.id FROM withdrawals AS payout
      LEFT JOIN refund_parts AS part ON part.withdrawal_id = payout.id
      WHERE payout.refund_payment_id IS NOT NULL
      GROUP BY payout.id HAVING payout.units <> coalesce(sum(part.units), 0)`,
  },
]
