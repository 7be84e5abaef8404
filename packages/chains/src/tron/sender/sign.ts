import { signTransaction } from '@kassa/keys/tron/transaction.ts'
import type { Chain, SignedTx, UnsignedTx } from '../../adapter.ts'
import { rawOf } from './plan.ts'

/** Signs a transaction with the key of its sender; see `ChainSender.sign`. */
export function signSend(_chain: Chain, tx: UnsignedTx, key: Uint8Array): SignedTx {
  return signTransaction(rawOf(tx), key)
}
