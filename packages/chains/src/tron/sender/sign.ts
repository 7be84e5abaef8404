import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Chain, SignedTx, UnsignedTx } from '../../adapter.ts'
import { fromHex } from '../encoding/hex.ts'
import { transactionId, writeSignedTransaction } from '../encoding/messages.ts'
import { rawOf } from './plan.ts'

/** Signs the id of a transaction with the key of its sender: r, s and the recovery number; see `ChainSender.sign`. */
export function signSend(_chain: Chain, tx: UnsignedTx, key: Uint8Array): SignedTx {
  const raw = rawOf(tx)
  const txId = transactionId(raw)
  const [recovery = 0, ...rest] = secp256k1.sign(fromHex(txId), key, { prehash: false, format: 'recovered' })
  return { txId, raw: writeSignedTransaction(raw, Uint8Array.of(...rest, recovery)) }
}
