/** Transactions of sweeps that are signed outside of the server (api.md S9–S12). */
import * as z from 'zod/mini'

import { dec, id, int, ts } from '../kit/codecs.ts'
import { text } from '../kit/fields.ts'

/** `pending`: it waits for a signature; `in-progress`: it is signed; `done`: it has arrived. */
export const OFFLINE_STATES = ['pending', 'in-progress', 'done'] as const

export type OfflineState = (typeof OFFLINE_STATES)[number]

export const OfflineFilters = z.object({
  blockchainCode: z.optional(z.string()),
  status: z.optional(z.enum(OFFLINE_STATES, { error: `Status must be one of: ${OFFLINE_STATES.join(', ')}` })),
  limit: z.optional(int),
  offset: z.optional(int),
})

export type OfflineFilters = z.output<typeof OfflineFilters>

const head = {
  /** Of the sweep. */
  id,
  blockchainCode: z.string(),
  numberOfUTXOs: int,
  /** What its coins hold; all but the fee arrives. */
  total: dec,
  fee: dec,
  /** The cold wallet. */
  destination: z.string(),
  status: z.enum(OFFLINE_STATES),
  createdAt: ts,
  /** Until when it can be signed; null once it is. */
  expiresAt: z.nullable(ts),
  txHash: z.string(),
}

export const OfflineBatch = z.object(head)

export type OfflineBatch = z.output<typeof OfflineBatch>

export const OfflineBatches = z.object({ sweepTransactionInfo: z.array(OfflineBatch), totalCount: int })

export const OfflineBatchDetail = z.object({
  ...head,
  /** The same as `blockchainCode`. */
  blockchainType: z.string(),
  /** PSBT of version 0 (BIP-174) in base64, without signatures. */
  psbt: z.string(),
  sweepTransactions: z.array(
    z.object({ txid: z.string(), vout: int, amount: dec, address: z.string(), path: z.string() }),
  ),
})

export type OfflineBatchDetail = z.output<typeof OfflineBatchDetail>

/** Base64 of five hundred inputs with the transactions they spend, as some signers add them. */
const MOST_TEXT = 6_000_000

export const OfflineSignature = z.object({ psbt: text('PSBT', { max: MOST_TEXT }) })
