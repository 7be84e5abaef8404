import { createHash } from 'node:crypto'
import { RawTx } from '@scure/btc-signer/script.js'
import type { Random } from '../random.ts'

/** The highest sequence of an input that says its transaction may be replaced (BIP-125). */
export const REPLACEABLE = 0xfffffffd

type Input = { readonly script?: Uint8Array; readonly witness?: readonly Uint8Array[]; readonly sequence?: number }

/** A transaction before its bytes; it spends strange coins unless it makes new ones. */
export type Draft = {
  readonly outputs: readonly (readonly [units: bigint, script: Uint8Array])[]
  readonly input?: Input
  readonly isCoinbase?: boolean
  /** It can be mined from this height or time on. */
  readonly lockTime?: number
  /** The transaction whose coin it spends. */
  readonly coin?: Uint8Array
}

/** Serializes a transaction as another library does. */
export function transactionOf(random: Random, draft: Draft): Buffer {
  const { outputs, input = {}, isCoinbase = false, lockTime = 0, coin = bytes(random, 32) } = draft
  const { script = new Uint8Array(), witness = [bytes(random, 71), keyLike(random)], sequence = REPLACEABLE } = input
  const txid = isCoinbase ? new Uint8Array(32) : coin
  return Buffer.from(
    RawTx.encode({
      version: 2,
      segwitFlag: witness.length > 0,
      inputs: [{ txid, index: isCoinbase ? 0xffffffff : random.below(4), finalScriptSig: script, sequence }],
      outputs: outputs.map(([amount, to]) => ({ amount, script: to })),
      ...(witness.length > 0 && { witnesses: [[...witness]] }),
      lockTime,
    }),
  )
}

/** The name of a transaction: the hash of its bytes without those of its witness. */
export function idOf(transaction: Buffer): string {
  const plain = RawTx.decode(transaction)
  return printed(Buffer.from(RawTx.encode({ ...plain, segwitFlag: false, witnesses: undefined })))
}

export type ForgedBlock = { readonly hash: string; readonly hex: string; readonly transactions: readonly Buffer[] }

/**
 * Builds a block with a header that proves its transactions; the first of them makes new coins. `bits` is the target that it
 * states; the most attempts are made to reach it that a forger can afford here.
 */
export function blockOf(
  random: Random,
  parentHash: string,
  transactions: readonly Buffer[],
  { bits = 0, attempts = 1 } = {},
): ForgedBlock {
  const header = Buffer.alloc(80)
  header.writeUInt32LE(0x2000_0000)
  Buffer.from(parentHash, 'hex').reverse().copy(header, 4)
  rootOf(transactions.map((one) => Buffer.from(idOf(one), 'hex').reverse())).copy(header, 36)
  header.writeUInt32LE(1_700_000_000 + random.below(1_000), 68)
  header.writeUInt32LE(bits, 72)
  for (let left = attempts; left > 0; left -= 1) {
    header.writeUInt32LE(random.below(2 ** 31), 76)
    if (printed(header) < '7fffff') break
  }
  const hex = Buffer.concat([header, Buffer.of(transactions.length), ...transactions]).toString('hex')
  return { hash: printed(header), hex, transactions }
}

function rootOf(level: readonly Buffer[]): Buffer {
  const [only] = level
  if (only && level.length === 1) return only
  const next: Buffer[] = []
  for (let at = 0; at < level.length; at += 2) {
    const left = level[at] ?? Buffer.alloc(0)
    next.push(twice(Buffer.concat([left, level[at + 1] ?? left])))
  }
  return rootOf(next)
}

function twice(data: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(data).digest()).digest()
}

function printed(data: Uint8Array): string {
  return twice(data).reverse().toString('hex')
}

/** So many bytes of chance. */
export function bytes(random: Random, length: number): Buffer {
  return Buffer.from(random.hex(length).slice(2), 'hex')
}

/** A compressed public key by its looks. */
function keyLike(random: Random): Buffer {
  return Buffer.concat([Buffer.of(2), bytes(random, 32)])
}
