import type { TransactionIds } from '../../adapter.ts'

const HASH = /^[0-9a-f]{64}$/

/** Transactions of Bitcoin are named by a hash of 32 bytes without their witness, which nodes print reversed, in lower case. */
export const bitcoinTransactionIds: TransactionIds = {
  normalizeId(text) {
    const id = text.trim().toLowerCase()
    return HASH.test(id) ? id : null
  },
}
