import { Transaction } from '@scure/btc-signer'
import type { Chain } from '../../adapter.ts'
import type { UnsignedPsbt } from '../../signing/psbts.ts'
import { idOf, type Plan, SEQUENCE, SIGHASH_ALL, transactionOf } from './transaction.ts'

/**
 * Writes a plan as a PSBT. It states amounts as `witnessUtxo`, which signatures cover (BIP-143). The server knows the account's
 * key but not its seed, so keys are named by the account's fingerprint and the path below it.
 */
export function buildPsbt(chain: Chain, plan: Plan): UnsignedPsbt {
  const transaction = transactionOf(chain, plan)
  const fingerprint = Number.parseInt(plan.source.fingerprint, 16)
  const tx = new Transaction({ disableScriptCheck: true, allowUnknownOutputs: true })
  for (const { txId, vout, units, index, publicKey, script, redeem } of transaction.inputs) {
    tx.addInput({
      txid: txId,
      index: vout,
      sequence: SEQUENCE,
      witnessUtxo: { script, amount: units },
      sighashType: SIGHASH_ALL,
      bip32Derivation: [[publicKey, { fingerprint, path: [0, index] }]],
      ...(redeem && { redeemScript: redeem }),
    })
  }
  tx.addOutput({ script: transaction.output.script, amount: transaction.output.units })
  return { psbt: Buffer.from(tx.toPSBT(0)).toString('base64'), txId: idOf(transaction) }
}
