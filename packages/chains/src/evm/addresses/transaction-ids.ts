import type { TransactionIds } from '../../adapter.ts'

const HASH = /^(?:0x)?([0-9a-f]{64})$/

/** Transactions of EVM chains are named by a hash of 32 bytes, which nodes print in lower case. */
export const evmTransactionIds: TransactionIds = {
  normalizeId(text) {
    const digits = HASH.exec(text.trim().toLowerCase())?.[1]
    return digits === undefined ? null : `0x${digits}`
  },
}
