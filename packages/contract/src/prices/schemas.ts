import * as z from 'zod/mini'

import { dec, int, ts } from '../kit/codecs.ts'

/** What one asset costs in US dollars now; null when no trustworthy price exists, never a guess. */
export const TickerRow = z.object({
  blockchainCode: z.string(),
  currencyCode: z.string(),
  tokenAddress: z.string(),
  standard: z.string(),
  walletPrecision: int,
  family: z.string(),
  price: z.nullable(dec),
  updatedAt: ts,
  stale: z.boolean(),
})

export type TickerRow = z.output<typeof TickerRow>
