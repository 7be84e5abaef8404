/**
 * The ledger: what Kassa holds and whose it is. A change of a balance is a balanced entry, written once, in the
 * transaction of the change that caused it, and never altered: a correction is a second entry, the reversal of the
 * first. It knows no other module: postings and invariants come from the module whose event they record.
 */
import { type Context, inTransaction, type ProjectScope } from '../../context.ts'
import { allowLong } from '../../db/database.ts'
import type { Invariant } from '../../module.ts'
import { listEntries, listUnreversed } from './entries-store.ts'
import { type Breach, EVERYTHING, touchedSince } from './invariants.ts'
import {
  type Balance,
  compactCoins,
  listCoins,
  listDifferences,
  listWalletBalances,
  type WalletBalance,
} from './balances-store.ts'
import { findBreach } from './invariants-store.ts'
import { type Account, type Entry, reversalOf, type StoredEntry, type Unit } from './rules.ts'
import { closeSeal, markSeal } from './seal-store.ts'
import { insertEntries, insertReversals, listHeld } from './store.ts'

export type { Breach } from './invariants.ts'
export {
  type Account,
  type AccountKind,
  type Entry,
  type Line,
  rowsOfEntry,
  type StoredEntry,
  type Unit,
} from './rules.ts'
export { findLastSeal } from './seal-store.ts'
export type { WalletBalance } from './balances-store.ts'
export { Overdrawn } from './store.ts'

/**
 * Posts business events in the order given, all or none; account totals move once for all of them.
 * @throws AlreadyPosted when one of them was posted before, Overdrawn when an account that may not fall below zero would;
 * then the open transaction must be rolled back
 */
export function post(ctx: Context, entries: readonly Entry[]): Promise<void> {
  return insertEntries(ctx, entries)
}

/**
 * Reverses every entry whose source starts with one of these texts, such as `deposit:7:`, and that has no reversal yet:
 * text by text, newest first. Account totals move once for all of them, so that no guarded account passes below zero on
 * the way. Repeating it does nothing.
 * @throws Overdrawn as `post`
 */
export async function reverse(ctx: Context, sources: readonly string[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const found = await listUnreversed(tx, sources)
    await insertReversals(tx, found.map(reversalOf))
  })
}

/** Entries whose source starts with one of these texts, such as `deposit:7:`, in the order they were written. */
export function entriesOf(ctx: Context, sources: readonly string[]): Promise<StoredEntry[]> {
  return listEntries(ctx, sources)
}

/** Returns the balance of each account on its normal side, in the order given. */
export async function balancesOf(ctx: Context, accounts: readonly Account[]): Promise<bigint[]> {
  return accounts.length === 0 ? [] : listHeld(ctx, accounts)
}

/** The coins that lie on deposit addresses of projects now, by asset. */
export function coinsOnAddresses(ctx: Context, projectIds: ProjectScope['projectIds']): Promise<Balance[]> {
  return listCoins(ctx, projectIds)
}

/** Adds the changes there are to the coins of their projects; what is posted meanwhile waits for the next run. */
export async function addUpCoins(ctx: Context): Promise<void> {
  while (await compactCoins(ctx)) continue
}

/** Returns the balances of wallets by wallet, account and asset; of deposit wallets, those of these projects. */
export function balancesOfWallets(ctx: Context, projectIds: ProjectScope['projectIds']): Promise<WalletBalance[]> {
  return listWalletBalances(ctx, projectIds)
}

/** The timeout: reading every entry of ten million payments takes minutes on a small machine. */
const VERIFY_MS = 30 * 60_000

/**
 * Verifies invariants and returns those that are broken; reads no blockchain. With `since`, covers only what entries
 * after that one are about, where an invariant allows it.
 */
export async function verify(
  ctx: Context,
  invariants: readonly Invariant[],
  since: bigint | null = null,
): Promise<Breach[]> {
  const breaches: Breach[] = []
  const touched = since === null ? EVERYTHING : touchedSince(since)
  for (const invariant of invariants.filter(({ isFullOnly }) => since === null || !isFullOnly)) {
    const breach = await unhurried(ctx, (tx) => findBreach(tx, invariant, touched))
    if (breach) breaches.push(breach)
  }
  return breaches
}

/** Debits minus credits of each unit of account that has accounts: 0 each. */
export function differences(ctx: Context): Promise<{ unit: Unit; units: bigint }[]> {
  return unhurried(ctx, listDifferences)
}

function unhurried<T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    await allowLong(tx.db, VERIFY_MS)
    return read(tx)
  })
}

/**
 * Seals the newest entries: closes the seal that was marked before, as soon as no entry with a smaller id can still be
 * committed, and marks the next. No writer waits for it; an entry written meanwhile is sealed one run later. Returns
 * how many seals were closed.
 */
export async function sealJournal(ctx: Context): Promise<number> {
  let closed = 0
  for (;;) {
    const isClosed = await closeSeal(ctx)
    if (isClosed) closed += 1
    const isMarked = await markSeal(ctx)
    if (!isMarked) return closed
  }
}
