import { formatUnits } from '@kassa/primitives/money/units.ts'

/** Debit-normal accounts state where the coins are, credit-normal ones whose they are (money.md 4.1). */
export type Side = 'D' | 'C'

/**
 * The chart of accounts (money.md 4.1): the side of each kind, and whether it may never fall below zero. It is one table,
 * because accounts are shared: deposits, payouts, refunds and rewards all move `project:balance`.
 */
export const ACCOUNTS = {
  'chain:deposit-addresses': { side: 'D', guarded: true },
  'chain:unconfirmed': { side: 'D', guarded: true },
  'chain:transit': { side: 'D', guarded: true },
  // No entry may bring it below zero; a reversal may, see `FALLS_BY_REVERSAL`.
  'chain:hot': { side: 'D', guarded: false },
  'chain:hot-held': { side: 'D', guarded: true },
  'chain:cold': { side: 'D', guarded: true },
  'project:balance': { side: 'C', guarded: false },
  'project:held': { side: 'C', guarded: true },
  'project:unconfirmed': { side: 'C', guarded: true },
  'project:quarantine': { side: 'C', guarded: true },
  'project:dust': { side: 'C', guarded: true },
  'customer:unapplied': { side: 'C', guarded: true },
  'referral:expense': { side: 'D', guarded: false },
  'referral:payable': { side: 'C', guarded: true },
  'referral:held': { side: 'C', guarded: true },
  'referral:receivable': { side: 'D', guarded: true },
  'fees:network': { side: 'D', guarded: false },
  'owner:funding': { side: 'C', guarded: false },
  'owner:drawn': { side: 'D', guarded: false },
  'losses:reorg': { side: 'D', guarded: false },
  'exchange:position': { side: 'D', guarded: false },
} as const satisfies Record<string, { side: Side; guarded: boolean }>

export type AccountKind = keyof typeof ACCOUNTS

/**
 * Accounts that only a reversal may bring below zero: a reorganisation takes back what funded a hot wallet, whatever its sends
 * have reserved by then (money.md 2.3). No entry takes from one what it does not hold.
 */
const FALLS_BY_REVERSAL: ReadonlySet<AccountKind> = new Set(['chain:hot'])

/** Sums what these entries take from such accounts, where they take more than they add: one row per kind, owner and unit. */
export function takenFrom(entries: readonly Entry[]): Account[] {
  const moved = new Map<string, { readonly account: Account; units: bigint }>()
  for (const { debit, credit, units } of entries.flatMap(({ lines }) => lines)) {
    for (const [account, change] of [[debit, units] as const, [credit, -units] as const]) {
      if (!FALLS_BY_REVERSAL.has(account.kind)) continue
      const key = `${account.owner} ${account.unitId}`
      moved.set(key, { account, units: (moved.get(key)?.units ?? 0n) + change })
    }
  }
  return [...moved.values()].flatMap(({ account, units }) => (units < 0n ? [account] : []))
}

/** `owner` is whose money it is or where it is, such as `project:3` or `address:77`. */
export type Account = {
  readonly kind: AccountKind
  readonly owner: `${string}:${bigint | number}`
  /** The unit of an asset has the number of the asset. */
  readonly unitId: number
}

/** Moves units from the credited to the debited account; both count in the same unit of account. */
export type Line = { readonly debit: Account; readonly credit: Account; readonly units: bigint }

/** An event that moved money: each kind of posting is one row of money.md 4.3. */
export type Entry = {
  readonly posting: string
  /** Its unique key, `<noun>:<id>:<event>[:<n>]`: an event is posted once. */
  readonly source: string
  readonly projectId: number | null
  /** The block it belongs to, or null for what is on no chain. */
  readonly at: { readonly blockchainId: number; readonly height: number } | null
  readonly lines: readonly Line[]
}

/** A unit of account: what amounts are counted in. */
export type Unit = {
  readonly id: number
  /** Null, as its blockchain, for a unit that is on no blockchain. */
  readonly assetId: number | null
  readonly blockchainCode: string | null
  readonly currencyCode: string
  readonly decimals: number
}

/** An entry of the journal, with the unit of account of each line. */
export type StoredEntry = Omit<Entry, 'lines'> & {
  readonly id: bigint
  /** The entry that this one reverses. */
  readonly reverses: bigint | null
  readonly postedAt: Date
  readonly lines: readonly (Line & { readonly unit: Unit })[]
}

/** What is written of a reversal: the entry it reverses, its posting, and its source. */
export type Reversal = { readonly id: bigint; readonly posting: string; readonly source: string }

/** Turns an entry into its reversal: `deposit:7:apply:2` is reversed by `deposit:7:reverse-apply:2`. */
export function reversalOf({ id, posting, source }: Reversal): Reversal {
  const [noun, subject, event, ...rest] = source.split(':')
  return {
    id,
    posting: `${posting.slice(0, posting.indexOf('.'))}.reverse`,
    source: [noun, subject, `reverse-${event}`, ...rest].join(':'),
  }
}

/** One side of a line of an entry, as a list of entries shows it. */
export type EntryRow = {
  readonly id: number
  readonly at: Date
  readonly posting: string
  readonly account: AccountKind
  readonly debit: string | null
  readonly credit: string | null
  readonly asset: string
}

/** An entry as two rows per line: what was debited, then what was credited. */
export function rowsOfEntry({ id, postedAt, posting, lines }: StoredEntry): EntryRow[] {
  return lines.flatMap(({ debit, credit, units, unit }) => {
    const amount = formatUnits(units, unit.decimals)
    const row = { id: Number(id), at: postedAt, posting, asset: unit.currencyCode }
    return [
      { ...row, account: debit.kind, debit: amount, credit: null },
      { ...row, account: credit.kind, debit: null, credit: amount },
    ]
  })
}
