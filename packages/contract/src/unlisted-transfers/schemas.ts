import * as z from 'zod/mini'

import { dec, id, ts } from '../kit/codecs.ts'

/** What an unlisted contract states about itself, made harmless: letters and digits only, never the name of a listed currency. */
const claims = {
  contract: z.string(),
  /** Null where it says nothing that can be shown. */
  symbol: z.nullable(z.string()),
  /** Its name looks, in whatever spelling, like a currency that Kassa lists. */
  isLookAlike: z.boolean(),
  /** In its own decimals; null where it states none or the number means nothing. */
  amount: z.nullable(dec),
}

/** A token that Kassa does not list was sent to a customer's address: nothing of it counts, anywhere. */
export const UnlistedTransfer = z.object({
  id,
  ...claims,
  blockchainCode: z.string(),
  txHash: z.string(),
  toAddress: z.string(),
  minedAt: ts,
  memberID: id,
  externalPlatformID: id,
})

export type UnlistedTransfer = z.output<typeof UnlistedTransfer>

/** The same beside a payment, as its payer sees it. */
export const UnlistedNotice = z.object({
  ...claims,
  blockchainCode: z.string(),
  txHash: z.string(),
  explorerTransaction: z.string(),
  minedAt: ts,
})

export type UnlistedNotice = z.output<typeof UnlistedNotice>
