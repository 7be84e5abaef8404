import type { Invariant } from '../../module.ts'

/**
 * SQL of the number of entries that a final movement has, without `cold.drawn`: the ledger may hold nothing of what was drawn.
 */
const EXPECTED = `
  CASE WHEN movement.status <> 'final' OR movement.from_address IS NOT DISTINCT FROM movement.to_address THEN 0 ELSE
    (movement.kind IN ('spent-outside', 'foreign-sweep'))::int + (movement.booked_at IS NOT NULL)::int
    + coalesce(movement.to_role = 'hot', false)::int
    + coalesce(movement.to_role = 'deposit' AND movement.kind <> 'topup', false)::int
  END`

/** What must hold between movements and the ledger. */
export const movementsInvariants: readonly Invariant[] = [
  {
    name: 'movement-entries',
    rule: 'A final movement has one entry for each of its sides that no send, sweep or person books, of all its units, and at its receiver of what the network left of them; any other has none.',
    sql: ({ about }) => `
      SELECT 'movement ' || movement.id AS subject
      FROM movements AS movement
      LEFT JOIN LATERAL (
        SELECT entry.id, entry.posting, sum(line.units) AS units
        FROM journal_entries AS entry JOIN postings AS line ON line.entry_id = entry.id
        WHERE entry.source_key >= ('movement:' || movement.id || ':') COLLATE "C"
          AND entry.source_key < ('movement:' || movement.id || ';') COLLATE "C"
          AND entry.reverses IS NULL
          AND NOT EXISTS (SELECT FROM journal_entries AS reversal WHERE reversal.reverses = entry.id)
        GROUP BY entry.id, entry.posting
      ) AS open ON true
      WHERE ${about('movement', (ids) => `movement.id IN (${ids})`)}
      GROUP BY movement.id
      HAVING count(open.id) FILTER (WHERE open.posting <> 'cold.drawn') <> ${EXPECTED}
        OR bool_or(open.posting <> 'cold.drawn' AND open.units <> movement.units
          - CASE WHEN open.posting IN ('hot.funded', 'deposit.funded') THEN movement.fee_units ELSE 0 END)
        OR bool_or(open.posting = 'cold.drawn' AND (movement.status <> 'final' OR open.units > movement.units))`,
  },
  {
    name: 'movement-or-deposit',
    rule: 'A transfer is a deposit or a movement, never both.',
    sql: ({ about }) => `
      SELECT 'movement ' || movement.id AS subject FROM movements AS movement
      JOIN deposits AS deposit USING (blockchain_id, tx_id, leg)
      WHERE movement.status <> 'reverted' AND deposit.status <> 'reverted'
        AND ${about('movement', (ids) => `movement.id IN (${ids})`)}`,
  },
]
