/** What nodes of Bitcoin give out, as bytes: transactions, and what their ids and blocks are made of. */
import { createHash } from 'node:crypto'

import { RawTx } from '@scure/btc-signer/script.js'

export type SerializedTransaction = { readonly txId: string; readonly raw: Uint8Array }

type Parts = Pick<Parameters<typeof RawTx.encode>[0], 'inputs' | 'outputs' | 'witnesses'>

/** Writes a transaction with its witness; its id leaves that out (BIP-141). */
export function serialize(parts: Parts): SerializedTransaction {
  const tx = { version: 2, lockTime: 0, ...parts }
  const bare = RawTx.encode({ ...tx, segwitFlag: false, witnesses: undefined })
  return { txId: idOf(bare), raw: RawTx.encode({ ...tx, segwitFlag: true }) }
}

/** An input that spends the first output of a transaction, in the order of its bytes. */
export function spending(txid: Uint8Array) {
  return { txid, index: 0, finalScriptSig: new Uint8Array(), sequence: 0xfffffffd }
}

/** A block pays nobody here; the height keeps its id from being that of another (BIP-34). */
export function coinbase(height: number): SerializedTransaction {
  return serialize({
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffffffff,
        finalScriptSig: Uint8Array.of(2, height & 255, height >> 8),
        sequence: 0xffffffff,
      },
    ],
    outputs: [{ amount: 0n, script: Uint8Array.of(0x6a) }],
    witnesses: [[new Uint8Array(32)]],
  })
}

/** What a header says of the transactions of its block. */
export function rootOf(txIds: readonly string[]): Buffer {
  let level: Buffer[] = txIds.map((txId) => Buffer.from(txId, 'hex').reverse())
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => [level[at * 2], level[at * 2 + 1]])
    level = pairs.map(([left = Buffer.alloc(0), right]) => hash256(Buffer.concat([left, right ?? left])))
  }
  return level[0] ?? Buffer.alloc(32)
}

/** Ids are printed with their bytes reversed. */
export function idOf(bytes: Uint8Array): string {
  return hash256(bytes).reverse().toString('hex')
}

/** The bytes of a block; none here has more transactions than one byte counts. */
export function blockBytes(header: Uint8Array, transactions: readonly Uint8Array[]): Buffer {
  if (transactions.length > 0xfc) throw new RangeError('Too many transactions')
  return Buffer.concat([header, Buffer.of(transactions.length), ...transactions])
}

function hash256(bytes: Uint8Array): Buffer {
  const once = createHash('sha256').update(bytes).digest()
  return createHash('sha256').update(once).digest()
}
