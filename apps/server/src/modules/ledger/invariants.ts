import type { Invariant, Touched } from '../../module.ts'
import { BROKEN_SEALS } from './seal-store.ts'

/** Checks the whole ledger. */
export const EVERYTHING: Touched = { entry: 'true', account: 'true', about: () => 'true' }

/** Limits a check to what entries after this one are about; nothing else has changed since. */
export function touchedSince(entryId: bigint): Touched {
  const idsOf = (noun: string) => `
    SELECT split_part(source_key, ':', 2)::bigint FROM journal_entries
    WHERE id > ${entryId} AND source_key LIKE '${noun}:%'`
  return {
    entry: `entry.id > ${entryId}`,
    account: `account.id IN (
      SELECT debit_account FROM postings WHERE entry_id > ${entryId}
      UNION SELECT credit_account FROM postings WHERE entry_id > ${entryId})`,
    about: (noun, within) => within(idsOf(noun)),
  }
}

/** What must hold within the ledger itself. */
export const ledgerInvariants: readonly Invariant[] = [
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
    rule: 'In each unit of account, what Kassa holds equals what it owes.',
    sql: () => `
      SELECT 'unit ' || unit_id AS subject FROM accounts GROUP BY unit_id HAVING sum(debits - credits) <> 0`,
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
