import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

import { blockId } from '../../../tron/encoding/block-id.ts'
import { fromHex, toHex } from '../../../tron/encoding/hex.ts'
import type { Seal } from '../sealing.ts'

/** Seals a block as TRON does: its id proves its header, which names the one before. */
export const sealTron: Seal = ({ parent, time, transactions, salt }) => {
  const height = parent.height + 1
  const parentHash = height === 0 ? '0'.repeat(64) : parent.hash
  const txTrieRoot = sha256(utf8ToBytes(`${salt} ${transactions.map(({ hash }) => hash).join(' ')}`))
  const timestamp = time * 1000
  const hash = blockId({
    timestamp: BigInt(timestamp),
    txTrieRoot,
    parentHash: fromHex(parentHash),
    number: BigInt(height),
    witnessId: 0n,
    witnessAddress: new Uint8Array(),
    version: VERSION,
    accountStateRoot: new Uint8Array(),
  })
  const header = {
    parentHash,
    txTrieRoot: toHex(txTrieRoot),
    version: Number(VERSION),
    ...(height > 0 && { number: height, timestamp }),
  }
  return { height, hash, parentHash, time, transactions, header, receipts: [] }
}

const VERSION = 31n
