import type { TransactionIds } from '../../adapter.ts'

const HASH = /^(?:0x)?([0-9a-f]{64})$/

/** The id of a TRON transaction is a hash of 32 bytes, which nodes print in lower case without `0x`. */
export const tronTransactionIds: TransactionIds = {
  normalizeId: (text) => HASH.exec(text.trim().toLowerCase())?.[1] ?? null,
}
