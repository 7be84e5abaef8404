import type { Seal } from '../sealing.ts'
import { blockBytes, coinbase, idOf, rootOf } from './bytes.ts'

/** Seals a block as Bitcoin does, without proof of work: its header proves its transactions and the block before. */
export const sealBitcoin: Seal = ({ parent, time, transactions, salt }) => {
  const height = parent.height + 1
  const first = coinbase(height)
  const header = Buffer.alloc(80)
  header.writeInt32LE(4)
  if (height > 0) Buffer.from(parent.hash, 'hex').reverse().copy(header, 4)
  rootOf([first.txId, ...transactions.map(({ hash }) => hash)]).copy(header, 36)
  header.writeUInt32LE(time, 68)
  header.writeUInt32LE(Number.parseInt(idOf(Buffer.from(salt)).slice(0, 8), 16), 76)
  const bytes = blockBytes(header, [first.raw, ...transactions.map((tx) => tx.bytes ?? new Uint8Array())])
  return { height, hash: idOf(header), parentHash: parent.hash, time, transactions, header: {}, receipts: [], bytes }
}

/** Bytes of a header at the start of a block. */
export const HEADER_BYTES = 80

type Genesis = { readonly root: string; readonly time: number; readonly bits: number; readonly nonce: number }

/** Headers of block 0 (Bitcoin Core, `src/kernel/chainparams.cpp`): of regtest, and of testnet4. */
const GENESES = {
  sandbox: {
    root: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
    time: 1_296_688_602,
    bits: 0x207fffff,
    nonce: 2,
  },
  testnet: {
    root: '7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e',
    time: 1_714_777_860,
    bits: 0x1d00ffff,
    nonce: 393_743_547,
  },
} as const satisfies Record<string, Genesis>

/** Block 0 of a network: its hash, and its header, which proves that. Its transactions are never asked for. */
export function bitcoinGenesis(network: keyof typeof GENESES): { readonly hash: string; readonly bytes: Uint8Array } {
  const { root, time, bits, nonce } = GENESES[network]
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeInt32LE(1)
  Buffer.from(root, 'hex').reverse().copy(bytes, 36)
  bytes.writeUInt32LE(time, 68)
  bytes.writeUInt32LE(bits, 72)
  bytes.writeUInt32LE(nonce, 76)
  return { hash: idOf(bytes), bytes }
}
