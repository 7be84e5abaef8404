import { createHash } from 'node:crypto'
import { bitcoinAddress } from '@kassa/keys/bitcoin-accounts.ts'
import { keyHashOf } from '@kassa/keys/address-text.ts'
import { RawTx } from '@scure/btc-signer/script.js'
import { childPublicKey } from '../../account-keys.ts'
import type { Chain, DepositSource } from '../../adapter.ts'
import type { PsbtPlan } from '../../signing/psbts.ts'
import { bitcoinAddresses } from '../addresses/addresses.ts'
import { keyHashScript, segwitScript } from '../addresses/scripts.ts'
import { scriptKind } from './sizes.ts'

export type Plan = PsbtPlan<DepositSource>

/** It can be replaced by one with a higher fee, and has no earliest block (BIP-125). */
export const SEQUENCE = 0xfffffffd
export const VERSION = 2
export const SIGHASH_ALL = 1

/** An input with everything that its signature covers. */
export type PlannedInput = {
  /** As people and nodes write it. */
  readonly txId: string
  readonly vout: number
  readonly units: bigint
  readonly index: number
  readonly publicKey: Uint8Array
  /** The script of the output that it spends. */
  readonly script: Uint8Array
  /** The script behind the hash in that script (BIP-49); absent where the output is SegWit itself. */
  readonly redeem?: Uint8Array
}

/** The whole transaction of a plan, before its signatures. */
export type PlannedTransaction = { readonly inputs: readonly PlannedInput[]; readonly output: Output }
type Output = { readonly script: Uint8Array; readonly units: bigint }

/** Derives the keys and scripts of a plan. @throws RangeError when its fee leaves nothing */
export function transactionOf(chain: Chain, { source, inputs, to, fee }: Plan): PlannedTransaction {
  const kind = scriptKind(source)
  const units = inputs.reduce((sum, input) => sum + input.units, 0n) - fee
  if (units <= 0n || fee <= 0n) throw new RangeError('The fee must leave something, and be one')
  return {
    inputs: inputs.map((input) => {
      const publicKey = childPublicKey(source, input.index, true)
      const script = bitcoinAddresses.key(chain, bitcoinAddress(chain.mode, kind, publicKey))
      const program = segwitScript({ version: 0, program: keyHashOf(publicKey) })
      return { ...input, publicKey, script, ...(kind === 'p2sh-p2wpkh' && { redeem: program }) }
    }),
    output: { script: bitcoinAddresses.key(chain, to), units },
  }
}

/** Serializes a transaction with a signature and key for each input; without them, the bytes whose hash is the id. */
export function serialize(
  { inputs, output }: PlannedTransaction,
  signatures: readonly Uint8Array[] | null,
): Uint8Array {
  return RawTx.encode({
    version: VERSION,
    segwitFlag: signatures !== null,
    inputs: inputs.map(({ txId, vout, redeem }) => ({
      txid: Buffer.from(txId, 'hex'),
      index: vout,
      finalScriptSig: redeem ? Uint8Array.of(redeem.length, ...redeem) : new Uint8Array(),
      sequence: SEQUENCE,
    })),
    outputs: [{ amount: output.units, script: output.script }],
    ...(signatures && {
      witnesses: inputs.map(({ publicKey }, at) => [signatures[at] ?? new Uint8Array(), publicKey]),
    }),
    lockTime: 0,
  })
}

/** The id of a transaction whose inputs are all SegWit; signatures are not part of it (BIP-141). */
export function idOf(transaction: PlannedTransaction): string {
  return Buffer.from(hash256(serialize(transaction, null)))
    .reverse()
    .toString('hex')
}

/**
 * What the signature of each input signs (BIP-143, SIGHASH_ALL). The parts that all inputs share are hashed once, because
 * signing hundreds of inputs would otherwise take quadratic time.
 */
export function digestsOf({ inputs, output }: PlannedTransaction): Uint8Array[] {
  const outpoints = inputs.map(({ txId, vout }) => Buffer.concat([Buffer.from(txId, 'hex').reverse(), uint32(vout)]))
  const allOutpoints = hash256(Buffer.concat(outpoints))
  const allSequences = hash256(Buffer.concat(inputs.map(() => uint32(SEQUENCE))))
  const allOutputs = hash256(Buffer.concat([uint64(output.units), Buffer.of(output.script.length), output.script]))
  return inputs.map(({ publicKey, units }, at) => {
    const code = keyHashScript(keyHashOf(publicKey))
    return hash256(
      Buffer.concat([
        ...[uint32(VERSION), allOutpoints, allSequences, outpoints[at] ?? Buffer.alloc(0)],
        ...[Buffer.of(code.length), code, uint64(units), uint32(SEQUENCE), allOutputs, uint32(0), uint32(SIGHASH_ALL)],
      ]),
    )
  })
}

function hash256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
