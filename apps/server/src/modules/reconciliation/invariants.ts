import type { Invariant } from '../../module.ts'

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
          WHERE discrepancy.state = 'booked'
        ) AS money GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT unit_id, owner_key, credits - debits AS units FROM accounts WHERE kind = 'project:dust'
      ) AS booked USING (unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
]
