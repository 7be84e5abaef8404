/** Transactions that a wallet of the browser signs and our nodes are given: networks whose wallets send nothing from a page. */
import * as z from 'zod/mini'

import { dec } from '../kit/codecs.ts'
import { text } from '../kit/fields.ts'

const DRAFT_OBSTACLES = ['short_of_asset', 'short_of_coin', 'would_fail'] as const

/** What a wallet is to sign, or what stands against it. */
export const WalletDraft = z.object({
  /** The bytes that are signed, as hex; null where something stands against it. */
  rawData: z.nullable(z.string()),
  obstacle: z.nullable(z.enum(DRAFT_OBSTACLES)),
  /** What running it takes, with room; `0` where no code runs. */
  gas: dec,
  /** The most it takes of the network's own coin, beyond what it moves. */
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

/** A node took it: whether a block does, the chain says. */
export const SentDraft = z.object({ transactionHash: z.string() })
