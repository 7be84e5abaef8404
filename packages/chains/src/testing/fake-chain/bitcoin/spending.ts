/** Signed transactions that spend outputs of the chain, as nodes accept them. */
import { BITCOIN_PREFIXES } from '@kassa/keys/bitcoin-accounts.ts'

import { addressOfScript } from '../../../bitcoin/addresses/scripts.ts'
import { readTransaction, type WireTransaction } from '../../../bitcoin/encoding/wire.ts'
import { PLAIN } from '../plain.ts'
import type { FakeTransaction, TrueMove } from '../transactions.ts'

/** Of each, what its bytes say: it never changes. */
const read = new WeakMap<FakeTransaction, WireTransaction>()

/** The inputs and outputs of a transaction. */
function wireOf(tx: FakeTransaction): WireTransaction {
  const known = read.get(tx) ?? readTransaction(Buffer.from(tx.bytes ?? []))
  read.set(tx, known)
  return known
}

/** The transaction and place of an output, from its name in an input: the bytes of an id are reversed there. */
function placeOf(spends: string): { readonly txId: string; readonly at: number } {
  const bytes = Buffer.from(spends, 'hex')
  return { txId: Buffer.from(bytes.subarray(0, 32)).reverse().toString('hex'), at: bytes.readUInt32LE(32) }
}

/** The name of an output. */
function nameOf(txId: string, at: number): string {
  return `${txId}:${at}`
}

/** The output of a place among transactions, and whether none of them spends it; null where none of them makes it. */
export function findOutput(
  among: readonly FakeTransaction[],
  { txId, at }: { readonly txId: string; readonly at: number },
): { readonly units: bigint; readonly script: Uint8Array; readonly isUnspent: boolean } | null {
  const origin = among.find(({ hash }) => hash === txId)
  const output = origin && wireOf(origin).outputs[at]
  if (!output) return null
  const name = nameOf(txId, at)
  return { ...output, isUnspent: among.every(({ spends = [] }) => !spends.includes(name)) }
}

/**
 * The transaction of signed bytes, with what it truly moves: all that its inputs hold leaves their addresses, and all but the fee
 * reaches those of its outputs. Null where an input spends what no transaction among these made. Signatures are not checked.
 */
export function spendBitcoin(
  network: keyof typeof BITCOIN_PREFIXES,
  raw: Uint8Array,
  among: readonly FakeTransaction[],
): FakeTransaction | null {
  const tx = readTransaction(Buffer.from(raw))
  const prefixes = BITCOIN_PREFIXES[network]
  const places = tx.inputs.map(({ spends }) => placeOf(spends))
  const inputs = places.flatMap((place) => findOutput(among, place) ?? [])
  if (inputs.length < places.length) return null
  /** Inputs are not assigned to outputs. */
  const pot = `the coins of ${tx.txId}`
  const move = (leg: string, ends: Pick<TrueMove, 'from' | 'to' | 'units'>): TrueMove => ({ leg, token: null, ...ends })
  const left = inputs.map(({ script, units }, at) =>
    move(`spent:${at}`, { from: addressOfScript(prefixes, script) ?? '', to: pot, units }),
  )
  const reached = tx.outputs.map(({ script, units }, at) =>
    move(`vout:${at}`, { from: pot, to: addressOfScript(prefixes, script) ?? '', units }),
  )
  return {
    ...PLAIN,
    ...{ hash: tx.txId, from: left[0]?.from ?? '', to: '', bytes: raw, moves: [...left, ...reached] },
    spends: places.map(({ txId, at }) => nameOf(txId, at)),
    fee: sumOf(inputs) - sumOf(tx.outputs),
    signed: { raw: Buffer.from(raw).toString('hex') },
  }
}

/** The bytes that a fee is paid for, rounded up (BIP-141): what is witness counts a quarter. */
export function virtualSize(tx: FakeTransaction): bigint {
  const total = tx.bytes?.length ?? 0
  const witness = wireOf(tx).inputs.reduce(
    (sum, input) => sum + 1 + input.witness.reduce((own, item) => own + 1 + item.length, 0),
    2,
  )
  return BigInt(Math.ceil((4 * total - 3 * witness) / 4))
}

function sumOf(outputs: readonly { readonly units: bigint }[]): bigint {
  return outputs.reduce((sum, { units }) => sum + units, 0n)
}
