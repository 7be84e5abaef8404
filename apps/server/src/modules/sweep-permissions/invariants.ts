import type { Invariant } from '../../module.ts'

/** Open entries of a noun with an id: the entries that stand, with the units of their line. */
const openEntries = (noun: string, id: string) => `
  SELECT entry.id, line.units FROM journal_entries AS entry JOIN postings AS line ON line.entry_id = entry.id
  WHERE entry.source_key >= ('${noun}:' || ${id} || ':') COLLATE "C" AND entry.source_key < ('${noun}:' || ${id} || ';') COLLATE "C"
    AND entry.reverses IS NULL AND NOT EXISTS (SELECT FROM journal_entries AS reversal WHERE reversal.reverses = entry.id)`

/** What must hold between permissions and the ledger. */
export const sweepPermissionsInvariants: readonly Invariant[] = [
  {
    name: 'approval-fees',
    rule: 'Exactly the permissions whose transaction is final have one entry that stands, of the fee it cost.',
    sql: ({ about }) => `
      SELECT 'permission ' || permission.id AS subject
      FROM sweep_permissions AS permission
      LEFT JOIN LATERAL (${openEntries('permission', 'permission.id')}) AS open ON true
      WHERE ${about('permission', (ids) => `permission.id IN (${ids})`)}
      GROUP BY permission.id
      HAVING count(open.id) <> (permission.height IS NOT NULL AND permission.fee_units > 0)::int
        OR bool_or(open.units <> permission.fee_units)`,
  },
  {
    name: 'top-ups',
    rule: 'Exactly the top-ups that are final have one entry that stands, of all their units.',
    sql: ({ about }) => `
      SELECT 'top-up ' || approval.id AS subject
      FROM sweep_approvals AS approval
      LEFT JOIN LATERAL (${openEntries('topup', 'approval.id')}) AS open ON true
      WHERE ${about('topup', (ids) => `approval.id IN (${ids})`)}
      GROUP BY approval.id
      HAVING count(open.id) <> (approval.topped_up_at IS NOT NULL)::int OR bool_or(open.units <> approval.top_up_units)`,
  },
]
