/** What must hold of the books at any time (money.md 4.5). */
export type Invariant = {
  readonly name: string
  /** The rule, as a sentence. */
  readonly rule: string
  /** Returns one row per violation, with a column `subject` that names it; no row when all is well. */
  readonly sql: string
}

/** The deposit of a source key `deposit:<id>:…`, for entries that nothing reversed. */
const OPEN_DEPOSIT_ENTRIES = `
  SELECT entry.id, split_part(entry.source_key, ':', 2)::bigint AS deposit_id, entry.posting
  FROM journal_entries AS entry
  WHERE entry.source_key LIKE 'deposit:%' AND entry.reverses IS NULL
    AND NOT EXISTS (SELECT FROM journal_entries AS mirror WHERE mirror.reverses = entry.id)`

/** The entries a deposit has open in each of its states. */
const ENTRIES_OF_STATUS = `
  CASE deposit.status
    WHEN 'seen' THEN ARRAY['deposit.seen']
    WHEN 'confirmed' THEN ARRAY['deposit.seen']
    WHEN 'applied' THEN ARRAY['deposit.apply', 'deposit.seen']
    WHEN 'unapplied' THEN ARRAY['deposit.seen', 'deposit.unapplied']
    WHEN 'ignored' THEN ARRAY['deposit.ignored', 'deposit.seen']
    WHEN 'quarantined' THEN ARRAY['deposit.quarantine', 'deposit.seen']
    ELSE ARRAY[]::text[]
  END`

/** What a person may do to placed money, in any number; the newest must lead to the state. */
const MOVES_BY_PERSON = `('deposit.assign', 'deposit.unassign', 'deposit.release')`
const MOVES_TO_STATUS = `
  CASE deposit.status
    WHEN 'applied' THEN ARRAY['deposit.assign', 'deposit.release']
    WHEN 'unapplied' THEN ARRAY['deposit.unassign', 'deposit.release']
    ELSE ARRAY[]::text[]
  END`

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'account-totals',
    rule: 'The totals of an account equal the sum of its postings.',
    sql: `
      SELECT account.kind || ' ' || account.owner_key AS subject
      FROM accounts AS account
      LEFT JOIN (SELECT debit_account AS id, sum(units) AS units FROM postings GROUP BY 1) AS debit USING (id)
      LEFT JOIN (SELECT credit_account AS id, sum(units) AS units FROM postings GROUP BY 1) AS credit USING (id)
      WHERE account.debits <> coalesce(debit.units, 0) OR account.credits <> coalesce(credit.units, 0)`,
  },
  {
    name: 'sides-balance',
    rule: 'For each asset, what Kassa holds equals what it owes to somebody.',
    sql: `
      SELECT 'asset ' || asset_id AS subject FROM accounts GROUP BY asset_id HAVING sum(debits - credits) <> 0`,
  },
  {
    name: 'guarded-accounts',
    rule: 'No guarded account is below zero.',
    sql: `
      SELECT kind || ' ' || owner_key AS subject FROM accounts
      WHERE guarded AND CASE side WHEN 'D' THEN debits - credits ELSE credits - debits END < 0`,
  },
  {
    name: 'entry-lines',
    rule: 'Every entry has lines, and a mirror has exactly the lines of its original the other way round.',
    sql: `
      SELECT entry.source_key AS subject FROM journal_entries AS entry
      WHERE NOT EXISTS (SELECT FROM postings WHERE entry_id = entry.id)
      UNION ALL
      SELECT DISTINCT mirror.source_key FROM journal_entries AS mirror
      JOIN postings AS line ON line.entry_id = mirror.reverses
      LEFT JOIN postings AS turned ON turned.entry_id = mirror.id AND turned.line = line.line
        AND turned.debit_account = line.credit_account AND turned.credit_account = line.debit_account
        AND turned.units = line.units
      WHERE turned.entry_id IS NULL`,
  },
  {
    name: 'deposit-entries',
    rule: 'A deposit has exactly the entries of its state, and none when it was taken back.',
    sql: `
      SELECT 'deposit ' || deposit.id AS subject
      FROM deposits AS deposit
      LEFT JOIN (${OPEN_DEPOSIT_ENTRIES}) AS open ON open.deposit_id = deposit.id
      GROUP BY deposit.id, deposit.status
      HAVING CASE WHEN bool_or(open.posting IN ${MOVES_BY_PERSON})
        THEN (array_agg(open.posting ORDER BY open.id DESC))[1] <> ALL (${MOVES_TO_STATUS})
          OR count(*) FILTER (WHERE open.posting = 'deposit.seen') <> 1
          OR count(*) FILTER (WHERE open.posting NOT IN ${MOVES_BY_PERSON} AND open.posting <> 'deposit.seen') <> 1
        ELSE coalesce(array_agg(open.posting ORDER BY open.posting) FILTER (WHERE open.posting IS NOT NULL), '{}')
          <> ${ENTRIES_OF_STATUS} END`,
  },
  {
    name: 'deposit-money',
    rule: 'The claims of a project are its deposits: unconfirmed, unapplied, held for review, and below the minimum.',
    sql: `
      WITH claims (kind, status) AS (VALUES
        ('project:unconfirmed', 'seen'), ('project:unconfirmed', 'confirmed'), ('customer:unapplied', 'unapplied'),
        ('project:quarantine', 'quarantined'), ('project:dust', 'ignored')
      ), expected AS (
        SELECT claims.kind, asset_id, 'project:' || project_id AS owner_key, sum(units) AS units
        FROM deposits JOIN claims USING (status) GROUP BY 1, 2, 3
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
    sql: `
      SELECT owner_key AS subject
      FROM (
        SELECT asset_id, 'blockchain:' || blockchain_id AS owner_key, sum(units) AS units
        FROM deposits WHERE status IN ('seen', 'confirmed') GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT asset_id, owner_key, debits - credits AS units FROM accounts WHERE kind = 'chain:unconfirmed'
      ) AS booked USING (asset_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'payment-money',
    // Money of another asset, and late money of a volatile one, counts for its worth and not unit by unit (P-5).
    rule: "A payment's final money is that of its applied deposits, where none of them is counted by its worth.",
    sql: `
      SELECT 'payment ' || payment.id AS subject
      FROM payments AS payment
      LEFT JOIN deposits AS deposit ON deposit.payment_id = payment.id AND deposit.status = 'applied'
      LEFT JOIN assets AS asset ON asset.id = deposit.asset_id
      GROUP BY payment.id
      HAVING payment.filled_units <> coalesce(sum(deposit.units), 0)
        AND NOT coalesce(bool_or(deposit.asset_id <> payment.asset_id OR (deposit.late AND NOT asset.is_stable)), false)`,
  },
]
