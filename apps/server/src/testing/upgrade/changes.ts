/**
 * What migrations after the oldest fixture changed about rows that were there: the upgrade test finds everything else as it
 * was. A migration that renames a table or a column adds a line here.
 */
export const CHANGES: {
  /** Old name of a table → its name now. */
  readonly tables: Readonly<Record<string, string>>
  /** `table.column`, by their old names → the column's name now; null when its values became other ones, or it went. */
  readonly columns: Readonly<Record<string, string | null>>
  /** Queue that no worker takes any more → the queue that its waiting jobs were moved to. */
  readonly queues: Readonly<Record<string, string>>
} = {
  tables: {
    node_opinions: 'cross_checks',
    balance_looks: 'address_snapshots',
    balance_finds: 'balance_deposits',
    chain_findings: 'discrepancies',
    book_checks: 'ledger_checks',
    price_turns: 'price_polls',
  },
  columns: {
    'accounts.asset_id': 'unit_id',
    'postings.asset_id': 'unit_id',
    'balance_looks.looked_at': 'checked_at',
    'chain_cursors.looked_at': 'checked_at',
    'deposits.round': 'revision',
    'deposits.doubt': 'quarantine_reason',
    // Became codes.
    'deposits.waits_because': null,
    'deposits.reason': null,
    'blockchains.reason': null,
    'chain_cursors.reason': null,
    'chain_cursors.notice': null,
    'payments.settled_at': 'resolved_at',
    'payments.settled_by': 'resolved_by',
    'payments.settled_note': 'resolved_note',
    // Actions of a resolution's event took the terms of the glossary.
    'events.payload': null,
    // What could be credited on a family that is sent on can be paid out too.
    'assets.withdrawal_enabled': null,
    'assets.updated_at': null,
    // Labels of endpoints' secrets name the host only.
    'secrets.label': null,
  },
  queues: {
    'auth.forgetOld': 'auth.forget-old',
    'auth.mailPasswordChanged': 'auth.mail-password-changed',
    'auth.mailReset': 'auth.mail-reset',
    'ledger.check-books': 'ledger.verify',
    'prices.forgetOld': 'prices.forget-old',
    'watch.compare': 'reconciliation.compare-addresses',
    'watch.pace': 'watch.check-lag',
    'watch.rescans': 'watch.continue-rescans',
  },
}
