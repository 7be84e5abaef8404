import { readSolanaSignature } from '@kassa/keys/solana/address.ts'
import type { TransactionIds } from '../../adapter.ts'

/** Transactions of Solana are named by their first signature: 64 bytes in base58, in which case counts. */
export const solanaTransactionIds: TransactionIds = {
  normalizeId(text) {
    const trimmed = text.trim()
    return readSolanaSignature(trimmed) ? trimmed : null
  },
}
