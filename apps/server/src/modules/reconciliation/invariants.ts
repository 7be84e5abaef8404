import type { Invariant } from '../../module.ts'

/** A movement whose entries stand: it is final, and did not return to its own address. */
const IS_FINAL = `movement.status = 'final' AND movement.from_address IS DISTINCT FROM movement.to_address`

/** What must hold between what reconciliation booked and the ledger. */
export const reconciliationInvariants: readonly Invariant[] = [
  {
    name: 'project-dust',
    rule: 'The dust of a project is its ignored deposits and the discrepancies that were booked.',
    sql: () => `
      SELECT 'project:dust ' || owner_key AS subject
      FROM (
        SELECT unit_id, owner_key, sum(units) AS units FROM (
          SELECT asset_id AS unit_id, 'project:' || project_id AS owner_key, units FROM deposits WHERE status = 'ignored'
          UNION ALL
          SELECT discrepancy.asset_id, 'project:' || address.project_id, discrepancy.units
          FROM discrepancies AS discrepancy JOIN addresses AS address ON address.id = discrepancy.address_id
          WHERE discrepancy.state = 'booked' AND discrepancy.units > 0
        ) AS money GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT unit_id, owner_key, credits - debits AS units FROM accounts WHERE kind = 'project:dust'
      ) AS booked USING (unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'coins-of-rows',
    rule: 'What deposits, movements and bookings by hand posted to the accounts of coins is what their rows say.',
    isFullOnly: true,
    sql: () => `
      SELECT kind || ' ' || owner_key AS subject
      FROM (
        SELECT kind, unit_id, owner_key, sum(units) AS units FROM (
          SELECT 'chain:deposit-addresses' AS kind, asset_id AS unit_id, 'address:' || address_id AS owner_key, units
          FROM deposits WHERE status IN ('applied', 'unapplied', 'ignored', 'quarantined')
          UNION ALL
          SELECT 'chain:deposit-addresses', asset_id, 'address:' || address_id, units
          FROM discrepancies WHERE state = 'booked' AND address_id IS NOT NULL AND units > 0
          UNION ALL
          SELECT 'chain:deposit-addresses', asset_id, 'address:' || from_address_id, -units
          FROM movements AS movement WHERE ${IS_FINAL} AND (kind = 'foreign-sweep' OR booked_at IS NOT NULL)
          UNION ALL
          SELECT 'chain:deposit-addresses', asset_id, 'address:' || to_address_id, units - fee_units
          FROM movements AS movement WHERE ${IS_FINAL} AND to_role = 'deposit' AND kind <> 'topup'
          UNION ALL
          SELECT 'chain:hot', asset_id, 'wallet:' || from_wallet_id, -units
          FROM movements AS movement WHERE ${IS_FINAL} AND kind = 'spent-outside'
          UNION ALL
          SELECT 'chain:hot', asset_id, 'wallet:' || to_wallet_id, units - fee_units
          FROM movements AS movement WHERE ${IS_FINAL} AND to_role = 'hot'
        ) AS rows GROUP BY 1, 2, 3
      ) AS expected
      FULL JOIN (
        SELECT account.kind, account.unit_id, account.owner_key, sum(line.units) AS units
        FROM journal_entries AS entry
        JOIN postings AS posting ON posting.entry_id = entry.id
        CROSS JOIN LATERAL (VALUES
          (posting.debit_account, posting.units), (posting.credit_account, -posting.units)
        ) AS line (account_id, units)
        JOIN accounts AS account ON account.id = line.account_id AND account.kind IN ('chain:deposit-addresses', 'chain:hot')
        WHERE split_part(entry.source_key, ':', 1) IN ('deposit', 'movement', 'found')
        GROUP BY 1, 2, 3
      ) AS booked USING (kind, unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
]
