import type { Invariant } from '../../module.ts'

/** Postings that make a deposit final: each deposit has one of them. Later moves by an operator are not limited. */
const DISPOSITION_POSTINGS = `'deposit.apply', 'deposit.unapplied', 'deposit.ignored', 'deposit.quarantine'`

/**
 * The entries of a deposit without a reversal: the state each leads to, and whether it moves other units than its own.
 */
function openEntriesOf(deposit: string): string {
  return `
    SELECT entry.id, entry.posting,
      CASE entry.posting
        WHEN 'deposit.seen' THEN 'seen' WHEN 'deposit.ignored' THEN 'ignored'
        WHEN 'deposit.apply' THEN 'applied' WHEN 'deposit.assign' THEN 'applied'
        WHEN 'deposit.unapplied' THEN 'unapplied' WHEN 'deposit.unassign' THEN 'unapplied'
        WHEN 'deposit.quarantine' THEN 'quarantined'
        WHEN 'deposit.release' THEN CASE bool_or(claim.kind = 'project:balance') WHEN true THEN 'applied' ELSE 'unapplied' END
      END AS state,
      bool_or(posting.units <> ${deposit}.units) AS differs
    FROM journal_entries AS entry
    JOIN postings AS posting ON posting.entry_id = entry.id
    JOIN accounts AS claim ON claim.id = posting.credit_account
    WHERE entry.source_key >= ('deposit:' || ${deposit}.id || ':') COLLATE "C"
      AND entry.source_key < ('deposit:' || ${deposit}.id || ';') COLLATE "C"
      AND entry.reverses IS NULL
      AND NOT EXISTS (SELECT FROM journal_entries AS reversal WHERE reversal.reverses = entry.id)
    GROUP BY entry.id`
}

/** What must hold between deposits and the ledger. */
export const depositsInvariants: readonly Invariant[] = [
  {
    name: 'deposit-entries',
    rule: 'A deposit has exactly the entries of its state, each of all its units, and none when it was reverted.',
    sql: ({ about }) => `
      SELECT 'deposit ' || deposit.id AS subject
      FROM deposits AS deposit
      LEFT JOIN LATERAL (${openEntriesOf('deposit')}) AS open ON true
      WHERE ${about('deposit', (ids) => `deposit.id IN (${ids})`)}
      GROUP BY deposit.id
      HAVING coalesce((array_agg(open.state ORDER BY open.id DESC))[1], 'reverted')
          <> deposit.status
        OR count(*) FILTER (WHERE open.posting = 'deposit.seen') <> CASE deposit.status WHEN 'reverted' THEN 0 ELSE 1 END
        OR count(*) FILTER (WHERE open.posting IN (${DISPOSITION_POSTINGS}))
          <> CASE WHEN deposit.status IN ('seen', 'reverted') THEN 0 ELSE 1 END
        OR bool_or(open.differs)`,
  },
  {
    name: 'deposit-money',
    rule: 'The claims of a project are its deposits: unconfirmed, unapplied and quarantined.',
    sql: () => `
      WITH claims (kind, status) AS (VALUES
        ('project:unconfirmed', 'seen'), ('customer:unapplied', 'unapplied'), ('project:quarantine', 'quarantined')
      )
      SELECT kind || ' ' || owner_key AS subject
      FROM (
        SELECT claims.kind, asset_id AS unit_id, 'project:' || project_id AS owner_key,
          -- A refund of unmatched money holds its part of the claim until it has ended.
          sum(units - CASE WHEN status = 'unapplied' THEN coalesce((
            SELECT sum(part.units) FROM refund_parts AS part JOIN withdrawals AS payout ON payout.id = part.withdrawal_id
            WHERE part.deposit_id = deposits.id AND part.claim = 'customer:unapplied'
              AND payout.status IN ('pending', 'initiated', 'sent', 'processed')), 0) ELSE 0 END) AS units
        FROM deposits JOIN claims USING (status) GROUP BY 1, 2, 3
      ) AS expected
      FULL JOIN (
        SELECT kind, unit_id, owner_key, credits - debits AS units FROM accounts WHERE kind IN (SELECT kind FROM claims)
      ) AS booked USING (kind, unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'unconfirmed-coins',
    rule: 'The unconfirmed coins of a blockchain are its deposits that are not final.',
    sql: () => `
      SELECT owner_key AS subject
      FROM (
        SELECT asset_id AS unit_id, 'blockchain:' || blockchain_id AS owner_key, sum(units) AS units
        FROM deposits WHERE status = 'seen' GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT unit_id, owner_key, debits - credits AS units FROM accounts WHERE kind = 'chain:unconfirmed'
      ) AS booked USING (unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
]
