import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Transaction } from '@scure/btc-signer'
import type { Chain } from '../../adapter.ts'
import type { PsbtRefusal, SignedPsbt } from '../../signing/psbts.ts'
import {
  digestsOf,
  idOf,
  type Plan,
  type PlannedInput,
  type PlannedTransaction,
  SEQUENCE,
  serialize,
  SIGHASH_ALL,
  transactionOf,
  VERSION,
} from './transaction.ts'

/** `psbt` and a byte (BIP-174). */
const MAGIC = 'cHNidP'

/** See `PsbtBuilderOf.check`. */
export function checkPsbt(chain: Chain, plan: Plan, text: string): SignedPsbt {
  const planned = transactionOf(chain, plan)
  const signed = read(text)
  if (!signed) return refused({ code: 'UNREADABLE' })
  const other = differenceOf(planned, signed)
  if (other) return refused({ code: other })
  const digests = digestsOf(planned)
  const signatures: Uint8Array[] = []
  for (const [at, input] of planned.inputs.entries()) {
    const found = signatureOf(signed, at, input)
    if ('code' in found) return refused({ ...found, input: at + 1 })
    const digest = digests[at] ?? new Uint8Array()
    if (!isBy(input.publicKey, found.signature.subarray(0, -1), digest)) {
      return refused({ code: 'WRONG_SIGNATURE', input: at + 1 })
    }
    signatures.push(found.signature)
  }
  return { kind: 'signed', txId: idOf(planned), raw: serialize(planned, signatures) }
}

function refused(why: PsbtRefusal): SignedPsbt {
  return { kind: 'refused', why }
}

function read(text: string): Transaction | null {
  const base64 = text.replaceAll(/\s/g, '')
  if (!base64.startsWith(MAGIC)) return null
  try {
    // A different sighash, output or script is reported below, in our own words.
    return Transaction.fromPSBT(Buffer.from(base64, 'base64'), {
      allowUnknownInputs: true,
      allowUnknownOutputs: true,
      allowUnknownVersion: true,
      disableScriptCheck: true,
    })
  } catch {
    return null
  }
}

/** The first difference between the transaction and the plan; null when every byte is as planned. */
function differenceOf({ inputs, output }: PlannedTransaction, tx: Transaction) {
  const isInput = ({ txId, vout }: PlannedInput, at: number) => {
    const found = tx.getInput(at)
    return found.index === vout && Buffer.from(found.txid ?? []).toString('hex') === txId
  }
  if (tx.inputsLength !== inputs.length || !inputs.every(isInput)) return 'OTHER_INPUTS'
  const found = tx.outputsLength === 1 ? tx.getOutput(0) : null
  if (!found?.script || !Buffer.from(found.script).equals(output.script)) return 'OTHER_OUTPUT'
  if (found.amount !== output.units) return 'OTHER_FEE'
  // The fee is what the inputs hold beyond the output, so another input amount means another fee.
  const hasPlannedAmount = ({ units }: PlannedInput, at: number) =>
    (tx.getInput(at).witnessUtxo?.amount ?? units) === units
  if (!inputs.every(hasPlannedAmount)) return 'OTHER_FEE'
  const isAsPlanned = inputs.every((_, at) => (tx.getInput(at).sequence ?? 0xffffffff) === SEQUENCE)
  return isAsPlanned && tx.version === VERSION && tx.lockTime === 0 ? null : 'OTHER_TERMS'
}

type Found = { readonly signature: Uint8Array } | { readonly code: 'NOT_SIGNED' | 'OTHER_SIGHASH' }

/** The signature of an input: where signers add it, or in the witness when a signer has finalized it. */
function signatureOf(tx: Transaction, at: number, { publicKey }: PlannedInput): Found {
  const { partialSig = [], finalScriptWitness, sighashType } = tx.getInput(at)
  const own = partialSig.find(([key]) => Buffer.from(key).equals(publicKey))?.[1]
  const [final, key] = finalScriptWitness ?? []
  const signature = own ?? (key && Buffer.from(key).equals(publicKey) ? final : undefined)
  if ((sighashType ?? SIGHASH_ALL) !== SIGHASH_ALL) return { code: 'OTHER_SIGHASH' }
  if (!signature) return { code: 'NOT_SIGNED' }
  return signature.at(-1) === SIGHASH_ALL ? { signature } : { code: 'OTHER_SIGHASH' }
}

/** Nodes relay only signatures with a low s (BIP-146). */
function isBy(publicKey: Uint8Array, signature: Uint8Array, digest: Uint8Array): boolean {
  try {
    return secp256k1.verify(signature, digest, publicKey, { prehash: false, lowS: true, format: 'der' })
  } catch {
    return false
  }
}
