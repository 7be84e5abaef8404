/** Lines of the ledger as a payment, a payout and a sweep carry them. */
import { parseUnits } from '@kassa/primitives/money/units.ts'

export type JournalLine = {
  readonly id: number
  readonly at: Date
  /** The kind of entry, where the answer names it: "sweep.start". */
  readonly posting?: string
  readonly account: string
  readonly debit: string | null
  readonly credit: string | null
  readonly asset: string
}

export type LedgerEntry = { readonly id: number; readonly at: Date; readonly lines: readonly JournalLine[] }

/** More decimals than any asset has, so that amounts of all of them add up exactly. */
const SUM_DECIMALS = 36

/** Returns the journal's lines by the entry they belong to. */
export function ledgerEntries(journal: readonly JournalLine[]): LedgerEntry[] {
  const byId = Map.groupBy(journal, ({ id }) => id)
  return [...byId].map(([id, lines]) => ({ id, at: lines[0]?.at ?? new Date(0), lines }))
}

/** Returns the name of an account or a posting as words: "project:unconfirmed" → "project unconfirmed". */
export function accountText(account: string): string {
  return account.replaceAll(/[.:-]+/g, ' ')
}

/** Whether debits and credits are equal in every asset. */
export function isBalanced(journal: readonly JournalLine[]): boolean {
  const sums = new Map<string, bigint>()
  for (const { asset, debit, credit } of journal) {
    const change = parseUnits(debit ?? '0', SUM_DECIMALS) - parseUnits(credit ?? '0', SUM_DECIMALS)
    sums.set(asset, (sums.get(asset) ?? 0n) + change)
  }
  return [...sums.values()].every((sum) => sum === 0n)
}
