import type { Invariant } from '../../module.ts'

/** What must hold between sweeps and the ledger (money.md 4.5). */
export const sweepsInvariants: readonly Invariant[] = [
  {
    name: 'transit-of-sweeps',
    rule: 'What is on its way to cold wallets is the open items of sweeps that are under way.',
    sql: () => `
      SELECT owner_key || ', unit ' || unit_id AS subject
      FROM (
        SELECT 'sweep:' || sweep.id AS owner_key, sweep.asset_id AS unit_id, sum(item.units) AS units
        FROM sweeps AS sweep JOIN sweep_items AS item ON item.sweep_id = sweep.id
        WHERE sweep.status IN ('sweep-initiated', 'broadcast') AND item.state = 'open'
        GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT unit_id, owner_key, debits - credits AS units FROM accounts WHERE kind = 'chain:transit'
      ) AS booked USING (unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'settled-by-transfers',
    rule: 'An address is swept exactly by the final transfer that proves it, of all its units, and every final transfer of a sweep settles one.',
    sql: () => `
      SELECT 'sweep ' || item.sweep_id || ', address ' || item.address_id AS subject
      FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
      LEFT JOIN movements AS movement ON movement.id = item.movement_id
      WHERE item.state = 'swept' AND sweep.sent_by <> 'stranger' AND (
        movement.status IS DISTINCT FROM 'final' OR movement.units <> item.units OR movement.sweep_id IS DISTINCT FROM sweep.id
        OR movement.from_address_id IS DISTINCT FROM item.address_id)
      UNION ALL
      SELECT 'movement ' || movement.id FROM movements AS movement
      WHERE movement.kind = 'sweep' AND movement.status = 'final'
        AND NOT EXISTS (SELECT FROM sweep_items AS item WHERE item.movement_id = movement.id)`,
  },
  {
    name: 'one-sweep-at-a-time',
    rule: 'An address is in one open sweep of an asset at most, and belongs to it.',
    sql: () => `
      SELECT 'address ' || item.address_id || ', unit ' || item.asset_id AS subject
      FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
      LEFT JOIN address_sweeps AS held ON held.address_id = item.address_id AND held.asset_id = item.asset_id
      WHERE sweep.status = 'planned' AND item.state = 'open' AND held.sweep_id IS DISTINCT FROM sweep.id`,
  },
]
