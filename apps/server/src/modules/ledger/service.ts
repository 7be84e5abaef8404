/**
 * The ledger: what Kassa holds and whose it is. A change of a balance is a balanced entry, written once, in the
 * transaction of the change that caused it, and never altered: a correction is a second entry that mirrors the first.
 */
import { type Context, inTransaction } from '../../context.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'

import type { BooksReport } from './books.ts'
import { findLastBookCheck, insertBookCheck } from './books-store.ts'
import { checkAll } from './check-books.ts'
import { type JournalEntry, type StoredEntry, mirrored, mirrorKey, written } from './rules.ts'
import { findEntry, insertEntry, listEntries, listUnreversedEntries } from './store.ts'
import { booksView } from './view.ts'

export type { BooksReport } from './books.ts'
export { isSound } from './check-books.ts'
export type { JournalEntry, PostedDeposit, StoredEntry } from './rules.ts'
export { AlreadyPosted, Overdrawn } from './store.ts'

/**
 * Records a business event and returns the entry's id.
 * @throws AlreadyPosted when this event was recorded before: exactly once per source key
 * @throws Overdrawn when an account that may not fall below zero would
 */
export async function post(ctx: Context, entry: JournalEntry): Promise<bigint> {
  return inTransaction(ctx, (tx) => insertEntry(tx, written(entry)))
}

/** Mirrors one entry and returns the mirror's id. @throws AlreadyPosted, Overdrawn, or an Error when there is no such entry */
export async function reverse(ctx: Context, input: { sourceKey: string; newSourceKey: string }): Promise<bigint> {
  return inTransaction(ctx, async (tx) => {
    const entry = await findEntry(tx, input.sourceKey)
    if (!entry) throw new Error(`The journal holds no entry ${input.sourceKey}`)
    return insertEntry(tx, mirrored(entry, input.newSourceKey))
  })
}

/**
 * Mirrors whatever is recorded below a prefix such as `deposit:7:` and not taken back yet, newest first, so that no
 * guarded account passes below zero on the way. Doing it again does nothing.
 */
export async function reverseAll(ctx: Context, prefix: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    for (const entry of await listUnreversedEntries(tx, prefix)) {
      await insertEntry(tx, mirrored(entry, mirrorKey(entry.sourceKey)))
    }
  })
}

/** Entries whose source key starts with one of the prefixes (`deposit:7:`), in the order they were written. */
export function entriesOf(ctx: Context, prefixes: readonly string[]): Promise<StoredEntry[]> {
  return listEntries(ctx, prefixes)
}

/** Checks the books with each other and with every active blockchain; changes nothing. */
export function checkBooks(ctx: Context): Promise<BooksReport> {
  return checkAll(ctx)
}

/** Checks the books and keeps what was found. */
export async function recordCheck(ctx: Context): Promise<BooksCheck> {
  const check = booksView(await checkAll(ctx))
  const { checkedAt, ...kept } = check
  await insertBookCheck(ctx, checkedAt, kept)
  return check
}

/** What the last check found; the first time somebody asks, a check is made. */
export async function lastCheck(ctx: Context): Promise<BooksCheck> {
  return (await findLastBookCheck(ctx)) ?? recordCheck(ctx)
}
