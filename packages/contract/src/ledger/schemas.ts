import * as z from 'zod/mini'

import { dec, int, ts } from '../kit/codecs.ts'

/** What the last check of the books found: with each other, and with the chains. */
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
  /** Rules the books break, each with how many rows break it. */
  broken: z.array(z.object({ rule: z.string(), rows: int, examples: z.array(z.string()) })),
  /** Blockchains that could not be compared, and why. */
  unchecked: z.array(z.object({ blockchainCode: z.string(), reason: z.string() })),
})

export type BooksCheck = z.output<typeof BooksCheck>
