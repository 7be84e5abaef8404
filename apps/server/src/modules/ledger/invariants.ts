import { BROKEN_SEALS } from './seal-store.ts'

/** An invariant: a rule that the ledger keeps at any time (money.md 4.5). */
export type Invariant = {
  readonly name: string
  /** The rule, as a sentence. */
  readonly rule: string
  /** Returns one row per violation, with a column `subject` that names it; no row when the rule holds. */
  readonly sql: (touched: Touched) => string
  /** Only in a full check: it reads the whole journal whatever is asked. */
  readonly isFullOnly?: boolean
}

/** What a check covers, as conditions on `entry`, `account`, `deposit` and `payment`. */
export type Touched = {
  readonly entry: string
  readonly account: string
  readonly deposit: string
  readonly payment: string
}

/** Everything. */
export const EVERYTHING: Touched = { entry: 'true', account: 'true', deposit: 'true', payment: 'true' }

/** What entries after this one are about: the rest has not changed. */
export function touchedSince(entryId: bigint): Touched {
  const deposits = `
    SELECT split_part(source_key, ':', 2)::bigint FROM journal_entries
    WHERE id > ${entryId} AND source_key LIKE 'deposit:%'`
  return {
    entry: `entry.id > ${entryId}`,
    account: `account.id IN (
      SELECT debit_account FROM postings WHERE entry_id > ${entryId}
      UNION SELECT credit_account FROM postings WHERE entry_id > ${entryId})`,
    deposit: `deposit.id IN (${deposits})`,
    payment: `payment.id IN (SELECT payment_id FROM deposits WHERE id IN (${deposits}))`,
  }
}

/** The dispositions of final deposits: one entry for each deposit. Moves by an operator afterwards are not limited. */
const PLACEMENTS = `'deposit.apply', 'deposit.unapplied', 'deposit.ignored', 'deposit.quarantine'`

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

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'account-totals',
    rule: 'The totals of an account equal the sum of its postings.',
    sql: ({ account }) => `
      SELECT account.kind || ' ' || account.owner_key AS subject FROM accounts AS account
      WHERE ${account} AND (
        debits <> coalesce((SELECT sum(units) FROM postings WHERE debit_account = account.id), 0)
        OR credits <> coalesce((SELECT sum(units) FROM postings WHERE credit_account = account.id), 0))`,
  },
  {
    name: 'sides-balance',
    rule: 'For each asset, what Kassa holds equals what it owes to somebody.',
    sql: () => `
      SELECT 'asset ' || asset_id AS subject FROM accounts GROUP BY asset_id HAVING sum(debits - credits) <> 0`,
  },
  {
    name: 'guarded-accounts',
    rule: 'No guarded account is below zero.',
    sql: () => `
      SELECT kind || ' ' || owner_key AS subject FROM accounts
      WHERE guarded AND CASE side WHEN 'D' THEN debits - credits ELSE credits - debits END < 0`,
  },
  {
    name: 'entry-lines',
    rule: 'Every entry has lines, and a reversal has exactly the lines of its original with debit and credit exchanged.',
    sql: ({ entry }) => `
      SELECT entry.source_key AS subject FROM journal_entries AS entry
      WHERE ${entry} AND NOT EXISTS (SELECT FROM postings WHERE entry_id = entry.id)
      UNION ALL
      SELECT DISTINCT entry.source_key FROM journal_entries AS entry
      JOIN postings AS line ON line.entry_id = entry.reverses
      LEFT JOIN postings AS turned ON turned.entry_id = entry.id AND turned.line = line.line
        AND turned.debit_account = line.credit_account AND turned.credit_account = line.debit_account
        AND turned.units = line.units
      WHERE turned.entry_id IS NULL AND ${entry}`,
  },
  {
    name: 'deposit-entries',
    rule: 'A deposit has exactly the entries of its state, each of all its units, and none when it was reverted.',
    sql: ({ deposit }) => `
      SELECT 'deposit ' || deposit.id AS subject
      FROM deposits AS deposit
      LEFT JOIN LATERAL (${openEntriesOf('deposit')}) AS open ON true
      WHERE ${deposit}
      GROUP BY deposit.id
      HAVING coalesce((array_agg(open.state ORDER BY open.id DESC))[1], 'reverted')
          <> deposit.status
        OR count(*) FILTER (WHERE open.posting = 'deposit.seen') <> CASE deposit.status WHEN 'reverted' THEN 0 ELSE 1 END
        OR count(*) FILTER (WHERE open.posting IN (${PLACEMENTS}))
          <> CASE WHEN deposit.status IN ('seen', 'reverted') THEN 0 ELSE 1 END
        OR bool_or(open.differs)`,
  },
  {
    name: 'deposit-money',
    rule: 'The claims of a project are its deposits: unconfirmed, unapplied, quarantined, and dust.',
    sql: () => `
      WITH claims (kind, status) AS (VALUES
        ('project:unconfirmed', 'seen'), ('customer:unapplied', 'unapplied'),
        ('project:quarantine', 'quarantined'), ('project:dust', 'ignored')
      ), expected AS (
        SELECT kind, asset_id, 'project:' || project_id AS owner_key, sum(units) AS units
        FROM (
          SELECT claims.kind, asset_id, project_id, units FROM deposits JOIN claims USING (status)
          UNION ALL
          SELECT 'project:dust', discrepancy.asset_id, address.project_id, discrepancy.units
          FROM discrepancies AS discrepancy JOIN addresses AS address ON address.id = discrepancy.address_id
          WHERE discrepancy.state = 'booked'
        ) AS money GROUP BY 1, 2, 3
      )
      SELECT kind || ' ' || owner_key AS subject
      FROM expected FULL JOIN (
        SELECT kind, asset_id, owner_key, credits - debits AS units FROM accounts WHERE kind IN (SELECT kind FROM claims)
      ) AS booked USING (kind, asset_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'unconfirmed-coins',
    rule: 'The unconfirmed coins of a blockchain are its deposits that are not final.',
    sql: () => `
      SELECT owner_key AS subject
      FROM (
        SELECT asset_id, 'blockchain:' || blockchain_id AS owner_key, sum(units) AS units
        FROM deposits WHERE status = 'seen' GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT asset_id, owner_key, debits - credits AS units FROM accounts WHERE kind = 'chain:unconfirmed'
      ) AS booked USING (asset_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'payment-money',
    rule: "A payment's final money is what its applied deposits count for.",
    sql: ({ payment }) => `
      SELECT 'payment ' || payment.id AS subject
      FROM payments AS payment
      LEFT JOIN deposits AS deposit ON deposit.payment_id = payment.id AND deposit.status = 'applied'
      WHERE ${payment}
      GROUP BY payment.id
      HAVING payment.filled_units <> coalesce(sum(deposit.counted_units), 0)
        OR count(deposit.id) <> count(deposit.counted_units)`,
  },
  {
    name: 'journal-seals',
    rule: 'No entry under a seal was changed, added or removed.',
    sql: () => BROKEN_SEALS,
    isFullOnly: true,
  },
]

/** A rule that the ledger breaks. */
export type Breach = {
  readonly name: string
  readonly rule: string
  readonly rows: number
  readonly examples: readonly string[]
}
