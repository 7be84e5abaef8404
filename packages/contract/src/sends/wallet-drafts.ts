/** Transactions that a wallet in the browser signs and our nodes get, on networks whose wallets do not broadcast themselves. */
import * as z from 'zod/mini'

import { dec } from '../kit/codecs.ts'
import { text } from '../kit/fields.ts'

const DRAFT_OBSTACLES = ['short_of_asset', 'short_of_coin', 'would_fail'] as const

/** What a wallet is to sign, or why there is nothing to sign. */
export const WalletDraft = z.object({
  /** The bytes to be signed, as hex; null where something prevents it. */
  rawData: z.nullable(z.string()),
  obstacle: z.nullable(z.enum(DRAFT_OBSTACLES)),
  /** What running it uses, with room; `0` where no code runs. */
  gas: dec,
  /** The most it takes of the network's native coin, besides what it moves. */
  fee: dec,
  /** What its sender holds of that coin. */
  balance: dec,
})
export type WalletDraft = z.output<typeof WalletDraft>

/** Longer than any transaction that a draft is. */
const MOST_DIGITS = 4000

export const SignedDraft = z.object({
  rawData: text('Transaction', { max: MOST_DIGITS }),
  signature: text('Signature', { max: 200 }),
})
export type SignedDraft = z.output<typeof SignedDraft>

/** A node accepted it; the chain decides whether a block does. */
export const SentDraft = z.object({ transactionHash: z.string() })
