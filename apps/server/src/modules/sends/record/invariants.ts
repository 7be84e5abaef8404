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
        SELECT coalesce(sum(CASE WHEN entry.source_key LIKE '%:reopen:%' THEN -1 ELSE 1 END), 0) AS decisions,
          coalesce(sum(paid.units), 0) AS fee
        FROM journal_entries AS entry
        LEFT JOIN LATERAL (
          SELECT sum(CASE account.id WHEN line.debit_account THEN line.units ELSE -line.units END) AS units
          FROM postings AS line JOIN accounts AS account ON account.id IN (line.debit_account, line.credit_account)
          WHERE line.entry_id = entry.id AND account.kind = 'fees:network'
        ) AS paid ON true
        WHERE entry.source_key >= 'send-decision:' || send.id || ':' COLLATE "C"
          AND entry.source_key < 'send-decision:' || send.id || ';' COLLATE "C"
      ) AS journal ON true
      WHERE ${about('send-decision', (ids) => `send.id IN (${ids})`)} AND (
        journal.decisions <> CASE WHEN ${undecided} THEN 0 ELSE 1 END
        OR journal.fee <> coalesce(send.fee_units, 0))`,
  },
]
