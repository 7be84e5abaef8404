import { readSolanaSignature } from '@kassa/keys/solana/address.ts'
import type { TransactionIds } from '../../adapter.ts'

/** The id of a Solana transaction is its first signature: 64 bytes in case-sensitive base58. */
export const solanaTransactionIds: TransactionIds = {
  normalizeId(text) {
    const trimmed = text.trim()
    return readSolanaSignature(trimmed) ? trimmed : null
  },
}
