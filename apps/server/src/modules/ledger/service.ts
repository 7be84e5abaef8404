/**
 * The ledger: what Kassa holds and whose it is. A change of a balance is a balanced entry, written once, in the
 * transaction of the change that caused it, and never altered: a correction is a second entry that mirrors the first.
 */
import { type Context, inTransaction } from '../../context.ts'
import { type JournalEntry, type StoredEntry, reversalOf, mirroring, buildEntry } from './rules.ts'
import { findEntry, insertEntries, insertEntry, insertMirrors, listEntries, listUnreversed } from './store.ts'

export type { Breach } from './invariants.ts'
export { listDifferences } from './books-store.ts'
export { findLastSeal } from './seal-store.ts'
export { unhurried } from './verify-ledger.ts'

export { verifyLedger } from './verify-ledger.ts'
export type { JournalEntry, PostedDeposit, StoredEntry } from './rules.ts'
export { Overdrawn } from './store.ts'

/**
 * Records a business event and returns the entry's id.
 * @throws AlreadyPosted when this event was recorded before: exactly once per source key
 * @throws Overdrawn when an account that may not fall below zero would
 */
export async function post(ctx: Context, entry: JournalEntry): Promise<bigint> {
  return insertEntry(ctx, buildEntry(entry))
}

/**
 * Records business events in the order given, all or none; account totals move once for all of them.
 * @throws AlreadyPosted, Overdrawn as `post`; then the open transaction must be given up
 */
export async function postAll(ctx: Context, entries: readonly JournalEntry[]): Promise<void> {
  await insertEntries(ctx, entries.map(buildEntry))
}

/** Mirrors one entry and returns the mirror's id. @throws AlreadyPosted, Overdrawn, or an Error when there is no such entry */
export async function reverse(ctx: Context, input: { sourceKey: string; newSourceKey: string }): Promise<bigint> {
  return inTransaction(ctx, async (tx) => {
    const entry = await findEntry(tx, input.sourceKey)
    if (!entry) throw new Error(`The journal holds no entry ${input.sourceKey}`)
    return insertEntry(tx, reversalOf(entry, input.newSourceKey))
  })
}

/**
 * Mirrors whatever is recorded below prefixes such as `deposit:7:` and not taken back yet: prefix by prefix, newest first.
 * Account totals move once for all of it, so that no guarded account passes below zero on the way. Doing it again does
 * nothing.
 */
export async function reverseAll(ctx: Context, prefixes: readonly string[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const found = await listUnreversed(tx, prefixes)
    await insertMirrors(tx, found.map(mirroring))
  })
}

/** Entries whose source key starts with one of the prefixes (`deposit:7:`), in the order they were written. */
export function entriesOf(ctx: Context, prefixes: readonly string[]): Promise<StoredEntry[]> {
  return listEntries(ctx, prefixes)
}
