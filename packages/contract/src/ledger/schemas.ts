import * as z from 'zod/mini'

import { dec, id, int, ts, usd } from '../kit/codecs.ts'

/** The result of the last check of the ledger: by itself, and against the chains. */
export const BooksCheck = z.object({
  ok: z.boolean(),
  checkedAt: ts,
  debitsMinusCredits: z.array(z.object({ currencyCode: z.string(), blockchainCode: z.string(), difference: dec })),
  chainDrift: z.array(
    z.object({
      blockchainCode: z.string(),
      currencyCode: z.string(),
      height: int,
      ledger: dec,
      chain: dec,
      difference: dec,
    }),
  ),
  /** Hash of the newest seal over the journal; null while entries are not sealed. */
  headHash: z.nullable(z.string()),
  /** Rules that the ledger breaks, each with the number of rows. */
  broken: z.array(z.object({ rule: z.string(), rows: int, examples: z.array(z.string()) })),
  /** Blockchains that could not be compared, and why. */
  unchecked: z.array(z.object({ blockchainCode: z.string(), reason: z.string() })),
})

export type BooksCheck = z.output<typeof BooksCheck>

/** What an account holds on its normal side (money.md 4.1). */
export const AccountBalance = z.object({
  account: z.string(),
  blockchainCode: z.nullable(z.string()),
  currencyCode: z.string(),
  balance: dec,
  /** At the current price; null without one, or for a day in the past. */
  inUSD: z.nullable(usd),
})

export type AccountBalance = z.output<typeof AccountBalance>

/** One account of an entry: either `debit` or `credit` is set. */
export const JournalLine = z.object({
  account: z.string(),
  debit: z.nullable(dec),
  credit: z.nullable(dec),
  currencyCode: z.string(),
})

/** A balanced entry of the journal; `source` is the event that wrote it, such as `deposit:812:apply`. */
export const JournalEntry = z.object({
  id,
  at: ts,
  posting: z.string(),
  lines: z.array(JournalLine),
  source: z.string(),
})

export type JournalEntry = z.output<typeof JournalEntry>

/** What one entry does to one account, as the details of a payout and a sweep list it. */
export const AccountPosting = z.object({
  id: int,
  at: ts,
  posting: z.string(),
  account: z.string(),
  debit: z.nullable(dec),
  credit: z.nullable(dec),
  asset: z.string(),
})

/** A row of the exported journal, version 1 of its columns: one posting line. */
export const JournalRow = z.object({
  entry: id,
  line: int,
  at: ts,
  posting: z.string(),
  source: z.string(),
  projectID: z.nullable(id),
  blockchainCode: z.string(),
  currencyCode: z.string(),
  debitAccount: z.string(),
  creditAccount: z.string(),
  amount: dec,
})

export type JournalRow = z.output<typeof JournalRow>
