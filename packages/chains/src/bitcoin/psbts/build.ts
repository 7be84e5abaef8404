import { Transaction } from '@scure/btc-signer'
import type { Chain, DepositSource } from '../../adapter.ts'
import type { UnsignedPsbt } from '../../signing/psbts.ts'
import { bitcoinAddresses } from '../addresses/addresses.ts'
import { idOf, type Plan, scriptKind, SEQUENCE, SIGHASH_ALL, transactionOf } from './transaction.ts'

/** Virtual bytes of an input with its signature and key, rounded up (BIP-141): native SegWit, and in a script's hash. */
const INPUT_BYTES = { p2wpkh: 68n, 'p2sh-p2wpkh': 91n } as const

/** Version, lock time, marker and the counts of up to 65,535 inputs and one output; then amount and length of the output. */
const ENDS = 14n + 9n

/** See `PsbtBuilderOf.sizes`. */
export function sizesOf(chain: Chain, { source, to }: { source: DepositSource; to: string }) {
  return { base: ENDS + BigInt(bitcoinAddresses.key(chain, to).length), input: INPUT_BYTES[scriptKind(source)] }
}

/**
 * Writes a plan as a PSBT. Amounts stand in it as `witnessUtxo`, which signatures cover (BIP-143). The server knows the key
 * of the account and not the seed it came from, so keys are named by the fingerprint of the account and the path below it.
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
