import { UNDECIDED_STATES } from '@kassa/contract/sends/machine.ts'

import type { Invariant } from '../../../module.ts'

const undecided = `send.state IN (${UNDECIDED_STATES.map((state) => `'${state}'`).join(', ')})`

/** What must hold between sends and the ledger (money.md 4.5). */
export const sendsInvariants: readonly Invariant[] = [
  {
    name: 'held-for-sends',
    rule: 'What is held of a hot wallet is the amounts and fee ceilings of its sends that the chain has not decided.',
    sql: () => `
      SELECT owner_key || ', unit ' || unit_id AS subject
      FROM (
        SELECT 'wallet:' || wallet_id AS owner_key, unit_id, sum(units) AS units
        FROM (
          SELECT wallet_id, asset_id AS unit_id, units FROM sends AS send WHERE ${undecided} AND asset_id IS NOT NULL
          UNION ALL
          SELECT wallet_id, fee_asset_id, fee_ceiling FROM sends AS send WHERE ${undecided}
        ) AS reserved
        GROUP BY 1, 2
      ) AS expected
      FULL JOIN (
        SELECT unit_id, owner_key, debits - credits AS units FROM accounts WHERE kind = 'chain:hot-held'
      ) AS booked USING (unit_id, owner_key)
      WHERE coalesce(expected.units, 0) <> coalesce(booked.units, 0)`,
  },
  {
    name: 'decided-sends',
    rule: 'Exactly the sends that the chain has decided have an entry of their decision that stands, with the fee they cost.',
    sql: ({ about }) => `
      SELECT 'send ' || send.id AS subject
      FROM sends AS send
      LEFT JOIN LATERAL (
        SELECT count(*) AS entries, sum((
          SELECT sum(line.units) FROM postings AS line JOIN accounts AS paid ON paid.id = line.debit_account
          WHERE line.entry_id = entry.id AND paid.kind = 'fees:network')) AS fee
        FROM journal_entries AS entry
        WHERE entry.source_key LIKE 'send-decision:' || send.id || ':decide:%'
          AND NOT EXISTS (SELECT FROM journal_entries AS back WHERE back.reverses = entry.id)
      ) AS journal ON true
      WHERE ${about('send-decision', (ids) => `send.id IN (${ids})`)} AND (
        journal.entries <> CASE WHEN ${undecided} THEN 0 ELSE 1 END
        OR (NOT ${undecided} AND coalesce(journal.fee, 0) <> send.fee_units))`,
  },
]
