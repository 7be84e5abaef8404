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
  tables: {},
  columns: { 'accounts.asset_id': 'unit_id', 'postings.asset_id': 'unit_id' },
  queues: {},
}
